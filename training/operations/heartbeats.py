"""Signs of life that processes leave in the database, for readiness to read."""

import time
from datetime import timedelta

from django.utils import timezone

from training.operations.models import WorkerSeen

EVERY = 5.0  # seconds between two signs of long work
_left: dict[str, float] = {}


def leave(queue: str) -> None:
    """A worker is at the work of this queue."""
    WorkerSeen.objects.update_or_create(worker=queue, defaults={"seen_at": timezone.now()})


def leave_at_work(queue: str) -> None:
    """The same from within long work, which keeps heartbeats waiting; may be called often."""
    if time.monotonic() - _left.get(queue, float("-inf")) >= EVERY:
        leave(queue)
        _left[queue] = time.monotonic()


def silence(queue: str) -> timedelta | None:
    """For how long no worker of this queue was seen; None if never."""
    row = WorkerSeen.objects.filter(worker=queue).first()
    return timezone.now() - row.seen_at if row else None
