"""Which candidates need the invigilator and why, from the event log. It accuses nobody."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from exams.records.models import Candidate, Event, Sitting
from exams.sittings import timing
from exams.sittings.sitting import CODE_TRIES

QUIET = timedelta(seconds=60)  # without contact, after which the page says so
FRESH = timedelta(minutes=10)  # how long a change of browser is shown
LONG_AGO = datetime.min.replace(tzinfo=UTC)

Kind = Event.Kind


@dataclass(frozen=True)
class Alert:
    """Something that needs attention; the lower the `rank`, the more urgent."""

    rank: int
    text: str


@dataclass
class Log:
    """What happened in a sitting, by kind: last time and count."""

    last: dict[str, datetime] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)

    def at(self, kind: Kind) -> datetime:
        return self.last.get(kind, LONG_AGO)

    @property
    def identity_at(self) -> datetime | None:
        """When the identity was checked; None if it was not, was taken back, or the browser has changed since."""
        checked = self.last.get(Kind.IDENTITY)
        if checked is None or self.at(Kind.DEVICE) > checked or self.at(Kind.IDENTITY_UNDONE) >= checked:
            return None
        return checked

    @property
    def newest(self) -> tuple[str, datetime] | None:
        """The last event in words, and its time."""
        if not self.last:
            return None
        kind, at = max(self.last.items(), key=lambda found: found[1])
        return str(Kind(kind).label), at


def logs(events: QuerySet[Event]) -> defaultdict[UUID, Log]:
    """The logs of all sittings these events belong to, in one query."""
    found: defaultdict[UUID, Log] = defaultdict(Log)
    # The default ordering would split the groups.
    groups = events.order_by().values("sitting", "kind").annotate(newest=Max("at"), many=Count("pk"))
    for sitting, kind, newest, many in groups.values_list("sitting", "kind", "newest", "many"):
        found[sitting].last[kind], found[sitting].count[kind] = newest, many
    return found


def alerts(
    candidate: Candidate, sitting: Sitting | None, log: Log, now: datetime, *, renamed: bool = False
) -> list[Alert]:
    """Alerts, most urgent first. `renamed` means the name changed since entry or a change is pending."""
    if sitting is not None and not timing.is_open(sitting, now):
        return []
    found = [*_about_codes(candidate)]
    if sitting is not None:
        found += _at_work(sitting, log, now)
        found += _about_identity(log, renamed=renamed)
    return sorted(found, key=lambda alert: alert.rank)


def _about_codes(candidate: Candidate) -> Iterator[Alert]:
    if candidate.wrong_codes >= CODE_TRIES:
        yield Alert(0, _("Too many wrong codes: allow the code again."))


def _at_work(sitting: Sitting, log: Log, now: datetime) -> Iterator[Alert]:
    moved = max(log.at(Kind.DEVICE), log.at(Kind.RELEASED))
    if log.at(Kind.ASKED) > moved:
        message = _("Another browser has been asking to continue since %(time)s: release the exam, or give the code.")
        yield Alert(1, message % {"time": _time(log.at(Kind.ASKED))})
    if sitting.last_seen_at is None or now - sitting.last_seen_at > QUIET:
        yield Alert(
            2, _("No sign of life since %(time)s.") % {"time": _time(sitting.last_seen_at or sitting.started_at)}
        )
    if log.at(Kind.BLURRED) > log.at(Kind.FOCUSED):
        yield Alert(3, _("Left the page at %(time)s.") % {"time": _time(log.at(Kind.BLURRED))})
    if now - log.at(Kind.DEVICE) <= FRESH:
        yield Alert(4, _("Continued in another browser at %(time)s.") % {"time": _time(log.at(Kind.DEVICE))})


def _about_identity(log: Log, *, renamed: bool) -> Iterator[Alert]:
    if log.identity_at:
        return
    if renamed:
        yield Alert(5, _("The identity is not checked yet, and the name was changed or is to be changed."))
    else:
        yield Alert(5, _("The identity has not been checked yet."))


def _time(at: datetime) -> str:
    return time_format(timezone.localtime(at), "H:i")
