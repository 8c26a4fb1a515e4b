"""When a sitting may begin, how long it lasts and whether it is open. Pure functions of the given time.

All limits are in UTC. A candidate may begin at exactly `opens_at` but not at `entry_closes_at`; a change counts if it
is earlier than the deadline.
"""

import math
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Protocol


class Entry(Enum):
    """Whether a candidate may begin: not yet, now, or no longer."""

    EARLY = "early"
    OPEN = "open"
    OVER = "over"


class HasWindow(Protocol):
    opens_at: datetime
    entry_closes_at: datetime


class HasClock(Protocol):
    started_at: datetime
    deadline_at: datetime
    closed_at: datetime | None
    last_seen_at: datetime | None


def entry(session: HasWindow, now: datetime) -> Entry:
    if now < session.opens_at:
        return Entry.EARLY
    return Entry.OPEN if now < session.entry_closes_at else Entry.OVER


def may_begin(session: HasWindow, now: datetime) -> bool:
    return entry(session, now) is Entry.OPEN


def deadline(started_at: datetime, minutes: int, *, extra: int = 0, added: int = 0) -> datetime:
    """Start plus the programme's time, the person's extra time and what the invigilator added.

    Computed in UTC: in a local zone Python adds wall-clock time, which is wrong on the night the clocks change.
    """
    return started_at.astimezone(UTC) + timedelta(minutes=minutes + extra + added)


def moment(sitting: HasClock, now: datetime) -> datetime:
    """The current time for this sitting. It never runs backwards, so a clock set back gives no extra time."""
    return max(now, sitting.started_at, sitting.last_seen_at or sitting.started_at)


def is_due(sitting: HasClock, now: datetime) -> bool:
    """Whether its time has run out, even if it is not closed yet."""
    return moment(sitting, now) >= sitting.deadline_at


def is_open(sitting: HasClock, now: datetime) -> bool:
    return sitting.closed_at is None and not is_due(sitting, now)


def seconds_left(sitting: HasClock, now: datetime) -> float:
    if not is_open(sitting, now):
        return 0.0
    return (sitting.deadline_at - moment(sitting, now).astimezone(UTC)).total_seconds()


def clock_face(seconds: float) -> str:
    """Formats like a clock, rounding up to full seconds: 1:02:03 or 9:59."""
    whole = math.ceil(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
