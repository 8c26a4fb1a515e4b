"""Work that is owed: taken by one worker for a while, and done by the sweep where no message led to it."""

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from training.celery import app
from training.operations.models import WorkerSeen
from training.platform import pending

ROOT = Path(__file__).parents[2]
NOW = timezone.now()
LEASE = timedelta(seconds=30)
MOMENT = timedelta(microseconds=1)


def test_a_worker_finds_every_task() -> None:
    """In a process of its own: here other tests have imported tasks that a worker must find by itself."""
    code = "from training.celery import app; app.loader.import_default_modules(); print(*app.tasks)"
    registered = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled - set(registered) == set()
    paths = [path for part in ("training", "exams") for path in (ROOT / part).rglob("tasks.py")]
    defined = {
        f"{'.'.join(path.relative_to(ROOT).with_suffix('').parts)}.{name}"
        for path in paths
        for name in re.findall(r"@shared_task.*\ndef (\w+)", path.read_text())
    }
    assert len(defined) > 20
    assert defined - set(registered) == set()


@pytest.mark.django_db
def test_one_worker_holds_a_row_until_its_lease_is_over() -> None:
    WorkerSeen.objects.create(worker="a", seen_at=NOW)
    rows = WorkerSeen.objects.filter(worker="a")
    assert not pending.take(rows, "seen_at", now=NOW + LEASE - MOMENT, lease=LEASE)
    assert pending.take(rows, "seen_at", now=NOW + LEASE, lease=LEASE)
    assert not pending.take(rows, "seen_at", now=NOW + LEASE, lease=LEASE)


@pytest.mark.django_db
def test_a_sweep_does_what_it_can() -> None:
    for worker in "abcd":
        WorkerSeen.objects.create(worker=worker, seen_at=NOW)
    tried: list[str] = []

    def do(worker: str) -> bool:
        tried.append(worker)
        if worker == "a":
            raise ConnectionError("away")
        if worker == "b":
            raise ValueError("a defect")
        return worker == "c"

    waiting = WorkerSeen.objects.order_by("worker").values_list("worker", flat=True)
    assert pending.sweep(waiting, do, limit=4, what="test") == 1
    assert tried == ["a", "b", "c", "d"]
    assert pending.sweep(waiting, do, limit=1, what="test") == 0
