"""A Celery beat of which several can run: the one that holds a lease in the database is active, the others stand by."""

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

from training.operations import alive

log = structlog.get_logger(__name__)

RENEWED_EVERY = 3.0  # seconds between two renewals
# A holder that does not renew for this many seconds is dead, by the clock of the waiting process.
LEASE = 10.0
STANDING_BY = 1.0  # seconds between two tries to take the lease
SAID_AGAIN = 60.0  # seconds before the same warning is logged again


class Lease:
    def __init__(self) -> None:
        self.me = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4().hex[:8]}"
        self.renewed = float("-inf")  # when this process last renewed the lease
        self.other: tuple[str, Any] | None = None  # holder and time of the row as last seen
        self.unmoved = 0.0  # since when the row has not changed
        self.stands_by = False

    def hold(self) -> bool:
        """Renew or take the lease; False if another process holds it."""
        since = time.monotonic() - self.renewed
        if since < RENEWED_EVERY:
            return True
        started = time.monotonic()
        if self._renew() if since < LEASE else self._take_and_log():
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

    def _take_and_log(self) -> bool:
        """Take the lease if it is free, and log whether this process is active or standing by."""
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
    """Celery's scheduler, active only while it holds the lease."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lease = Lease()
        self.said: dict[str, float] = {}

    def tick(self, *args: Any, **kwargs: Any) -> float:
        alive.touch()
        try:
            holds = self.lease.hold()
        except DatabaseTrouble as error:
            self._say("beat_without_database", error)
            connections.close_all()  # a broken connection would stay broken
            holds = time.monotonic() - self.lease.renewed < LEASE
        return float(super().tick(*args, **kwargs)) if holds else STANDING_BY

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send one task. If that fails it will be due again; a broker that is down must not flood the log."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except Exception as error:  # each broker raises its own types
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
