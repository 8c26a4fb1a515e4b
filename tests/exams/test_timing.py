"""Every limit of time, one second before, at and after it, with extra and added time, in any zone, by wrong clocks."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.sittings import timing
from exams.sittings.timing import Entry

SECOND = timedelta(seconds=1)
LISBON = ZoneInfo("Europe/Lisbon")
# The nights on which clocks in Lisbon are put forward and back.
FORWARD = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
BACK = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

years = st.integers(
    int(datetime(2020, 1, 1, tzinfo=UTC).timestamp()), int(datetime(2040, 1, 1, tzinfo=UTC).timestamp())
)
moments = years.map(lambda second: datetime.fromtimestamp(second, UTC)) | st.sampled_from([FORWARD, BACK])
minutes = st.integers(1, 600)
more = st.integers(0, 240)
jumps = st.timedeltas(-timedelta(hours=30), timedelta(hours=30))


@dataclass
class Session:
    opens_at: datetime
    entry_closes_at: datetime


@dataclass
class Sitting:
    started_at: datetime
    deadline_at: datetime
    closed_at: datetime | None = None
    last_seen_at: datetime | None = None


def begun(at: datetime, length: int, *, extra: int = 0, added: int = 0) -> Sitting:
    return Sitting(at, timing.deadline(at, length, extra=extra, added=added))


@given(moments, minutes)
def test_one_may_begin_from_the_opening_until_just_before_entry_closes(opens: datetime, length: int) -> None:
    session = Session(opens, opens + timedelta(minutes=length))
    assert timing.entry(session, session.opens_at - SECOND) is Entry.EARLY
    assert timing.entry(session, session.opens_at) is Entry.OPEN
    assert timing.entry(session, session.opens_at + SECOND) is Entry.OPEN
    assert timing.entry(session, session.entry_closes_at - SECOND) is Entry.OPEN
    assert timing.entry(session, session.entry_closes_at) is Entry.OVER
    assert timing.entry(session, session.entry_closes_at + SECOND) is Entry.OVER
    for now in (session.opens_at - SECOND, session.opens_at, session.entry_closes_at):
        assert timing.may_begin(session, now) == (timing.entry(session, now) is Entry.OPEN)


@given(moments, minutes, more, more)
def test_a_sitting_is_open_until_just_before_its_deadline(start: datetime, length: int, extra: int, added: int) -> None:
    sitting = begun(start, length, extra=extra, added=added)
    end = start + timedelta(minutes=length) + timedelta(minutes=extra) + timedelta(minutes=added)
    assert sitting.deadline_at == end
    assert timing.is_open(sitting, start)
    assert timing.is_open(sitting, end - SECOND)
    assert timing.seconds_left(sitting, end - SECOND) == 1
    assert not timing.is_open(sitting, end)
    assert timing.is_due(sitting, end)
    assert timing.seconds_left(sitting, end) == 0
    assert not timing.is_open(sitting, end + SECOND)
    assert timing.seconds_left(sitting, end + SECOND) == 0


@given(moments, minutes, more)
def test_added_time_moves_the_end_by_exactly_that(start: datetime, length: int, added: int) -> None:
    before, after = begun(start, length), begun(start, length, added=added)
    assert after.deadline_at - before.deadline_at == timedelta(minutes=added)
    if added:
        assert timing.is_open(after, before.deadline_at)
        assert timing.seconds_left(after, before.deadline_at) == added * 60


@given(moments, minutes)
def test_what_is_closed_stays_closed_whatever_the_time(start: datetime, length: int) -> None:
    sitting = begun(start, length)
    sitting.closed_at = start + SECOND
    for now in (start, sitting.closed_at, sitting.deadline_at - SECOND, sitting.deadline_at):
        assert not timing.is_open(sitting, now)
        assert timing.seconds_left(sitting, now) == 0


@given(moments, minutes, more, jumps)
def test_a_clock_set_back_or_forward_never_gives_more_than_the_whole_time(
    start: datetime, length: int, extra: int, jump: timedelta
) -> None:
    sitting = begun(start, length, extra=extra)
    assert 0 <= timing.seconds_left(sitting, start + jump) <= (length + extra) * 60


@given(moments, minutes, st.lists(jumps, min_size=1, max_size=8))
def test_time_once_used_does_not_come_back(start: datetime, length: int, readings: list[timedelta]) -> None:
    """Whatever the clock of the server does between two signs of life, the time left only shrinks."""
    sitting = begun(start, length)
    left = timing.seconds_left(sitting, start)
    for reading in readings:
        now = start + reading
        assert timing.seconds_left(sitting, now) <= left
        left = timing.seconds_left(sitting, now)
        if timing.is_open(sitting, now):
            sitting.last_seen_at = timing.moment(sitting, now)
        else:
            sitting.closed_at = sitting.deadline_at  # whoever notices writes it down


@pytest.mark.parametrize(("night", "shown"), [(FORWARD, timedelta(hours=3)), (BACK, timedelta(hours=1))])
def test_the_night_on_which_clocks_change_is_as_long_as_any_other(night: datetime, shown: timedelta) -> None:
    sitting = begun(night, 90, extra=30)
    wall = [moment.astimezone(LISBON).replace(tzinfo=None) for moment in (sitting.started_at, sitting.deadline_at)]
    assert wall[1] - wall[0] == shown
    assert timing.seconds_left(sitting, night) == 2 * 60 * 60
    end = (night + timedelta(hours=2)).astimezone(LISBON)
    assert timing.is_open(sitting, (night + timedelta(hours=2) - SECOND).astimezone(LISBON))
    assert not timing.is_open(sitting, end)


@given(moments, minutes)
def test_limits_do_not_depend_on_the_zone_they_are_read_in(start: datetime, length: int) -> None:
    sitting = begun(start.astimezone(LISBON), length)
    # Python adds on the wall clock of a zone; the length must be of real time.
    real = sitting.deadline_at.astimezone(UTC) - start
    assert real == timedelta(minutes=length)


@pytest.mark.parametrize(
    ("seconds", "face"),
    [(0, "0:00"), (0.2, "0:01"), (59, "0:59"), (60, "1:00"), (599.5, "10:00"), (3599, "59:59"), (3600, "1:00:00")],
)
def test_the_face_of_the_clock(seconds: float, face: str) -> None:
    assert timing.clock_face(seconds) == face
