"""Beat: any number may run, one at a time beats."""

import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest
from django.db import OperationalError
from django.utils import timezone
from structlog.testing import capture_logs

from tests import furnished
from tests.running import Installation, until
from training.celery import app
from training.operations import beat
from training.operations.beat import LEASE, RENEWED_EVERY, Lease, OneAtATime
from training.operations.management.commands.serve import PYTHON_MODULE, programs
from training.operations.models import Beat

Install = Callable[..., Installation]
# Beat as it is, with a lease of two seconds.
HASTY = """
import sys
from training.operations import beat
beat.LEASE, beat.RENEWED_EVERY = 2.0, 0.5
from celery.__main__ import main
main()
"""


class Clock:
    """Stands where the module `time` stands in `training.operations.beat`."""

    def __init__(self) -> None:
        self.at = 1000.0

    def monotonic(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(beat, "time", found)
    return found


@pytest.mark.django_db
def test_one_holds_the_lease_and_the_other_stands_by(clock: Clock) -> None:
    first, second = Lease(), Lease()
    assert first.hold()
    assert not second.hold()
    for _ in range(20):  # renewing keeps it
        clock.at += RENEWED_EVERY
        assert first.hold()
        assert not second.hold()


@pytest.mark.django_db
def test_each_says_once_whether_it_beats_or_stands_by(clock: Clock) -> None:
    first, second = Lease(), Lease()
    with capture_logs() as lines:
        for _ in range(5):
            first.hold()
            second.hold()
            clock.at += RENEWED_EVERY
        first.release()
        second.hold()
        first.hold()
        first.hold()
    assert [(line["event"], line.get("holder")) for line in lines] == [
        ("beat_took_the_lease", None),
        ("beat_stands_by", first.me),
        ("beat_took_the_lease", None),
        ("beat_lost_its_lease", None),
        ("beat_stands_by", second.me),
    ]


@pytest.mark.django_db
def test_a_dead_holder_is_followed_after_the_lease_and_not_before(clock: Clock) -> None:
    first, second = Lease(), Lease()
    assert first.hold()
    assert not second.hold()
    clock.at += LEASE - 0.01
    assert not second.hold()
    clock.at += 0.01
    assert second.hold()
    assert not first.hold()  # it was only asleep, and sees that another beats
    assert second.hold()


@pytest.mark.django_db
def test_one_that_stops_orderly_is_followed_at_once(clock: Clock) -> None:
    first, second = Lease(), Lease()
    assert first.hold()
    first.release()
    assert second.hold()


@pytest.mark.django_db
def test_the_clocks_of_the_machines_do_not_matter(clock: Clock) -> None:
    first, second = Lease(), Lease()
    assert first.hold()
    Beat.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    assert not second.hold()


def test_without_a_database_it_says_so_once_and_stands_by(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = OneAtATime(app, lazy=True)

    def away() -> bool:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(scheduler.lease, "hold", away)
    with capture_logs() as lines:
        for _ in range(30):
            assert scheduler.tick() == beat.STANDING_BY
            clock.at += 1
    assert [line["event"] for line in lines] == ["beat_without_database"]


def test_a_broker_that_is_away_is_one_line_a_minute(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = OneAtATime(app, lazy=True)

    def away(*_: object, **__: object) -> None:
        raise OSError("nobody listens")

    monkeypatch.setattr(scheduler, "apply_async", away)
    with capture_logs() as lines:
        for _ in range(120):
            scheduler.apply_entry(None)
            clock.at += 1
    assert [line["event"] for line in lines] == ["task_not_sent", "task_not_sent"]


def holder(database: psycopg.Connection) -> int:
    """The process that beats, 0 while none does."""
    row = database.execute("SELECT holder FROM operations_beat").fetchone()
    return int(row[0].split()[1]) if row and row[0] else 0


@pytest.mark.services
def test_a_second_beat_takes_over_from_one_that_was_killed(install: Install, postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_tables(installation)
    hasty = [sys.executable, "-c", HASTY, *programs("")["beat"][len([*PYTHON_MODULE, "celery"]) :]]
    beats = [installation.start(f"beat {number}", hasty) for number in (1, 2)]
    with psycopg.connect(postgres_url, autocommit=True) as database:
        first = until("one beats", lambda: holder(database))
        (second,) = {process.pid for process in beats} - {first}
        os.kill(first, signal.SIGKILL)
        until("the other beats", lambda: holder(database) == second, within=40)
        os.kill(second, signal.SIGTERM)
        until("nobody holds it any more", lambda: holder(database) == 0)
