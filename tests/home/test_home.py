"""What everybody finds on arriving, and a trainee's own pages."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from fsrs import Rating

import rules_engine
from tests.factories import PersonFactory
from tests.practice.drills import make_drill, right_answer, wrong_answer
from training.classes.models import Assignment, Enrolment, TrainingClass
from training.figures.selectors import last_tallies
from training.home import presentation, selectors
from training.mastery.models import StudyPlan
from training.mastery.rules_to_learn import rules_to_learn
from training.mastery.selectors import day_of
from training.mastery.services import learn
from training.people.models import Role, User
from training.practice import services
from training.practice.models import Attempt, Drill
from training.practice.study import study_of

BOOK = "pt-chemin-de-fer"
PAGES = ["home", "practice", "rules", "history", "study"]


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def answer(drill: Drill, *, right: bool = True) -> Attempt:
    parts = (right_answer if right else wrong_answer)(drill.scenario)
    attempt = services.submit_answer(drill, rules_engine.answer_from({"parts": parts}))
    services.grade(attempt.pk)
    return attempt


def shown(client: Client, route: str, **query: str) -> str:
    response = client.get(reverse(route), query)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


# ---- home


def test_a_newcomer_sees_what_to_do_and_for_how_long(trainee: Client) -> None:
    assert "Dois minutos à mesa" in shown(trainee, "home")
    learn(who(trainee), BOOK, {"67 d": Rating.Good}, at=timezone.now())
    page = shown(trainee, "home")
    assert "cenários, cerca de" in page
    assert "<dt>a rever</dt><dd>0</dd>" in page and "<dt>regras novas</dt>" in page
    assert f"sabidas 1 · vistas 1 · de {len(rules_to_learn(BOOK))}" in page


def test_one_press_starts_what_matters(trainee: Client) -> None:
    response = trainee.post(reverse("start_drill"), {"mode": "scheduled"})
    drill = Drill.objects.get()
    assert response["Location"] == reverse("rule_card", args=[drill.pk])
    assert (drill.trainee, drill.mode) == (who(trainee), Drill.Mode.SCHEDULED)


def test_the_page_does_not_say_which_rule_comes_next(trainee: Client) -> None:
    learn(who(trainee), BOOK, {"104 e": Rating.Again}, at=timezone.now() - timedelta(days=20))
    for route in ("home", "practice"):
        # not the bare number, which a token or the number of a person may hold
        assert not re.search(r"art\.\s*104|\b104\s?e\b", re.sub(r"<svg.*?</svg>", "", shown(trainee, route)))


def test_results_progress_and_weak_spots_show(trainee: Client) -> None:
    answer(make_drill(who(trainee)), right=False)
    answer(make_drill(who(trainee), article="67 c"))
    page = shown(trainee, "home")
    assert "regra falhada" in page or "regras falhadas" in page
    assert "Rever 1 erro" in page
    assert page.count("/practice/") > 3
    assert "Feitos hoje: 2" in page


def test_a_day_used_up_says_so_and_still_lets_one_go_on(trainee: Client) -> None:
    attempt = answer(make_drill(who(trainee)))
    StudyPlan.objects.create(trainee=who(trainee), daily_minutes=5)
    who(trainee).day_tallies.update(seconds=400)
    page = shown(trainee, "home")
    assert "Por hoje está feito." in page
    assert "Treinar mais um pouco" in page
    assert attempt.pk


@pytest.mark.parametrize("role", [Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR])
def test_other_roles_see_their_places_and_no_trainees_day(signed_in: Callable[..., Client], role: Role) -> None:
    page = shown(signed_in(role), "home")
    assert "today-line" not in page
    assert 'class="empty"' in page or 'class="card"' in page


def test_with_several_roles_one_sees_both(signed_in: Callable[..., Client]) -> None:
    page = shown(signed_in(Role.TRAINEE, Role.INSTRUCTOR), "home")
    assert "today-line" in page
    assert reverse("library") in page


@pytest.mark.parametrize("route", ["practice", "rules", "history", "study"])
def test_a_trainees_pages_are_for_trainees(signed_in: Callable[..., Client], route: str) -> None:
    assert signed_in(Role.INSTRUCTOR).get(reverse(route)).status_code == 403


@pytest.mark.parametrize("route", PAGES)
def test_a_page_asks_the_same_number_of_questions_however_much_there_is(
    trainee: Client, route: str, django_assert_max_num_queries: Any
) -> None:
    def queries() -> int:
        with django_assert_max_num_queries(25) as captured:
            shown(trainee, route)
        return len(captured)

    answer(make_drill(who(trainee)), right=False)
    few = queries()
    for article in ("67 c", "67 d", "67 b"):
        answer(make_drill(who(trainee), article=article), right=article != "67 b")
    for rule in list(rules_to_learn(BOOK))[:50]:
        learn(who(trainee), BOOK, {rule.cite: Rating.Hard}, at=timezone.now())
    assert queries() == few


# ---- modes


def test_replaying_without_mistakes_says_there_is_none(trainee: Client) -> None:
    response = trainee.post(reverse("start_drill"), {"mode": "replay"}, follow=True)
    assert "Não há erros por rever." in response.content.decode()
    assert not Drill.objects.exists()


def test_replaying_a_mistake_starts_its_like(trainee: Client) -> None:
    answer(make_drill(who(trainee)), right=False)
    trainee.post(reverse("start_drill"), {"mode": "replay"})
    assert Drill.objects.filter(mode=Drill.Mode.REPLAY, trainee=who(trainee)).count() == 1


def test_an_unknown_mode_without_a_topic_is_refused_and_nothing_is_made(trainee: Client) -> None:
    assert trainee.post(reverse("start_drill"), {"mode": "roulette"}).status_code == 422
    assert not Drill.objects.exists()


# ---- the way of studying


def test_without_a_choice_or_a_class_the_house_decides(trainee: Client) -> None:
    study = study_of(who(trainee))
    assert (study.minutes, study.rulebooks) == (10, (BOOK,))


def enrol(trainee: User, **fields: Any) -> TrainingClass:
    training_class = TrainingClass.objects.create(name="Turma da tarde", **fields)
    Enrolment.objects.create(training_class=training_class, trainee=trainee)
    return training_class


def test_a_class_sets_minutes_and_rulebooks_until_one_leaves_it(trainee: Client) -> None:
    enrol(who(trainee), daily_minutes=25, rulebooks=["es-chemin-de-fer", "a-book-we-no-longer-have"])
    study = study_of(who(trainee))
    assert (study.minutes, study.rulebooks) == (25, ("es-chemin-de-fer",))
    Enrolment.objects.update(left_at=timezone.now())
    assert study_of(who(trainee)).minutes == 10


def test_a_closed_class_or_somebody_elses_sets_nothing(trainee: Client) -> None:
    enrol(who(trainee), daily_minutes=25, closed_at=timezone.now())
    enrol(PersonFactory(), daily_minutes=40)
    assert study_of(who(trainee)).minutes == 10


def test_the_trainees_own_choice_comes_first(trainee: Client) -> None:
    enrol(who(trainee), daily_minutes=25, rulebooks=["es-chemin-de-fer"])
    data = {"daily_minutes": "15", "rulebooks": ["it-sanremo-chemin-de-fer"]}
    assert trainee.post(reverse("study"), data).status_code == 302
    study = study_of(who(trainee))
    assert (study.minutes, study.rulebooks) == (15, ("it-sanremo-chemin-de-fer",))
    trainee.post(reverse("study"), {"daily_minutes": ""})
    assert study_of(who(trainee)).minutes == 25


@pytest.mark.parametrize("bad", [{"daily_minutes": "4"}, {"daily_minutes": "121"}, {"rulebooks": ["poker"]}])
def test_a_bad_study_plan_is_refused_and_what_was_typed_stays(trainee: Client, bad: dict[str, Any]) -> None:
    response = trainee.post(reverse("study"), {"daily_minutes": "33"} | bad)
    assert response.status_code == 422
    assert f'value="{bad.get("daily_minutes", "33")}"' in response.content.decode()
    assert not StudyPlan.objects.exists()


# ---- the plot


def test_the_plot_has_a_bar_for_every_day_and_fills_it_as_far_as_it_was_right(trainee: Client) -> None:
    today = day_of(who(trainee), timezone.now())
    for ago, answers, points in ((0, 10, 20), (2, 5, 5)):
        day = today - timedelta(days=ago)
        who(trainee).day_tallies.create(day=day, answers=answers, points=points, of=answers * 2)
    plot = presentation.plot(selectors.last_days(last_tallies(who(trainee), today, 4), today, 4))
    assert [bar.answers for bar in plot.bars] == [0, 5, 0, 10]
    assert [bar.percent for bar in plot.bars] == [0, 50, 0, 100]
    assert plot.all == "M10 100V50h7V100zM30 100V0h7V100z"
    assert plot.right == "M10 100V75h7V100zM30 100V0h7V100z"
    assert 'class="right" d="M270 100V75h7V100zM290 100V0h7V100z"' in shown(trainee, "home")


# ---- history


def test_the_history_has_every_answer_and_leads_to_the_scenario_as_it_was(trainee: Client) -> None:
    drills = [make_drill(who(trainee)) for _ in range(3)]
    for drill in drills:
        answer(drill)
    someone_else = make_drill()
    answer(someone_else)
    page = shown(trainee, "history")
    for drill in drills:
        assert reverse("drill", args=[drill.pk]) in page
    assert str(someone_else.pk) not in page


def test_the_history_is_paginated_and_filtered_by_topic(trainee: Client) -> None:
    for _ in range(26):
        drill = make_drill(who(trainee))
        services.submit_answer(drill, rules_engine.answer_from({"parts": {}}))
    stakes = make_drill(who(trainee), topic="stakes", article=None)
    answer(stakes)
    link = re.compile(r'<a href="/practice/[0-9a-f-]{36}/">')
    assert len(link.findall(shown(trainee, "history"))) == 25
    assert len(link.findall(shown(trainee, "history", page="2"))) == 2
    only = shown(trainee, "history", topic=f"{BOOK}/stakes")
    assert link.findall(only) == [f'<a href="{reverse("drill", args=[stakes.pk])}">']


def test_the_history_says_what_still_waits_for_its_mark(trainee: Client) -> None:
    drill = make_drill(who(trainee))
    services.submit_answer(drill, rules_engine.answer_from({"parts": {}}))
    assert "à espera de correção" in shown(trainee, "history")


def test_work_set_for_a_class_shows_until_it_is_done(trainee: Client) -> None:
    training_class = enrol(who(trainee))
    kind = {"rulebook": BOOK, "topic": "third_card", "difficulty": 2, "count": 1}
    due = timezone.now() + timedelta(days=2)
    Assignment.objects.create(training_class=training_class, title="Terceira carta", due_at=due, fresh=[kind])
    assert "Terceira carta" in shown(trainee, "home")
    drill = make_drill(who(trainee), mode=Drill.Mode.ASSIGNED, assignment_id=Assignment.objects.get().pk)
    answer(drill)
    assert "Terceira carta" not in shown(trainee, "home")
