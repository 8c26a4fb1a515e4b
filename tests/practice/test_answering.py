"""A trainee answers: what the page shows and keeps, and what it refuses."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules_engine import generate
from rules_engine.narration import citation
from tests.practice.drills import form, make_drill, put, right_answer, silent, wrong_answer
from training.people.models import Role
from training.practice import services
from training.practice.models import Attempt, Drill, Mark
from training.practice.what_if import what_if

SignedIn = Callable[..., Client]


@pytest.fixture
def trainee(signed_in: SignedIn) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.fixture
def drill(trainee: Client) -> Drill:
    return make_drill(trainee.person)  # type: ignore[attr-defined]


def page(drill: Drill) -> str:
    return reverse("drill", args=[drill.pk])


def test_starting_makes_a_fresh_drill_of_ones_own(trainee: Client) -> None:
    response = trainee.post(reverse("start_drill"), {"topic": "pt-chemin-de-fer/third_card", "difficulty": "3"})
    made = Drill.objects.get()
    assert response.status_code == 302
    assert response["Location"] == page(made)
    assert (made.trainee, made.topic, made.difficulty) == (trainee.person, "third_card", 3)  # type: ignore[attr-defined]


@pytest.mark.parametrize("changes", [{"topic": "pt-chemin-de-fer/poker"}, {"difficulty": "6"}, {"difficulty": ""}])
def test_a_topic_or_level_that_is_none_is_refused(trainee: Client, changes: dict[str, str]) -> None:
    data = {"topic": "pt-chemin-de-fer/third_card", "difficulty": "3"} | changes
    response = trainee.post(reverse("start_drill"), data)
    assert response.status_code == 422
    assert not Drill.objects.exists()


def test_the_page_shows_the_facts_and_every_question(trainee: Client, drill: Drill) -> None:
    shown = trainee.get(page(drill)).content.decode()
    assert "Acabado o golpe, que resultado anuncia?" in shown
    for question in drill.scenario.questions:
        assert f'name="q.{question.key}"' in shown


def test_nothing_on_the_page_before_the_answer_tells_the_ruling(trainee: Client, drill: Drill) -> None:
    """Two drills that differ only in what is right look the same but for the facts: no mark, article or reason."""
    shown = trainee.get(page(drill)).content.decode()
    for step in drill.scenario.solve().steps:
        assert f"art. {citation(step.cite)}" not in shown
        assert step.text not in shown
    assert "checked" not in shown
    assert drill.scenario.seed not in shown


def test_an_answer_is_stored_and_shown_as_waiting(trainee: Client, drill: Drill) -> None:
    response = trainee.post(page(drill), form(right_answer(drill.scenario)), follow=True)
    attempt = Attempt.objects.get()
    assert attempt.state == Attempt.State.SUBMITTED
    assert attempt.answer == {"parts": right_answer(drill.scenario)}
    assert "Answer received" in response.content.decode() or "Resposta recebida" in response.content.decode()


def test_the_mark_shows_part_by_part_with_the_article(trainee: Client, drill: Drill) -> None:
    trainee.post(page(drill), form(wrong_answer(drill.scenario)))
    services.grade(Attempt.objects.get().pk)
    shown = trainee.get(page(drill)).content.decode()
    ruling = drill.scenario.solve()
    assert shown.count('class="part ') == len(ruling.decisions)
    assert shown.count('class="part wrong"') == 1
    assert shown.count('<li class="step') == len(ruling.steps)
    for step in ruling.steps:
        assert f"art. {citation(step.cite)}" in shown
        assert reverse("article", args=[drill.rulebook, step.cite]) in shown


def test_one_changed_fact_is_told_with_what_was_missed_and_not_before(trainee: Client, drill: Drill) -> None:
    told = 'class="what-if'
    assert told not in trainee.get(page(drill)).content.decode()
    trainee.post(page(drill), form(wrong_answer(drill.scenario)))
    services.grade(Attempt.objects.get().pk)
    found = what_if(drill.scenario, Mark.objects.get(), "en")
    assert found and len(found.facts) == 1 and found.rulings
    shown = trainee.get(page(drill)).content.decode()
    assert told in shown
    right = make_drill(drill.trainee)
    trainee.post(page(right), form(right_answer(right.scenario)))
    services.grade(Attempt.objects.get(drill=right).pk)
    assert told not in trainee.get(page(right)).content.decode()


def test_words_may_be_picked_instead_of_typed(trainee: Client, drill: Drill) -> None:
    answer = right_answer(drill.scenario)
    words = answer.pop("announcement")
    trainee.post(page(drill), form(answer) | {"pick.announcement": words})
    attempt = Attempt.objects.get()
    assert attempt.picked_words
    assert attempt.answer["parts"]["announcement"] == words


def test_the_same_answer_twice_is_one_attempt(trainee: Client, drill: Drill) -> None:
    for _ in range(2):
        response = trainee.post(page(drill), form(right_answer(drill.scenario)))
        assert response.status_code == 302
    assert Attempt.objects.count() == 1


def test_a_replayed_form_with_another_answer_is_refused_and_the_first_counts(trainee: Client, drill: Drill) -> None:
    trainee.post(page(drill), form(right_answer(drill.scenario)))
    response = trainee.post(page(drill), form(wrong_answer(drill.scenario)))
    assert response.status_code == 409
    assert "conta a primeira resposta" in response.content.decode()
    assert Attempt.objects.get().answer == {"parts": right_answer(drill.scenario)}


def test_a_refused_answer_says_so_until_and_with_the_mark_of_the_first(trainee: Client, drill: Drill) -> None:
    trainee.post(page(drill), form(right_answer(drill.scenario)))
    refused = trainee.post(page(drill), form(wrong_answer(drill.scenario)), headers={"HX-Request": "true"})
    again = re.search(r'hx-get="([^"]+)"', refused.content.decode())
    assert again
    services.grade(Attempt.objects.get().pk)
    shown = trainee.get(again[1], headers={"HX-Request": "true"}).content.decode()
    assert "conta a primeira resposta" in shown
    assert "Está tudo certo." in shown


def test_nobody_is_told_of_a_refused_answer_before_there_is_any(trainee: Client, drill: Drill) -> None:
    assert "conta a primeira resposta" not in trainee.get(page(drill) + "?refused").content.decode()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"q.winner": "dealer"}, "Resposta: «dealer» não é nenhum destes: "),
        ({"q.announcement": "x" * 301}, "Resposta, anúncio: mais de 300 caracteres."),
    ],
)
def test_what_is_not_an_answer_is_refused_and_nothing_typed_is_lost(
    trainee: Client, drill: Drill, changes: dict[str, str], complaint: str
) -> None:
    typed = {"q.announcement": "Igualdade a quatro"} | changes
    response = trainee.post(page(drill), typed)
    shown = response.content.decode()
    assert response.status_code == 422
    assert complaint in shown
    assert typed["q.announcement"] in shown
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("slip", ["abc", "12x", "-"])
def test_what_is_no_number_is_a_slip_and_nothing_typed_is_lost(trainee: Client, slip: str) -> None:
    made = (generate("pt-roleta-francesa", "payout", seed, 2) for seed in range(100))
    asked = ((one, [question.key for question in one.questions if question.kind == "amount"]) for one in made)
    scenario, sums = next(found for found in asked if len(found[1]) > 1)
    drill = put(scenario, trainee.person)  # type: ignore[attr-defined]
    typed = {f"q.{key}": f"{number} 000 €" for number, key in enumerate(sums, 1)}
    response = trainee.post(page(drill), typed | {f"q.{sums[-1]}": slip})
    assert response.status_code == 422
    assert response.context["error"] == f"Escreva um número: «{slip}» não é um número."
    shown = response.content.decode()
    assert all(f'value="{value}"' in shown for value in [slip, *list(typed.values())[:-1]])
    assert not Attempt.objects.exists()
    assert trainee.post(page(drill), typed | {f"q.{sums[-1]}": ""}).status_code == 302  # as people write numbers


def test_picked_words_stay_picked_when_something_else_is_refused(trainee: Client, drill: Drill) -> None:
    """They would count as typed, the harder mode, if they came back in the field."""
    words = right_answer(drill.scenario)["announcement"]
    response = trainee.post(page(drill), {"pick.announcement": words, "q.winner": "dealer"})
    shown = re.sub(r"\s+", " ", response.content.decode())
    assert f'name="pick.announcement" value="{words}" checked' in shown
    assert 'name="q.announcement" value=""' in shown


def test_the_page_asks_for_the_mark_quickly_at_first_and_says_when_the_queue_is_slow(
    trainee: Client, drill: Drill
) -> None:
    trainee.post(page(drill), form(right_answer(drill.scenario)))
    shown = trainee.get(page(drill)).content.decode()
    assert "load delay:100ms" in shown and "A correção está demorada" not in shown
    Attempt.objects.update(submitted_at=timezone.now() - timedelta(seconds=6))
    shown = trainee.get(page(drill)).content.decode()
    assert "load delay:2000ms" in shown and "A correção está demorada" in shown


def test_an_enormous_form_is_refused(trainee: Client, drill: Drill) -> None:
    response = trainee.post(
        page(drill), {"q.announcement": "x" * 300_000}, content_type="application/x-www-form-urlencoded"
    )
    assert 400 <= response.status_code < 500
    assert not Attempt.objects.exists()


def test_somebody_elses_drill_does_not_exist(trainee: Client) -> None:
    theirs = make_drill()
    missing = reverse("drill", args=["00000000-0000-4000-8000-000000000000"])
    answer = form(right_answer(theirs.scenario))
    for method in (trainee.get, lambda url: trainee.post(url, answer)):
        assert method(page(theirs)).status_code == 404
        assert method(missing).status_code == 404
    assert told(trainee.get(page(theirs))) == told(trainee.get(missing))
    assert not Attempt.objects.exists()


def told(response: Any) -> str:
    """What a page says, without its one-time token and its own address."""
    return re.sub(r'value="[^"]*"', "", response.content.decode())


def test_only_trainees_practise(signed_in: SignedIn, drill: Drill) -> None:
    for role in (Role.HR, Role.INSTRUCTOR, Role.ADMINISTRATOR):
        client = signed_in(role)
        assert client.get(reverse("practice")).status_code == 403
        assert client.get(page(drill)).status_code == 403
    assert Client().get(page(drill)).status_code == 302


def test_a_page_costs_the_same_queries_whatever_came_before(
    trainee: Client, drill: Drill, django_assert_num_queries: Callable[..., Any]
) -> None:
    trainee.get(page(drill))
    with django_assert_num_queries(5):  # session, person, roles, an open exam, drill
        trainee.get(page(drill))
    for _ in range(5):
        make_drill(trainee.person)  # type: ignore[attr-defined]
    with django_assert_num_queries(5):
        trainee.get(page(drill))
    trainee.post(page(drill), form(right_answer(drill.scenario)))
    services.grade(Attempt.objects.get().pk)
    # And the drill with answer, mark and remarks, the house's readings, and what exams use.
    with django_assert_num_queries(9):
        trainee.get(page(drill))


def test_a_ticked_box_says_that_the_question_does_not_arise(trainee: Client) -> None:
    """It has the name of what is typed and stands after it, so that it counts."""
    drill = put(silent(), trainee.person)  # type: ignore[attr-defined]
    shown = trainee.get(page(drill)).content.decode()
    assert 'type="checkbox" name="q.announcement" value="does_not_arise"' in shown
    trainee.post(page(drill), {"q.marker": "does_not_arise", "q.announcement": ["", "does_not_arise"]})
    assert Attempt.objects.get().answer["parts"]["announcement"] == "does_not_arise"
