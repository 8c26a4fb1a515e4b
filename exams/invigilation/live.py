"""What an invigilator sees of a session under way: who is where, never what they answer."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, QuerySet

from exams.invigilation.acts import may_invigilate
from exams.records.models import Candidate, Event, Response, Session, Sitting
from exams.sittings import timing
from exams.sittings.sitting import CODE_TRIES
from training.people.models import User

NOTHING: dict[str, dict[str, str]] = {"parts": {}}  # what is stored for an item that was looked at and left empty
QUIET = 60  # seconds without a sign, from which on the view says so
MOST_EVENTS = 200  # of the newest, on the page of one sitting


@dataclass(frozen=True)
class Row:
    """One candidate. `state` is waiting, working, closed or locked (too many wrong codes)."""

    candidate: Candidate
    sitting: Sitting | None
    state: str
    answered: int
    items: int
    events: int
    left: str
    silent: bool


def session_for(person: User, session_id: UUID) -> Session:
    """The session, if this person set it up or watches over it; otherwise it does not exist for them."""
    found = Session.objects.select_related("programme_version__programme").get(pk=session_id)
    if not may_invigilate(person, found):
        raise Session.DoesNotExist
    return found


def rows(session: Session, now: datetime) -> list[Row]:
    """Every candidate, in a number of queries that does not grow with them."""
    candidates = (
        Candidate.objects.filter(session=session).select_related("person", "sitting").order_by("person__name", "pk")
    )
    answered = _count(Response.objects.filter(sitting__candidate__session=session).exclude(answer=NOTHING))
    events = _count(Event.objects.filter(sitting__candidate__session=session))
    items = session.programme_version.rules.items
    return [_row(candidate, answered, events, items, now) for candidate in candidates]


def row(sitting: Sitting, now: datetime) -> Row:
    answered = _count(sitting.responses.exclude(answer=NOTHING))
    events = _count(sitting.events.all())
    items = sitting.candidate.session.programme_version.rules.items
    return _row(sitting.candidate, answered, events, items, now)


def sitting_in(session: Session, sitting_id: UUID) -> Sitting:
    return Sitting.objects.select_related("candidate__person", "candidate__session__programme_version").get(
        pk=sitting_id, candidate__session=session
    )


def events_of(sitting: Sitting) -> QuerySet[Event]:
    """The newest first."""
    return sitting.events.select_related("by").order_by("-at", "-pk")[:MOST_EVENTS]


def _count(of: "QuerySet[Response] | QuerySet[Event]") -> Counter[UUID]:
    # An order, such as a log has, would split the groups.
    found: Iterable[tuple[UUID, int]] = (
        of.order_by().values("sitting").annotate(many=Count("pk")).values_list("sitting", "many")
    )
    return Counter(dict(found))


def _row(candidate: Candidate, answered: Counter[UUID], events: Counter[UUID], items: int, now: datetime) -> Row:
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    working = sitting is not None and timing.is_open(sitting, now)
    if sitting:
        state = "working" if working else "closed"
    else:
        state = "locked" if candidate.wrong_codes >= CODE_TRIES else "waiting"
    seen = sitting.last_seen_at if sitting else None
    return Row(
        candidate=candidate,
        sitting=sitting,
        state=state,
        answered=answered[sitting.pk] if sitting else 0,
        items=items,
        events=events[sitting.pk] if sitting else 0,
        left=timing.clock_face(timing.seconds_left(sitting, now)) if sitting else "",
        silent=working and (seen is None or (now - seen).total_seconds() > QUIET),
    )
