"""Graded again in the shadow: nothing is written until it is published, and publishing twice changes nothing."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules_engine
from exams.audit.models import Entry
from exams.records.models import ExamItem, Sitting
from exams.results import grading, hooks, letters
from exams.results.decision import OtherBlueprint
from exams.results.models import Mark, Result
from exams.results.shadow_grading import publish, shadow
from tests.exams.making import answer, close, enter, make_rules, make_session, make_version, start
from tests.factories import PersonFactory
from training.mail.courier import deliver

pytestmark = pytest.mark.django_db


def graded_sitting(*, right: int = 4, **rules: Any) -> Sitting:
    """Four items right of five: 9 of 12 points, 75 %, and no critical fault counts."""
    session = make_session(make_version(make_rules(**({"critical_allowed": None} | rules))))
    sitting = start(enter(session))
    answer(sitting, right=right)
    close(sitting)
    grading.grade_sitting(sitting.pk)
    sitting.refresh_from_db()
    return sitting


def void(sitting: Sitting, position: int) -> ExamItem:
    item = ExamItem.objects.get(placements__form__candidate=sitting.candidate, placements__position=position)
    ExamItem.objects.filter(pk=item.pk).update(voided_at=timezone.now())
    return item


def test_nothing_changed_is_no_change_and_writes_nothing() -> None:
    sitting = graded_sitting()
    with CaptureQueriesContext(connection) as queries:
        found = shadow(sitting)
    assert not found.changed
    assert found.marks == ()
    assert not [query for query in queries if not query["sql"].startswith("SELECT")]
    assert publish(found, cause=Mark.Cause.REGRADED, actor=None, reason="x") is None
    assert (Result.objects.count(), Mark.objects.count()) == (1, 5)


def test_a_new_engine_alone_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = graded_sitting()
    monkeypatch.setattr(rules_engine.game("chemin_de_fer"), "version", "99.0")
    assert not shadow(sitting).changed


def test_a_voided_item_is_published_with_new_marks_and_a_new_result(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = graded_sitting()
    letters.send_owed(Result.objects.get().pk)
    item = void(sitting, 5)
    found = shadow(sitting)
    assert [change.before.form_item.item for change in found.marks] == [item]
    actor = PersonFactory()
    heard: list[Any] = []
    monkeypatch.setattr(hooks.result_decided, "subscribers", [heard.append])
    result = publish(found, cause=Mark.Cause.VOIDED, actor=actor, reason="appeal 7")
    assert result is not None
    assert (result.number, result.in_force, result.score, result.passed) == (2, True, 100, True)
    assert heard == [result.pk]
    marks = Mark.objects.filter(form_item__item=item).order_by("number")
    assert [(mark.number, mark.in_force, mark.voided, mark.cause) for mark in marks] == [
        (1, False, False, "graded"),
        (2, True, True, "voided"),
    ]
    assert Mark.objects.count() == 6
    entry = Entry.objects.get(act="result.regraded")
    assert (entry.actor, entry.details["reason"], entry.details["passed"]) == (actor, "appeal 7", [True, True])


def test_publishing_twice_changes_nothing() -> None:
    sitting = graded_sitting()
    void(sitting, 5)
    found = shadow(sitting)
    assert publish(found, cause=Mark.Cause.VOIDED, actor=None, reason="x")
    assert publish(found, cause=Mark.Cause.VOIDED, actor=None, reason="x") is None
    assert not shadow(sitting).changed
    assert (Result.objects.count(), Mark.objects.count()) == (2, 6)


def test_a_shadow_that_was_overtaken_keeps_what_overtook_it() -> None:
    sitting = graded_sitting(right=3)
    void(sitting, 5)
    early = shadow(sitting)
    void(sitting, 4)
    publish(shadow(sitting), cause=Mark.Cause.VOIDED, actor=None, reason="both")
    assert publish(early, cause=Mark.Cause.VOIDED, actor=None, reason="one") is None
    assert Result.objects.get(in_force=True).score == 100


def test_the_candidate_is_written_to_only_when_it_came_out_differently() -> None:
    sitting = graded_sitting(right=5)
    letters.send_owed(Result.objects.get().pk)
    void(sitting, 5)  # 100 % before and after
    result = publish(shadow(sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    assert result is not None
    assert (result.released_at is not None, result.letter_owed) == (True, False)
    ExamItem.objects.update(voided_at=timezone.now())
    result = publish(shadow(sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    assert result is not None
    assert (result.passed, result.letter_owed) == (False, True)
    letters.send_owed(result.pk)
    assert deliver() == 2


def test_other_rules_give_another_decision_under_their_own_version() -> None:
    sitting = graded_sitting()
    stricter = make_version(make_rules(critical_allowed=None, pass_mark=80))
    found = shadow(sitting, rules=stricter.rules)
    assert (found.changed, found.marks, found.outcome.passed) == (True, (), False)
    result = publish(found, cause=Mark.Cause.REGRADED, actor=None, reason="x", version=stricter)
    assert result is not None
    assert (result.programme_version, result.passed) == (stricter, False)
    assert not shadow(sitting).changed  # from now on judged by those


def test_rules_of_another_blueprint_are_refused() -> None:
    sitting = graded_sitting()
    with pytest.raises(OtherBlueprint, match="line 1 of section claims"):
        shadow(sitting, rules=make_rules(sections=make_rules().sections[:1]))


def test_left_to_the_examiner_again_where_the_programme_says_so() -> None:
    sitting = graded_sitting(decision="by_examiner")
    now = timezone.now()
    Result.objects.update(decided_at=now, released_at=now)
    void(sitting, 5)
    result = publish(shadow(sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    assert result is not None
    assert (result.decided_at, result.released_at) == (None, None)


@pytest.mark.parametrize("released", [True, False])
def test_released_at_once_only_if_the_former_was(released: bool) -> None:
    sitting = graded_sitting(release="by_examiner")
    if released:
        Result.objects.update(released_at=timezone.now())
    void(sitting, 5)
    result = publish(shadow(sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    assert result is not None
    assert (result.released_at is not None) is released


@pytest.mark.parametrize(("told", "faults"), [(False, 0), (True, 4)])
def test_a_blank_answer_is_a_critical_fault_only_if_the_candidate_was_told_before_the_exam(
    told: bool, faults: int
) -> None:
    """Newer rules that count blank answers do not reach back to exams sat under those that did not."""
    session = make_session(make_version(make_rules(blank_critical=told, critical_allowed=0)))
    sitting = close(start(enter(session)))
    grading.grade_sitting(sitting.pk)
    newer = make_version(make_rules(blank_critical=True, critical_allowed=0))
    outcome = shadow(sitting, rules=newer.rules).outcome
    assert bool(outcome.critical_faults) is bool(faults)
    assert shadow(sitting).outcome.critical_faults == outcome.critical_faults
