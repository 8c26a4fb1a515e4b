"""A disk that fills up and is freed again: nothing needs a restart, and the log says so without flooding."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests import furnished
from tests.disk import fill, mounted
from tests.running import Installation, until
from training.celery import QUEUES

FULL_FOR = 8.0  # seconds
MOST_LOGGED = 32_000  # bytes in that time


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 64 MB."""
    with mounted(tmp_path / "disk", megabytes=64) as disk:
        if disk is None:
            pytest.skip("nothing may be mounted here")
        yield disk


@pytest.fixture
def on_small_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Installation]:
    installation = Installation(small_disk)
    monkeypatch.setattr(installation, "log", lambda name: tmp_path / f"{name}.log")
    yield installation
    installation.end()


def seen_since(database: Path, moment: datetime) -> set[str]:
    """Who left a sign of life after that: queues and beat."""
    with closing(sqlite3.connect(database, timeout=20)) as connection:
        rows = connection.execute("SELECT worker, seen_at FROM operations_workerseen").fetchall()
        rows += [("beat", seen) for (seen,) in connection.execute("SELECT seen_at FROM operations_beat")]
    return {name for name, seen in rows if datetime.fromisoformat(seen).replace(tzinfo=UTC) > moment}


def readiness(installation: Installation) -> str:
    status, told = installation.get("/readyz")
    return str(told["database"]) if status == 503 else ""


def test_everything_goes_on_by_itself_once_there_is_room(on_small_disk: Installation, small_disk: Path) -> None:
    furnished.with_people(on_small_disk)
    serve = on_small_disk.start("serve")
    on_small_disk.wait_until_ready()
    before = on_small_disk.log("serve").stat().st_size
    filler = fill(small_disk)
    until("the disk is felt", lambda: "full" in on_small_disk.output("serve")[before:], within=40)
    until("readiness tells", lambda: readiness(on_small_disk) == "cannot be written", within=20)
    assert on_small_disk.get("/healthz")[0] == 200
    time.sleep(FULL_FOR)  # as long as it is full, as much could be written
    logged = on_small_disk.log("serve").stat().st_size - before
    filler.unlink()
    freed = datetime.now(UTC)
    expected = {*QUEUES, "beat"}
    until("all live", lambda: seen_since(small_disk / "sabot.sqlite3", freed) >= expected, within=60)
    until("it is ready", lambda: on_small_disk.get("/readyz")[0] == 200)
    assert logged < MOST_LOGGED, on_small_disk.output("serve")[before : before + 20_000]
    assert serve.poll() is None
