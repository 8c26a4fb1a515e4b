"""Grading a sitting: all of it or nothing, once, whoever asks however often."""

import re
import threading
from datetime import timedelta
from unittest.mock import ANY, patch

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace

import rules_engine
from exams.audit.models import Entry
from exams.records.models import FormItem, Response
from exams.results import grading, hooks, letters
from exams.results.marking import mark_item
from exams.results.models import Mark, Result
from exams.sittings import hooks as sittings_hooks
from rules_engine.games.baccarat.cards import BACCARA
from tests.exams.making import (
    SPOKEN,
    answer,
    close,
    enter,
    make_rules,
    make_session,
    make_version,
    right_answer,
    start,
)
from tests.spoken import asked_words
from training.mail.courier import deliver

pytestmark = pytest.mark.django_db


def closed_sitting(*, right: int = 5, session=None, **rules):
    session = session or make_session(make_version(make_rules(**rules)))
    sitting = start(enter(session))
    answer(sitting, right=right)
    return close(sitting)


def test_every_item_has_a_mark_with_engine_and_edition():
    sitting = closed_sitting(right=3)
    result = grading.grade_sitting(sitting.pk)
    marks = list(Mark.objects.order_by("form_item__position"))
    assert [mark.points == mark.of for mark in marks] == [True, True, True, False, False]
    book = rules_engine.rulebook("pt-chemin-de-fer")
    assert {(mark.engine, mark.edition, mark.number, mark.in_force) for mark in marks} == {
        (book.game.version, book.edition, 1, True)
    }
    assert marks[0].engine_mark.perfect
    assert marks[0].ruling.rulebook == book.id
    assert result.score == 50  # three items of two points out of twelve points
    assert not result.passed


def test_an_item_never_touched_has_a_mark_too():
    sitting = closed_sitting(right=5)
    Response.objects.filter(form_item__position=2).delete()
    grading.grade_sitting(sitting.pk)
    assert Mark.objects.get(form_item__position=2).points == 0
    assert Mark.objects.count() == 5


def test_grading_again_changes_nothing(monkeypatch):
    sitting = closed_sitting()
    heard: list[object] = []
    monkeypatch.setattr(hooks.result_decided, "subscribers", [heard.append])
    first = grading.grade_sitting(sitting.pk)
    assert grading.grade_sitting(sitting.pk) == first
    assert Mark.objects.count() == 5
    assert Result.objects.count() == 1
    assert heard == [first.pk]
    assert Entry.objects.filter(act="sitting.graded").count() == 1


def test_an_open_sitting_is_not_graded():
    sitting = start(enter(make_session()))
    assert grading.grade_sitting(sitting.pk) is None
    assert not Mark.objects.exists()


@pytest.mark.parametrize(
    ("decision", "release", "is_decided", "is_released"),
    [
        ("by_rule", "when_graded", True, True),
        ("by_rule", "by_examiner", True, False),
        ("by_examiner", "when_graded", False, False),
        ("by_examiner", "by_examiner", False, False),
    ],
)
def test_decided_and_released_as_the_programme_says(decision, release, is_decided, is_released):
    result = grading.grade_sitting(closed_sitting(decision=decision, release=release).pk)
    assert (result.decided_at is not None, result.released_at is not None) == (is_decided, is_released)
    assert result.decided_by is None
    assert result.letter_owed is is_released


def test_closing_wakes_the_grader_once_committed(django_capture_on_commit_callbacks):
    sitting = closed_sitting()
    with patch("exams.results.tasks.grade.apply_async") as sent:
        with django_capture_on_commit_callbacks(execute=True):
            sittings_hooks.sitting_closed(sitting.pk)
            sent.assert_not_called()
        sent.assert_called_once_with((str(sitting.pk),), {}, producer=ANY)


@pytest.mark.parametrize(("seconds", "graded"), [(9, 0), (11, 1)])
def test_the_sweep_grades_what_was_forgotten(seconds, graded):
    now = timezone.now()
    sitting = start(enter(make_session()), at=now - timedelta(minutes=5))
    close(sitting, at=now - timedelta(seconds=seconds))
    with patch("exams.clock.now", return_value=now):
        assert grading.grade_overdue() == graded
    assert Result.objects.count() == graded


def test_what_cannot_be_graded_is_set_aside_and_grades_nothing_by_halves():
    sitting = closed_sitting()
    last = FormItem.objects.get(position=5)
    Response.objects.filter(form_item=last).update(answer={"parts": {"no_such_question": "x"}})
    late = sitting.closed_at + timedelta(minutes=1)
    with patch("exams.clock.now", return_value=late):
        for failures in range(1, grading.MAX_FAILURES + 1):
            assert grading.grade_overdue() == 1
            sitting.refresh_from_db()
            assert sitting.grading_failures == failures
        assert grading.grade_overdue() == 0
    assert not Mark.objects.exists()
    assert sitting.graded_at is None


def test_an_answer_that_an_appeal_accepted_is_right():
    item = make_session().items.filter(topic="third_card")[0]
    right = right_answer(item.scenario)
    question = next(q for q in item.scenario.questions if q.kind == "choice" and len(q.options) > 1)
    other = next(option for option in question.options if option != right[question.key])
    given = {"parts": right | {question.key: other}}
    before = mark_item(item, given)
    item.corrections = {question.key: [other]}
    after = mark_item(item, given)
    assert before.points < before.of
    assert (after.points, after.critical_missed) == (after.of, False)
    assert mark_item(item, {"parts": right}).points == after.of  # what was right stays right
    assert mark_item(item, {}).points == 0  # and silence is still no answer


def test_accepted_words_are_heard_as_at_the_table():
    item = make_session().items.filter(topic=SPOKEN)[0]
    key = asked_words(item.scenario)
    item.corrections = {key: ["Não há mais nada"]}
    said, unheard = (mark_item(item, {"parts": {key: words}}) for words in ("nao ha MAIS nada!", "nada mais"))
    assert next(part["points"] for part in said.mark_document["parts"] if part["key"] == key) > 0
    assert next(part["points"] for part in unheard.mark_document["parts"] if part["key"] == key) == 0


def test_a_voided_item_counts_for_nobody():
    session = make_session()
    session.items.filter(line=1).update(voided_at=timezone.now())
    result = grading.grade_sitting(closed_sitting(right=3, session=session).pk)
    assert (result.score, result.passed) == (100, True)
    assert Mark.objects.filter(voided=True).count() == 2


def test_the_letter_goes_once_in_the_candidates_language():
    sitting = closed_sitting(right=5)
    result = grading.grade_sitting(sitting.pk)
    assert letters.send_owed(result.pk)
    assert not letters.send_owed(result.pk)
    deliver()
    [letter] = mail.outbox
    assert letter.to == [sitting.candidate.person.email]
    assert "100" in letter.body
    assert "Exame de novembro" in letter.body


def test_a_letter_that_no_message_led_to_is_written_by_the_sweep():
    result = grading.grade_sitting(closed_sitting().pk)
    assert letters.send_overdue() == 0
    later = result.released_at + timedelta(minutes=1)  # type: ignore[operator]
    with patch("exams.clock.now", return_value=later):
        assert letters.send_overdue() == 1
        assert letters.send_overdue() == 0
    assert deliver() == 1


def test_grading_takes_as_many_queries_for_many_items_as_for_few() -> None:
    rules = make_rules()
    line = replace(rules.sections[0].lines[0], items=12)
    many = make_rules(sections=(replace(rules.sections[0], lines=(line,)), rules.sections[1]))
    grading.grade_sitting(closed_sitting().pk)  # the first one also begins the audit log
    counts = []
    for session in (make_session(), make_session(make_version(many))):
        sitting = closed_sitting(session=session)
        with CaptureQueriesContext(connection) as queries:
            grading.grade_sitting(sitting.pk)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_edition_names_the_wording_of_a_rulebook() -> None:
    package = "rules_engine.games.chemin_de_fer"
    editions = [book.edition for book in rules_engine.RULEBOOKS.values()]
    assert all(re.fullmatch(r"[0-9a-f]{12}", edition) for edition in editions)
    assert len(set(editions)) == len(editions)
    book = rules_engine.Rulebook("pt-chemin-de-fer", package=package, language="pt", currency="EUR", scores=(BACCARA,))
    assert book.edition == rules_engine.rulebook("pt-chemin-de-fer").edition
    other = rules_engine.Rulebook("pt-chemin-de-fer", package=package, language="pt", currency="EUR", scores=(BACCARA,))
    name = next(iter(other.law.numbers))
    other.law.numbers[name] = other.law.numbers[name] | {"value": "another"}
    assert other.edition != book.edition


@pytest.mark.django_db(transaction=True)
def test_graded_at_the_same_time_there_is_one_mark_for_each_item() -> None:
    sitting = closed_sitting()
    ready = threading.Barrier(4)

    def grade() -> None:
        ready.wait()
        grading.grade_sitting(sitting.pk)
        connection.close()

    threads = [threading.Thread(target=grade) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Mark.objects.count() == 5
    assert Result.objects.count() == 1
