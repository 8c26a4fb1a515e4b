"""When workers, and backups, were last seen: in the database, for the readiness check and the metrics."""

import time
from datetime import timedelta

from django.utils import timezone

from training.operations.models import WorkerSeen

BACKUP, FAILED_BACKUP, COPY = "backup", "backup that failed", "copy of a backup"
EVERY = 5.0  # seconds between two heartbeats of a long task
_left: dict[str, float] = {}


def leave(queue: str) -> None:
    """Record that a worker of this queue is alive."""
    WorkerSeen.objects.update_or_create(worker=queue, defaults={"seen_at": timezone.now()})


def leave_at_work(queue: str) -> None:
    """Record it from inside a long task, which delays the usual heartbeats. May be called often."""
    if time.monotonic() - _left.get(queue, float("-inf")) >= EVERY:
        leave(queue)
        _left[queue] = time.monotonic()


def silence(queue: str) -> timedelta | None:
    """The time since a worker of this queue was last seen; None if never."""
    row = WorkerSeen.objects.filter(worker=queue).first()
    return timezone.now() - row.seen_at if row else None


def backup_failed() -> bool:
    """Whether the last attempt to make a backup failed."""
    failed, made = silence(FAILED_BACKUP), silence(BACKUP)
    return failed is not None and (made is None or failed < made)
