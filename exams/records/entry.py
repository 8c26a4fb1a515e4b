"""Who is kept out of a session: removed from it, or refused entry at the door. They may contest it."""

from collections.abc import Collection
from uuid import UUID

from exams import clock
from exams.records.models import KeptOut, Session
from training.people.models import User


def keep_out(session: Session, person: User, kind: str, *, by: User, reason: str) -> KeptOut:
    lift(session, [person], by=by)  # somebody refused entry may be removed afterwards
    return KeptOut.objects.create(session=session, person=person, kind=kind, reason=reason, by=by, at=clock.now())


def lift(session: Session, people: Collection[User], *, by: User) -> int:
    """Let these people in again. Returns how many were kept out."""
    found = KeptOut.objects.filter(session=session, person__in=people, lifted_at=None)
    return found.update(lifted_by=by, lifted_at=clock.now())


def refused(session: Session) -> list[KeptOut]:
    """Those refused entry now, the latest first."""
    found = KeptOut.objects.filter(session=session, kind=KeptOut.Kind.REFUSED, lifted_at=None)
    return list(found.select_related("person", "by").order_by("-at"))


def why_refused(session_id: UUID, person_id: int) -> str:
    """The reason for which somebody was refused entry to a session, or ""."""
    found = KeptOut.objects.filter(
        session=session_id, person=person_id, kind=KeptOut.Kind.REFUSED, lifted_at=None
    ).values_list("reason", flat=True)
    return found.first() or ""
