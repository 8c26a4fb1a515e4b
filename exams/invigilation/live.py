"""What an invigilator sees of a session in progress: where everybody is and who needs help, never their answers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, QuerySet

from exams.invigilation.alerts import Alert, Log, alerts, logs
from exams.records import names
from exams.records.models import Candidate, Event, NameCorrection, Response, Session, Sitting
from exams.sittings import timing
from exams.sittings.sitting import CODE_TRIES

NOTHING: dict[str, dict[str, str]] = {"parts": {}}  # stored for an item that was viewed and left empty
MOST_EVENTS = 200  # the newest, on a sitting's page


@dataclass(frozen=True)
class Row:
    """One candidate. `state` is waiting, locked (too many wrong codes), working, closed or annulled."""

    candidate: Candidate
    changes: list[NameCorrection]  # of the name since entry, including a pending one
    sitting: Sitting | None
    state: str
    answered: int
    items: int
    left: str
    log: Log
    alerts: list[Alert]


def rows(session: Session, now: datetime) -> list[Row]:
    """A row per candidate, with a constant number of queries."""
    candidates = list(
        Candidate.objects.filter(session=session).select_related("person", "sitting").order_by("person__name", "pk")
    )
    changes = names.changes_of(candidates)
    answered = _count(Response.objects.filter(sitting__candidate__session=session).exclude(answer=NOTHING))
    happened = logs(Event.objects.filter(sitting__candidate__session=session))
    items = session.programme_version.rules.items
    return [
        _row(candidate, changes[candidate.pk], answered[_key(candidate)], happened[_key(candidate)], items, now)
        for candidate in candidates
    ]


def pressing(rows: Sequence[Row]) -> list[Row]:
    """The rows with alerts, most urgent first."""
    return sorted((row for row in rows if row.alerts), key=lambda row: row.alerts[0].rank)


def row(sitting: Sitting, now: datetime) -> Row:
    candidate = sitting.candidate
    answered = sitting.responses.exclude(answer=NOTHING).count()
    log, changes = logs(sitting.events.all())[sitting.pk], names.changes_of([candidate])[candidate.pk]
    return _row(candidate, changes, answered, log, candidate.session.programme_version.rules.items, now)


def events_of(sitting: Sitting) -> QuerySet[Event]:
    return sitting.events.select_related("by").order_by("-at", "-pk")[:MOST_EVENTS]


def _count(of: QuerySet[Response]) -> Counter[UUID]:
    found: Iterable[tuple[UUID, int]] = of.values("sitting").annotate(many=Count("pk")).values_list("sitting", "many")
    return Counter(dict(found))


def _key(candidate: Candidate) -> UUID:
    """The key of a candidate's answers and events; candidates who have not begun have none."""
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    return sitting.pk if sitting else candidate.pk


def _row(
    candidate: Candidate, changes: list[NameCorrection], answered: int, log: Log, items: int, now: datetime
) -> Row:
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    return Row(
        candidate=candidate,
        changes=changes,
        sitting=sitting,
        state=_state(candidate, sitting, now),
        answered=answered,
        items=items,
        left=timing.clock_face(timing.seconds_left(sitting, now)) if sitting else "",
        log=log,
        alerts=alerts(candidate, sitting, log, now, renamed=bool(changes)),
    )


def _state(candidate: Candidate, sitting: Sitting | None, now: datetime) -> str:
    if sitting is None:
        return "locked" if candidate.wrong_codes >= CODE_TRIES else "waiting"
    if sitting.annulled_at:
        return "annulled"
    return "working" if timing.is_open(sitting, now) else "closed"
