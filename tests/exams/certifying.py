"""Decided results and certificates for tests, made without sitting an exam."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from exams.certificates import issuance
from exams.certificates.models import Certificate
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, Event, Session, Sitting
from exams.results.decision import Outcome, Score
from exams.results.models import Result
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import User
from training.platform.engine_json import document


def make_result(
    version: ProgrammeVersion, person: User | None = None, *, identified: bool = True, **changes: Any
) -> Result:
    """A result of a new sitting, passed, decided and released now; `decided_at` moves all of it in time."""
    at: datetime = changes.get("decided_at") or timezone.now()
    session = Session.objects.create(
        programme_version=version,
        title="Exame",
        opens_at=at - timedelta(hours=3),
        entry_closes_at=at,
        access_code="SABOT-7",
        state=Session.State.READY,
        created_by=version.author,
    )
    person = person or PersonFactory()
    candidate = Candidate.objects.create(session=session, person=person, name=person.name)
    sitting = Sitting.objects.create(
        candidate=candidate,
        name=candidate.name,
        started_at=at - timedelta(hours=2),
        deadline_at=at - timedelta(hours=1),
        closed_at=at - timedelta(hours=1),
        closed_by=Sitting.ClosedBy.CANDIDATE,
        graded_at=at,
    )
    if identified:
        Event.objects.create(sitting=sitting, kind=Event.Kind.IDENTITY, at=at, by=version.author, text=sitting.name)
    return add_result(sitting, **({"decided_at": at, "released_at": at} | changes))


def outcome(percent: int) -> Outcome:
    return Outcome(
        score=Score(percent, 1, 100),
        pass_mark=70,
        sections=(),
        critical_faults=0,
        critical_allowed=0,
        passed=percent >= 70,
        reasons=(),
    )


def add_result(sitting: Sitting, **changes: Any) -> Result:
    """A result in force of a sitting, in the place of the one before."""
    Result.objects.filter(sitting=sitting).update(in_force=False)
    made = {
        "sitting": sitting,
        "number": Result.objects.filter(sitting=sitting).count() + 1,
        "programme_version": sitting.candidate.session.programme_version,
        "score": "88.0000",
        "passed": True,
        "outcome": document(outcome(88)),
        "computed_at": changes.get("decided_at") or timezone.now(),
    } | changes
    return Result.objects.create(**made)


def make_certificate(
    version: ProgrammeVersion | None = None, person: User | None = None, **changes: Any
) -> Certificate:
    """A certificate issued by the programme's rule."""
    result = make_result(version or making.make_version(), person, **changes)
    certificate = issuance.follow(result.pk)
    assert certificate is not None
    return certificate
