"""Beat, of which any number may run and one at a time beats: it holds a lease in the database, the others stand by."""

import os
import socket
import time
import uuid
from typing import Any

import structlog
from celery.beat import Scheduler
from django.db import Error as DatabaseTrouble
from django.db import connections
from django.utils import timezone

log = structlog.get_logger(__name__)

RENEWED_EVERY = 3.0  # seconds
# A holder that does not renew for this long is dead. By the clock of whoever waits: those of two machines may differ.
LEASE = 10.0
STANDING_BY = 1.0  # seconds between two looks
SAID_AGAIN = 60.0  # seconds before the same trouble is logged anew


class Lease:
    def __init__(self) -> None:
        self.me = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4().hex[:8]}"
        self.renewed = float("-inf")  # when this beat last wrote itself down as the holder
        self.other: tuple[str, Any] | None = None  # who holds it, as last seen, and since when they have not moved
        self.unmoved = 0.0
        self.stands_by = False

    def hold(self) -> bool:
        """Whether this beat is the one to beat now."""
        since = time.monotonic() - self.renewed
        if since < RENEWED_EVERY:
            return True
        started = time.monotonic()
        if self._renew() if since < LEASE else self._take_aloud():
            self.renewed = started
            return True
        if since < float("inf"):
            log.warning("beat_lost_its_lease")
            self.renewed = float("-inf")
        return False

    def release(self) -> None:
        from training.operations.models import Beat

        Beat.objects.filter(holder=self.me).update(holder="")

    def _renew(self) -> bool:
        from training.operations.models import Beat

        return Beat.objects.filter(holder=self.me).update(seen_at=timezone.now()) == 1

    def _take_aloud(self) -> bool:
        """Whoever watches the log reads which beat beats, and which one is there for when it dies."""
        taken = self._take()
        if taken:
            log.info("beat_took_the_lease")
        elif not self.stands_by:
            log.info("beat_stands_by", holder=self.other and self.other[0])
        self.stands_by = not taken
        return taken

    def _take(self) -> bool:
        from training.operations.models import Beat

        row, _ = Beat.objects.get_or_create(pk=1, defaults={"holder": "", "seen_at": timezone.now()})
        seen = (row.holder, row.seen_at)
        if seen != self.other:
            self.other, self.unmoved = seen, time.monotonic()
        if row.holder not in ("", self.me) and time.monotonic() - self.unmoved < LEASE:
            return False
        free = Beat.objects.filter(holder=row.holder, seen_at=row.seen_at)
        return free.update(holder=self.me, seen_at=timezone.now()) == 1


class OneAtATime(Scheduler):
    """Celery's scheduler, while it holds the lease."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lease = Lease()
        self.said: dict[str, float] = {}

    def tick(self, *args: Any, **kwargs: Any) -> float:
        try:
            holds = self.lease.hold()
        except DatabaseTrouble as error:
            self._say("beat_without_database", error)
            connections.close_all()  # a broken one would stay broken
            holds = time.monotonic() - self.lease.renewed < LEASE
        return float(super().tick(*args, **kwargs)) if holds else STANDING_BY

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send one task. What cannot be sent now will be due again; a broker that is away must not fill the log."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except Exception as error:  # every broker has its own kinds
            self._say("task_not_sent", error)

    def close(self) -> None:
        try:
            self.lease.release()
        except DatabaseTrouble as error:
            self._say("beat_without_database", error)
        super().close()

    def _say(self, event: str, error: Exception) -> None:
        if time.monotonic() - self.said.get(event, float("-inf")) >= SAID_AGAIN:
            self.said[event] = time.monotonic()
            log.warning(event, error=str(error))
