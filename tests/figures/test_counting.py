"""The running counts: moved by every mark once, and the same when counted again."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import models

import rules_engine
from tests.factories import PersonFactory
from tests.practice.drills import make_drill, right_answer, wrong_answer
from training.figures.models import DayTally, ItemTally, RuleTally, TopicTally, WrongAnswer
from training.practice import services
from training.practice.models import Drill, Mark

pytestmark = pytest.mark.django_db
COUNTS = (TopicTally, DayTally, RuleTally, ItemTally, WrongAnswer)


def answer(drill: Drill, given: dict[str, str]) -> Mark:
    attempt = services.submit_answer(drill, rules_engine.answer_from({"parts": given}))
    mark = services.grade(attempt.pk)
    assert mark is not None
    return mark


def rows(model: type[models.Model]) -> list[dict[str, Any]]:
    found = [{name: value for name, value in row.items() if name != "id"} for row in model._default_manager.values()]
    return sorted(found, key=str)


def test_a_mark_moves_every_count() -> None:
    trainee = PersonFactory()
    right, wrong = make_drill(trainee), make_drill(trainee)
    marks = [answer(right, right_answer(right.scenario)), answer(wrong, wrong_answer(wrong.scenario))]
    topic = TopicTally.objects.get()
    assert (topic.trainee, topic.rulebook, topic.topic) == (trainee, "pt-chemin-de-fer", "third_card")
    assert (topic.answers, topic.perfect) == (2, 1)
    assert (topic.points, topic.of) == (sum(mark.points for mark in marks), sum(mark.of for mark in marks))
    assert DayTally.objects.get().answers == 2
    assert RuleTally.objects.get(cite="67 d").answers == 2
    item = ItemTally.objects.get()
    assert (item.item, item.answers, item.compared) == ("pt-chemin-de-fer/third_card/2", 2, 1)
    assert WrongAnswer.objects.get().times == 1


def test_grading_again_counts_nothing() -> None:
    drill = make_drill()
    mark = answer(drill, right_answer(drill.scenario))
    before = {model: rows(model) for model in COUNTS}
    services.grade(mark.attempt_id)
    assert {model: rows(model) for model in COUNTS} == before


def test_counting_again_from_the_marks_gives_the_same() -> None:
    for trainee in [PersonFactory(), PersonFactory()]:
        for give in (right_answer, wrong_answer, right_answer, wrong_answer):
            drill = make_drill(trainee)
            answer(drill, give(drill.scenario))
    before = {model: rows(model) for model in COUNTS}
    call_command("recount")
    assert {model: rows(model) for model in COUNTS} == before


@pytest.mark.parametrize(("zone", "day"), [("Europe/Lisbon", 15), ("Asia/Macau", 16)])
def test_a_day_is_a_day_on_the_trainees_own_calendar(zone: str, day: int) -> None:
    from datetime import UTC, datetime

    from training.practice.services import counted_of

    drill = make_drill(PersonFactory(time_zone=zone))
    mark = answer(drill, right_answer(drill.scenario))
    mark.attempt.submitted_at = datetime(2026, 11, 15, 23, 30, tzinfo=UTC)
    assert counted_of(mark.attempt, mark).day.day == day
