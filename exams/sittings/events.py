"""The event log of a sitting: what happened and when. It helps to understand a sitting and accuses nobody."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from exams.records.models import Event, Sitting
from training.people.models import User

# What a browser may report; the server records everything else itself.
REPORTED_BY_BROWSERS = frozenset({Event.Kind.BLURRED, Event.Kind.FOCUSED, Event.Kind.OFFLINE, Event.Kind.ONLINE})
AT_ONCE = 50  # accepted in one report, e.g. after a long time offline
MOST = 1000  # browser events kept per sitting, to bound storage


@dataclass(frozen=True)
class BrowserEvent:
    """An event reported by a browser, as seconds ago, because its clock cannot be trusted."""

    kind: str
    seconds_ago: float


def note_event(
    sitting: Sitting, kind: Event.Kind, *, at: datetime, by: User | None = None, minutes: int = 0, text: str = ""
) -> Event:
    return Event.objects.create(sitting=sitting, kind=kind, at=at, by=by, minutes=minutes, text=text)


def note_browser_events(sitting: Sitting, reported: Iterable[BrowserEvent], *, now: datetime) -> int:
    """Store what a browser reports, in order, clamped between the start of the sitting and now. Returns how many."""
    known = [one for one in reported if one.kind in REPORTED_BY_BROWSERS][:AT_ONCE]
    if not known or sitting.events.count() + len(known) > MOST:
        return 0
    Event.objects.bulk_create(
        Event(sitting=sitting, kind=one.kind, at=_when(sitting, one.seconds_ago, now)) for one in known
    )
    return len(known)


def note_late(sitting: Sitting, *, now: datetime) -> None:
    """Record that a change came after the end, once per sitting: an offline page may retry again and again."""
    if not sitting.events.filter(kind=Event.Kind.LATE).exists():
        note_event(sitting, Event.Kind.LATE, at=now)


def note_asked(sitting: Sitting, *, now: datetime) -> None:
    """Record that another browser was opened, once until one continues: a page may be reloaded again and again."""
    about = sitting.events.filter(kind__in=(Event.Kind.ASKED, Event.Kind.RELEASED, Event.Kind.DEVICE))
    last = about.order_by("-at", "-pk").values_list("kind", flat=True).first()
    if last != Event.Kind.ASKED:
        note_event(sitting, Event.Kind.ASKED, at=now)


def _when(sitting: Sitting, seconds_ago: float, now: datetime) -> datetime:
    longest = max(0.0, (now - sitting.started_at).total_seconds())
    return now - timedelta(seconds=min(max(0.0, seconds_ago), longest))
