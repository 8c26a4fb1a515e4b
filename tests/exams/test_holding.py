"""No score is told to anybody while others answer the same cases, or may still be put before them; then all follows."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from exams.audit.models import Entry
from exams.certificates import issuance
from exams.certificates.models import Certificate
from exams.invigilation.acts import check_identity
from exams.records.models import Candidate, ExamItem, Session
from exams.results import grading, held_scores, letters, release, services
from exams.results.models import Result
from exams.results.tasks import sweep
from tests.exams import making
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]


def sat(session: Session, person: User | None = None, right: int = 5) -> Result:
    candidate = making.enter(session, person)
    sitting = making.start(candidate)
    check_identity(sitting, name=sitting.name, by=session.created_by, now=timezone.now())
    making.answer(sitting, right=right)
    result = grading.grade_sitting(making.close(sitting).pk)
    assert result is not None
    return result


def over(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(entry_closes_at=timezone.now())


def english(client: Client) -> User:
    person: User = client.person  # type: ignore[attr-defined]
    User.objects.filter(pk=person.pk).update(language="en")
    return person


def other_at_work(session: Session) -> Candidate:
    """Somebody has begun, so that the session is in use even when entry has closed."""
    return making.start(making.enter(session)).candidate


@pytest.mark.parametrize("wait", [making.enter, other_at_work], ids=["to come", "at work"])
def test_nobody_is_told_a_score_while_another_has_the_same_cases(signed_in: SignIn, wait: Callable[..., Any]) -> None:
    session = making.make_session()
    wait(session)
    trainee, examiner = signed_in(Role.TRAINEE), signed_in(Role.INSTRUCTOR, Role.ADMINISTRATOR)
    result = sat(session, english(trainee))
    english(examiner)
    assert result.decided_at and result.released_at is None
    assert release.release_due() == 0
    shown = trainee.get(reverse("own_exams")).content.decode()
    assert "See the result" not in shown and "Others may begin with the same questions until" in shown
    assert trainee.get(reverse("own_result", args=[result.sitting_id])).status_code == 404
    assert trainee.get(reverse("own_sheet", args=[result.sitting_id])).status_code == 404
    assert trainee.get(reverse("api_results")).json()["results"] == []
    assert not Mail.objects.filter(person=english(trainee), subject__contains="result").exists()
    assert issuance.follow(result.pk) is None and not Certificate.objects.exists()
    # Nor is anybody who could tell them.
    listed = examiner.get(reverse("session_results", args=[session.pk])).content.decode()
    assert "100%" not in listed and "withheld" in listed and ">Passed<" not in listed
    decided = examiner.get(reverse("decide_result", args=[result.pk])).content.decode()
    assert "100%" not in decided and "no score is shown yet" in decided
    figures = examiner.get(reverse("session_statistics", args=[session.pk]))
    assert figures.context["report"].scores == []
    log = examiner.get(reverse("audit")).content.decode()
    assert "100" not in "".join(line for line in log.splitlines() if "Score" in line)


def test_then_everything_follows_by_itself_and_once(signed_in: SignIn) -> None:
    session = making.make_session()
    late = making.enter(session)
    trainee = signed_in(Role.TRAINEE)
    result = sat(session, english(trainee))
    grading.grade_sitting(making.close(making.start(late)).pk)
    sweep()
    result.refresh_from_db()
    assert result.released_at is not None
    assert Entry.objects.filter(act="result.released", subject=f"result:{result.pk}").count() == 1
    assert trainee.get(reverse("own_result", args=[result.sitting_id])).status_code == 200
    letters.send_owed(result.pk)
    issuance.sweep()
    assert Certificate.objects.get().result == result
    assert Mail.objects.filter(person=english(trainee), subject__startswith="Your exam result").count() == 1
    released_at = result.released_at
    sweep()
    result.refresh_from_db()
    assert result.released_at == released_at


def test_whoever_finishes_last_waits_for_nobody() -> None:
    session = making.make_session()
    first = sat(session)
    assert first.released_at is not None, "nobody else was entered"
    late = making.enter(session)
    second = grading.grade_sitting(making.close(making.start(late)).pk)
    assert second is not None and second.released_at is not None


def test_a_candidate_who_never_comes_holds_it_until_entry_closes() -> None:
    session = making.make_session()
    making.enter(session)
    result = sat(session)
    assert result.released_at is None
    over(session)
    assert release.release_due() == 1


def test_another_session_with_a_near_case_holds_it_too(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    session, other = making.make_session(), making.make_session(first_seed=3000)
    making.enter(other)
    result = sat(session)
    assert result.released_at is not None, "they share nothing"
    shared = making.make_session(first_seed=3000)
    twin = ExamItem.objects.filter(session=session, placements__isnull=False).first()
    assert twin is not None
    making.put_in_use(twin.scenario, other)
    held = sat(session)
    assert held.released_at is None
    assert held_scores.held_back([held.sitting_id, result.sitting_id]) == {held.sitting_id, result.sitting_id}
    assert held_scores.secret_sittings([held, result]) == {held.sitting_id}, "what was told stays told"
    over(other)
    over(shared)
    assert release.release_due() == 1


def test_the_queries_are_the_same_for_many(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    session = making.make_session()
    making.enter(session)
    sittings = [sat(session).sitting_id for _number in range(4)]
    held_scores.held_back(sittings)
    for some in (sittings[:1], sittings):
        with django_assert_num_queries(3):
            assert held_scores.held_back(some) == set(some)
    over(session)
    with django_assert_num_queries(1):
        assert held_scores.held_back(sittings) == set()


def test_an_examiner_releases_and_decides_nothing_of_it_yet() -> None:
    rules = making.make_rules(release="by_examiner")
    session = making.make_session(making.make_version(rules))
    making.enter(session)
    result, examiner = sat(session), PersonFactory(roles=[Role.INSTRUCTOR])
    with pytest.raises(Refused, match="mesmas questões"):
        services.release_result(result.pk, examiner)
    assert services.release_all(session, examiner) == 0
    over(session)
    assert release.release_due() == 0, "in this programme a person releases"
    assert services.release_all(session, examiner) == 1


def test_what_is_held_back_never_stands_before_what_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "SWEEP_LIMIT", 1)
    open_one, ended = making.make_session(), making.make_session(first_seed=3000)
    for session in (open_one, ended):
        making.enter(session)
    held, due = sat(open_one), sat(ended)
    assert held.released_at is None and due.released_at is None
    Session.objects.filter(pk=ended.pk).update(entry_closes_at=timezone.now() - timedelta(minutes=1))
    assert release.release_due() == 1
    due.refresh_from_db()
    assert due.released_at is not None
