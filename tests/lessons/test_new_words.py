"""Announcements are taught before they are asked: the card with the words comes first, once."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from fsrs import Rating

import rules_engine
from rules_engine import Scenario, Utterance, generate, topics
from tests.practice.drills import make_drill, put, right_answer
from training.library import guarded_cases
from training.mastery.services import learn
from training.people.models import Role, User
from training.practice import services
from training.practice.models import Drill
from training.practice.new_words import new_words

BOOK = "pt-chemin-de-fer"
pytestmark = pytest.mark.django_db


def asking(after: int = 0) -> tuple[Scenario, str]:
    """A case that asks for an announcement, and the clause that prescribes it."""
    for topic in topics(BOOK):
        for seed in range(after, after + 8):
            scenario = generate(BOOK, topic, seed, 1)
            for question in scenario.questions:
                words = scenario.solve().get(question.key)
                if question.kind == "words" and isinstance(words, Utterance):
                    return scenario, scenario.book.formulas[words.formula].cite
    raise AssertionError("no case asks for words")


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def test_the_card_comes_before_the_drill_and_shows_the_words(trainee: Client) -> None:
    scenario, cite = asking()
    drill = put(scenario, who(trainee))
    assert cite in new_words(drill)
    page = trainee.get(reverse("rule_card", args=[drill.pk])).content.decode()
    assert "Palavras novas" in page
    assert reverse("article", args=[BOOK, cite]) in page
    assert page.count("«") >= 1


def test_once_answered_it_is_not_taught_again(trainee: Client) -> None:
    scenario, cite = asking()
    drill = put(scenario, who(trainee))
    answer = rules_engine.answer_from({"parts": right_answer(scenario)})
    services.grade(services.submit_answer(drill, answer).pk)
    again = put(scenario, who(trainee))
    assert cite not in new_words(again)
    assert cite in new_words(put(scenario)), "somebody else has not met it"


def test_what_a_placement_test_showed_to_be_known_is_not_taught(trainee: Client) -> None:
    scenario, cite = asking()
    learn(who(trainee), BOOK, {cite: Rating.Good}, at=put(scenario).created_at)
    assert cite not in new_words(put(scenario, who(trainee)))


def test_a_case_without_announcements_teaches_none() -> None:
    made = (generate(BOOK, topic, seed, 1) for topic in topics(BOOK) for seed in range(5))
    scenario = next(one for one in made if not any(question.kind == "words" for question in one.questions))
    assert new_words(put(scenario)) == []


def test_a_planned_drill_leads_to_the_card_only_if_something_is_new(trainee: Client) -> None:
    drill = make_drill(who(trainee), mode=Drill.Mode.SCHEDULED)
    card = reverse("rule_card", args=[drill.pk])
    cites = {drill.aim: Rating.Good} | dict.fromkeys(new_words(drill), Rating.Good)
    trainee.post(reverse("start_drill"), {"mode": "scheduled"})
    assert trainee.get(card).status_code == 200
    learn(who(trainee), BOOK, cites, at=drill.created_at)
    assert trainee.get(card)["Location"] == reverse("drill", args=[drill.pk])


@pytest.mark.parametrize("mode", [Drill.Mode.PLACEMENT, Drill.Mode.ASSIGNED])
def test_no_card_tells_the_words_of_a_test(trainee: Client, mode: Drill.Mode) -> None:
    scenario, _cite = asking()
    drill = put(scenario, who(trainee))
    Drill.objects.filter(pk=drill.pk).update(mode=mode)
    assert trainee.get(reverse("rule_card", args=[drill.pk]))["Location"] == reverse("drill", args=[drill.pk])


def test_no_card_tells_the_words_of_a_case_that_an_exam_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, cite = asking()
    drill = put(scenario)
    assert cite in new_words(drill)
    monkeypatch.setattr(guarded_cases, "is_guarded", lambda asked: asked == scenario)
    assert new_words(drill) == []
