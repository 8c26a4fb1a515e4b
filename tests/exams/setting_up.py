"""Sessions as an examiner sets them up, and what is on record of it."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from exams.audit.models import Entry
from exams.exam_sessions import candidacy, preparation, setup
from exams.papers import maker
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Session
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import Role, User

DAY = timedelta(days=1)


def examiner(**fields: Any) -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], language="en", **fields)


def facts(version: ProgrammeVersion, **changes: Any) -> dict[str, Any]:
    opens = timezone.now() + 7 * DAY
    return {
        "version": version,
        "title": "Exame de novembro",
        "place": "Sala 2",
        "opens_at": opens,
        "entry_closes_at": opens + timedelta(hours=1),
    } | changes


def make(by: User | None = None, version: ProgrammeVersion | None = None, **changes: Any) -> Session:
    return setup.create_session(by or examiner(), **facts(version or making.make_version(), **changes))


def ready(session: Session, *people: User) -> Session:
    """The session with these candidates and its forms made."""
    for person in people or (PersonFactory(),):
        candidacy.enter(session, person, session.created_by)
    preparation.prepare(session, session.created_by)
    assert maker.make_papers(session.pk), Session.objects.get(pk=session.pk).obstacle
    session.refresh_from_db()
    return session


def acts() -> list[str]:
    return list(Entry.objects.order_by("number").values_list("act", flat=True))
