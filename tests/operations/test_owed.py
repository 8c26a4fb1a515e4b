"""Work that is owed: taken by one worker for a while, and done by the sweep where no message led to it."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Task
from django.utils import timezone
from django.utils.module_loading import import_string

from training.celery import app
from training.operations.models import WorkerSeen
from training.platform import pending

ROOT = Path(__file__).parents[2]
NOW = timezone.now()
LEASE = timedelta(seconds=30)
MOMENT = timedelta(microseconds=1)


def test_every_task_that_a_service_names_is_there() -> None:
    code = [path.read_text() for part in ("training", "exams") for path in (ROOT / part).rglob("*.py")]
    named = {
        name for text in code for name in re.findall(r'(?<!name=)"((?:training|exams)\.[\w.]+\.tasks\.\w+)", ', text)
    }
    assert len(named) >= 8
    app.loader.import_default_modules()
    # A service names a task by where it is, the schedule by the name it is registered under.
    assert [name for name in sorted(named - set(app.tasks)) if not isinstance(import_string(name), Task)] == []


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
