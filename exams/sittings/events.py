"""The log of a sitting: what happened and when. It accuses nobody; it is there to understand what happened."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from exams.records.models import Event, Sitting
from training.people.models import User

# What a browser may tell of itself; everything else is noted by the server alone.
TOLD_BY_BROWSERS = frozenset({Event.Kind.BLURRED, Event.Kind.FOCUSED, Event.Kind.OFFLINE, Event.Kind.ONLINE})
AT_ONCE = 50  # told together, after a long time without connection
MOST = 1000  # of what one sitting keeps of such things, so that nobody fills the disk


@dataclass(frozen=True)
class Told:
    """Something a browser tells, by how long ago it was: the clock of a browser is nobody's clock."""

    kind: str
    seconds_ago: float


def note_event(
    sitting: Sitting,
    kind: Event.Kind,
    *,
    at: datetime,
    by: User | None = None,
    minutes: int = 0,
    text: str = "",
) -> Event:
    return Event.objects.create(sitting=sitting, kind=kind, at=at, by=by, minutes=minutes, text=text)


def note_told(sitting: Sitting, told: Iterable[Told], *, now: datetime) -> int:
    """Keep what a browser tells, in its order, never before the sitting began nor in the future."""
    known = [one for one in told if one.kind in TOLD_BY_BROWSERS][:AT_ONCE]
    if not known or sitting.events.count() + len(known) > MOST:
        return 0
    Event.objects.bulk_create(
        Event(sitting=sitting, kind=one.kind, at=_when(sitting, one.seconds_ago, now)) for one in known
    )
    return len(known)


def note_late(sitting: Sitting, *, now: datetime) -> None:
    """A change came after the end. Said once is enough: a page that was offline may try again and again."""
    if not sitting.events.filter(kind=Event.Kind.LATE).exists():
        note_event(sitting, Event.Kind.LATE, at=now)


def note_asked(sitting: Sitting, *, now: datetime) -> None:
    """Another browser was opened on the sitting. Said once, until one goes on: a page may be loaded again and again."""
    about = sitting.events.filter(kind__in=(Event.Kind.ASKED, Event.Kind.RELEASED, Event.Kind.DEVICE))
    last = about.order_by("-at", "-pk").values_list("kind", flat=True).first()
    if last != Event.Kind.ASKED:
        note_event(sitting, Event.Kind.ASKED, at=now)


def _when(sitting: Sitting, seconds_ago: float, now: datetime) -> datetime:
    longest = max(0.0, (now - sitting.started_at).total_seconds())
    return now - timedelta(seconds=min(max(0.0, seconds_ago), longest))
