"""Deciding and releasing: by whom, about whom, and what the candidate comes to know."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone, translation

from exams.audit.models import Entry
from exams.programmes.models import Examiner
from exams.records.models import ExamItem, Response, Session
from exams.results import grading, letters, services
from exams.results.models import Mark, Result
from exams.results.shadow_grading import publish, shadow
from tests.classes import rooms
from tests.exams.making import answer, close, enter, make_rules, make_session, make_version, start
from tests.factories import PersonFactory
from training.mail.courier import deliver
from training.mail.models import Mail
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def graded(*, right: int = 5, person: User | None = None, session: Session | None = None, **rules: Any) -> Result:
    session = session or make_session(
        make_version(make_rules(**({"decision": "by_examiner", "release": "by_examiner"} | rules)))
    )
    sitting = start(enter(session, person))
    answer(sitting, right=right)
    result = grading.grade_sitting(close(sitting).pk)
    assert result is not None
    return result


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def examiner() -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR])


def test_the_examiner_confirms_what_the_rule_says(examiner: User) -> None:
    result = services.decide_result(graded().pk, examiner, passed=True, reason="")
    assert (result.number, result.passed, result.decided_by, result.released_at) == (1, True, examiner, None)
    entry = Entry.objects.get(act="result.decided")
    assert (entry.actor, entry.details["by_rule"]) == (examiner, True)


def test_deciding_otherwise_needs_a_reason_and_keeps_what_the_rule_said(examiner: User) -> None:
    first = graded()
    with pytest.raises(Refused, match="why"):
        services.decide_result(first.pk, examiner, passed=False, reason="  ")
    result = services.decide_result(first.pk, examiner, passed=False, reason="Um telefone na sala.")
    first.refresh_from_db()
    assert (first.passed, first.in_force, first.decided_at) == (True, False, None)
    assert (result.number, result.passed, result.in_force, result.score) == (2, False, True, first.score)
    assert not result.graded_again
    assert not shadow(result.sitting).changed  # a regrade does not take an examiner's decision for an error


def test_who_is_told_of_a_decision_otherwise_for_the_first_time_is_not_told_of_a_regrade(examiner: User) -> None:
    first = graded(release="when_graded")
    result = services.decide_result(first.pk, examiner, passed=False, reason="Um telefone na sala.")
    assert letters.send_owed(result.pk)
    assert "foi corrigido." in Mail.objects.get(subject__contains="resultado").body


def test_released_with_the_decision_where_the_programme_holds_nothing_back(examiner: User) -> None:
    result = services.decide_result(graded(release="when_graded").pk, examiner, passed=True, reason="")
    assert result.released_at is not None
    assert letters.send_owed(result.pk)


def test_nobody_decides_twice(examiner: User) -> None:
    result = graded()
    services.decide_result(result.pk, examiner, passed=True, reason="")
    with pytest.raises(Refused, match="already"):
        services.decide_result(result.pk, PersonFactory(roles=[Role.ADMINISTRATOR]), passed=True, reason="")


def test_nobody_decides_where_the_rule_does(examiner: User) -> None:
    with pytest.raises(Refused, match="rule"):
        services.decide_result(graded(decision="by_rule").pk, examiner, passed=True, reason="")


def test_nobody_decides_about_themselves() -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    with pytest.raises(Refused, match="themselves"):
        services.decide_result(graded(person=both).pk, both, passed=True, reason="")


@pytest.mark.parametrize("allowed", [True, False])
def test_about_whom_one_taught_only_where_the_programme_allows(examiner: User, allowed: bool) -> None:
    trainee = PersonFactory(roles=[Role.TRAINEE], name="Rita Sousa")
    rooms.make_class(examiner, trainee)
    result = graded(person=trainee, taught_may_examine=allowed)
    if allowed:
        assert services.decide_result(result.pk, examiner, passed=True, reason="").decided_by == examiner
    else:
        with pytest.raises(Refused, match=r"Rita Sousa: .*taught"):
            services.decide_result(result.pk, examiner, passed=True, reason="")


@pytest.mark.parametrize(("appointed", "may"), [(True, True), (False, False)])
def test_only_the_appointed_where_the_programme_says_so(examiner: User, appointed: bool, may: bool) -> None:
    result = graded(examiners="appointed")
    if appointed:
        Examiner.objects.create(programme=result.programme_version.programme, person=examiner)
    if may:
        assert services.decide_result(result.pk, examiner, passed=True, reason="").decided_at
    else:
        with pytest.raises(Refused, match="appointed"):
            services.decide_result(result.pk, examiner, passed=True, reason="")


def test_release_of_one_writes_to_the_candidate_once(examiner: User, django_capture_on_commit_callbacks: Any) -> None:
    result = graded(decision="by_rule")
    assert services.release_result(result.pk, examiner)
    assert not services.release_result(result.pk, examiner)
    assert letters.send_owed(result.pk)
    assert deliver() == 1
    assert Entry.objects.filter(act="result.released", actor=examiner).count() == 1


def test_what_is_not_decided_is_not_released(examiner: User) -> None:
    with pytest.raises(Refused, match="not been decided"):
        services.release_result(graded().pk, examiner)


def test_nobody_releases_their_own() -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    own = graded(decision="by_rule", person=both)
    other = graded(session=own.sitting.candidate.session)
    with pytest.raises(Refused, match="own"):
        services.release_result(own.pk, both)
    assert services.release_all(own.sitting.candidate.session, both) == 1
    assert list(Result.objects.exclude(released_at=None)) == [other]


def test_release_all_leaves_what_is_not_decided(examiner: User) -> None:
    first = graded()
    services.decide_result(first.pk, examiner, passed=True, reason="")
    session = first.sitting.candidate.session
    graded(session=session)
    assert services.release_all(session, examiner) == 1
    assert services.release_all(session, examiner) == 0


def test_decided_again_after_a_regrade_and_seen_at_once_by_who_saw_the_first(examiner: User) -> None:
    first = services.decide_result(graded(right=4, blank_critical=True).pk, examiner, passed=False, reason="")
    services.release_result(first.pk, examiner)
    letters.send_owed(first.pk)
    ExamItem.objects.filter(placements__position=5).update(voided_at=timezone.now())
    again = publish(shadow(first.sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    assert again is not None
    assert again.decided_at is None
    again = services.decide_result(again.pk, PersonFactory(roles=[Role.INSTRUCTOR]), passed=True, reason="")
    assert again.graded_again
    assert again.released_at is not None
    assert letters.send_owed(again.pk)


def test_what_was_set_aside_is_tried_again(examiner: User, django_capture_on_commit_callbacks: Any) -> None:
    session = make_session()
    sitting = start(enter(session))
    answer(sitting, right=5)
    Response.objects.filter(form_item__position=1).update(answer={"parts": {"no_such_question": "x"}})
    close(sitting)
    for _try in range(grading.MAX_FAILURES):
        grading.grade_sitting(sitting.pk)
    assert not Result.objects.exists()
    Response.objects.filter(form_item__position=1).update(answer={"parts": {}})
    with django_capture_on_commit_callbacks() as callbacks:
        assert services.grade_set_aside(session, examiner) == 1
    assert len(callbacks) == 1
    sitting.refresh_from_db()
    assert sitting.grading_failures == 0
    with pytest.raises(Refused, match=r"Only instructors and administrators can examine\."):
        services.grade_set_aside(session, PersonFactory(roles=[Role.TRAINEE]))
