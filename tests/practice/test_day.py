"""The plan of a day: fixed when it begins, with an end; and what is told of the day."""

from collections.abc import Callable
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone
from fsrs import Rating

import rules_engine
from tests.practice.drills import make_drill, right_answer, wrong_answer
from training.mastery.memory import Rule
from training.mastery.services import learn, set_study_plan
from training.people.models import Role, User
from training.practice import day, next_drill, services, summary
from training.practice.day import Answered, walk
from training.practice.models import Attempt, DayPlan, Drill
from training.practice.study import study_of

pytestmark = pytest.mark.django_db
A, B, C = (Rule("pt-chemin-de-fer", cite) for cite in ("1", "2", "3"))


def answered(*rules: tuple[Rule, bool]) -> list[Answered]:
    return [Answered(uuid4(), rule, missed) for rule, missed in rules]


# ---- without the database


def test_a_missed_rule_comes_back_once_at_the_end() -> None:
    far = walk([A, B, C], answered((A, True)))
    assert (far.total, far.done, far.back, far.left) == (4, 1, 1, (B, C, A))
    far = walk([A, B, C], answered((A, True), (B, False), (C, False), (A, True)))
    assert (far.total, far.done, far.complete) == (4, 4, True)


def test_what_is_beyond_the_plan_moves_nothing_in_it() -> None:
    far = walk([A], answered((B, True), (A, False), (A, True)))
    assert (far.total, far.done, far.extra, far.complete) == (1, 1, 2, True)


def test_days_off_do_not_end_the_days_of_practice() -> None:
    today = date(2026, 11, 17)
    ago = lambda *days: [today - timedelta(days=number) for number in days]  # noqa: E731
    assert summary.streak(ago(0, 1, 2), today) == 3
    assert summary.streak(ago(1, 3, 6), today) == 3  # today is still to come, and pauses are short
    assert summary.streak(ago(0, 1, 5, 6), today) == 2
    assert summary.streak(ago(9), today) == summary.streak([], today) == 0


# ---- with it


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def start(client: Client) -> Drill | None:
    """What pressing “next” gives: a drill, or the card before it, or None at the end of the day."""
    address = client.post(reverse("start_drill"), {"mode": "scheduled"})["Location"]
    return None if address == reverse("day") else Drill.objects.get(pk=resolve(address).kwargs["drill_id"])


def answer(drill: Drill, *, right: bool = True) -> None:
    parts = (right_answer if right else wrong_answer)(drill.scenario)
    services.grade(services.submit_answer(drill, rules_engine.answer_from({"parts": parts})).pk)


def text(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_the_plan_stands_whatever_is_answered_and_has_an_end(trainee: Client) -> None:
    set_study_plan(who(trainee), daily_minutes=5, rulebooks=[])
    shown = []
    for _number in range(5):
        drill = start(trainee)
        assert drill is not None
        shown.append(drill.aim)
        page = text(trainee, reverse("drill", args=[drill.pk]))
        assert f"{len(shown)} de 5 hoje" in page
        answer(drill)
        Attempt.objects.update(seconds=300)  # however slow somebody is
        assert f"{len(shown)} de 5 hoje" in text(trainee, reverse("drill", args=[drill.pk]))
        if len(shown) == 2:
            assert "2 de 5 cenários" in text(trainee, reverse("home"))
    assert len(set(shown)) == 5
    assert start(trainee) is None
    page = text(trainee, reverse("day"))
    assert "Por hoje está feito." in page
    assert "O que correu bem" in page
    assert "regras vistas pela primeira vez" in page
    beyond = start(trainee)
    assert beyond is not None
    assert "O dia está feito" in text(trainee, reverse("drill", args=[beyond.pk]))
    answer(beyond)
    assert "E 1 além do plano." in text(trainee, reverse("day"))
    assert start(trainee) is not None, "the end is said once"


def test_a_planned_rule_that_another_case_exercised_gives_way_to_the_next(trainee: Client) -> None:
    set_study_plan(who(trainee), daily_minutes=5, rulebooks=[])
    first = start(trainee)
    assert first is not None
    answer(first)
    plan = DayPlan.objects.get()
    planned = day.rules_of(plan)
    covered = next(rule for rule in day.progress(plan).left)
    learn(who(trainee), covered.rulebook, {covered.cite: Rating.Good}, at=timezone.now())
    second = start(trainee)
    assert second is not None and second.aim != covered.cite
    plan.refresh_from_db()
    after = day.rules_of(plan)
    assert covered not in after and len(after) == len(set(after)) == len(planned) == 5
    assert Rule(first.rulebook, first.aim) in after


def test_a_missed_rule_that_comes_back_does_not_give_way(trainee: Client) -> None:
    set_study_plan(who(trainee), daily_minutes=5, rulebooks=[])
    first = start(trainee)
    assert first is not None
    answer(first, right=False)
    start(trainee)
    assert Rule(first.rulebook, first.aim) in day.progress(DayPlan.objects.get()).left


def test_a_drill_between_that_is_not_of_the_plan_says_so(trainee: Client) -> None:
    set_study_plan(who(trainee), daily_minutes=5, rulebooks=[])
    first = start(trainee)
    assert first is not None
    answer(first)
    between = make_drill(who(trainee))
    Drill.objects.filter(pk=between.pk).update(mode=Drill.Mode.SCHEDULED, aim="of no plan")
    assert "Além do plano; feitos hoje 1 de 5" in text(trainee, reverse("drill", args=[between.pk]))


def test_a_missed_rule_lengthens_the_day_and_says_so(trainee: Client) -> None:
    set_study_plan(who(trainee), daily_minutes=5, rulebooks=[])
    first = start(trainee)
    assert first is not None
    answer(first, right=False)
    following = start(trainee)
    assert following is not None and following.aim != first.aim
    page = text(trainee, reverse("drill", args=[following.pk]))
    assert "2 de 6 hoje" in page
    assert "1 regra falhada volta" in page
    assert "Mais 1 do que o previsto" in text(trainee, reverse("home"))
    assert "Treinar o que falhou" in text(trainee, reverse("day"))


def test_another_study_plan_makes_the_rest_anew_and_says_why(trainee: Client) -> None:
    set_study_plan(who(trainee), daily_minutes=5, rulebooks=[])
    first = start(trainee)
    assert first is not None
    answer(first)
    set_study_plan(who(trainee), daily_minutes=20, rulebooks=["es-chemin-de-fer"])
    assert "porque o plano de estudo mudou" in text(trainee, reverse("home"))
    plan = DayPlan.objects.get()
    assert plan.rules[0] == [first.rulebook, first.aim]
    assert {book for book, _cite in plan.rules[1:]} == {"es-chemin-de-fer"}
    assert day.progress(plan).done == 1


def test_a_drill_left_open_yesterday_comes_first_today(trainee: Client) -> None:
    left_open = start(trainee)
    assert left_open is not None
    DayPlan.objects.all().delete()
    study = study_of(who(trainee))
    assert next_drill.start_what_matters(who(trainee), study, timezone.now()) == left_open
    assert DayPlan.objects.get().rules[0] == [left_open.rulebook, left_open.aim]


def test_drills_open_side_by_side_or_overnight_do_not_add_up(trainee: Client) -> None:
    now = timezone.now()
    drills = [make_drill(who(trainee)) for _ in range(3)]
    Drill.objects.update(created_at=now - timedelta(seconds=120))
    for drill in drills:
        drill.refresh_from_db()
        answer(drill)
    assert [attempt.seconds for attempt in Attempt.objects.order_by("pk")] == [120, 0, 0]
    Attempt.objects.update(submitted_at=now - timedelta(days=2))
    overnight = make_drill(who(trainee))
    Drill.objects.filter(pk=overnight.pk).update(created_at=now - timedelta(hours=9))
    overnight.refresh_from_db()
    answer(overnight)
    assert overnight.attempt.seconds == services.ORDINARY_ANSWER


def test_a_topic_that_mostly_went_right_is_named_as_gone_well_and_as_worth_another_look(trainee: Client) -> None:
    def listed(title: str) -> str:
        return text(trainee, reverse("day")).split(title)[1].split("</section>")[0]

    answer(make_drill(who(trainee)), right=False)
    assert "Hoje ainda nenhum tema correu bem." in listed("O que correu bem")
    for _number in range(5):
        answer(make_drill(who(trainee)))
    assert "5 de 6 certos" in listed("O que correu bem")
    assert "1 com alguma coisa errada" in listed("O que convém rever")


def test_the_end_of_the_day_names_no_rule_that_comes_back(trainee: Client) -> None:
    drill = make_drill(who(trainee))
    answer(drill, right=False)
    page = text(trainee, reverse("day"))
    assert "O que volta amanhã" in page
    assert "67" not in page.split("O que volta amanhã")[1].split("</section>")[0]
