"""Handing things over to somebody who may be away: mails to the mail server, messages to other systems of the house.

Each is held before it is handed over and settled after. Whoever dies in between leaves it held; when the lease has run
out it is handed over again: rather twice than never, under an id by which the other side knows it again.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import F, QuerySet

from training.platform import pending

LEASE = timedelta(minutes=3)  # longer than any task may run, so that whoever held it is dead
ROUND = 45.0  # seconds; then other work of the worker has its turn
# How long after each try that came to nothing, about two days in all; then it has failed.
WAITS = [timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240, 480, 720, 1440)]


class Outgoing(models.Model):
    """What is on its way. Each kind has a `problem` of its own: why the last try came to nothing."""

    written_at = models.DateTimeField()
    due_at = models.DateTimeField()  # not tried before
    held_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    reply = models.PositiveSmallIntegerField(null=True, blank=True)  # the other side's number for it, e.g. 550 or 503
    sent_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=Outgoing)


@dataclass(frozen=True)
class Trouble:
    """What was in the way: whether trying again can help, and whether the next one would meet it too."""

    problem: str
    reply: int | None = None
    hopeless: bool = False
    everybodys: bool = False


@dataclass(frozen=True, kw_only=True)
class Courier(Generic[Row]):
    """Of one kind of thing. `waiting` are those neither taken nor given up, `unfinished` the problem of one on which
    every worker died, `once_taken` what else becomes of a row that was taken."""

    waiting: Callable[[], QuerySet[Row]]
    hand_over: Callable[[Row], Trouble | None]
    unfinished: str
    now: Callable[[], datetime]
    wake: Callable[[], None]
    once_taken: Mapping[str, Any] = field(default_factory=dict)

    def deliver(self) -> int:
        """Hand over what is due, one after the other; how many were taken."""
        taken, end = 0, time.monotonic() + ROUND
        while (row := self.take_next()) is not None:
            trouble = self.hand_over(row)
            self.settle(row, trouble)
            taken += trouble is None
            if trouble and trouble.everybodys:
                break  # no use trying the next one now
            if time.monotonic() > end:
                self.wake()
                break
        return taken

    def is_held(self) -> bool:
        """Whether a worker is at it."""
        return self.waiting().filter(held_at__gt=self.now() - LEASE).exists()

    def take_next(self) -> Row | None:
        """Hold what has waited longest. One that is never finished does not hold the others up for ever."""
        now = self.now()
        while (
            key := self._due(now).order_by("due_at", "written_at", "pk").values_list("pk", flat=True).first()
        ) is not None:
            if not pending.take(self._due(now).filter(pk=key), "held_at", now=now, lease=LEASE, tries=F("tries") + 1):
                continue
            row = self.waiting().get(pk=key)
            if row.tries <= len(WAITS) + 1:
                return row
            self.settle(row, Trouble(self.unfinished, hopeless=True))
        return None

    def _due(self, now: datetime) -> QuerySet[Row]:
        return self.waiting().filter(pending.free("held_at", now=now, lease=LEASE), due_at__lte=now)

    def settle(self, row: Row, trouble: Trouble | None) -> None:
        now, changes = self.now(), dict[str, Any](held_at=None)
        if trouble is None:
            changes |= {"sent_at": now, "problem": "", "reply": None, **self.once_taken}
        else:
            changes |= {"problem": trouble.problem, "reply": trouble.reply}
            if trouble.hopeless or row.tries > len(WAITS):
                changes["failed_at"] = now
            else:
                changes["due_at"] = now + WAITS[row.tries - 1]
        self.waiting().filter(pk=row.pk).update(**changes)


def try_again(rows: QuerySet[Any], now: datetime) -> int:
    """Let what failed, or waits for its next try, be tried now and with all its tries before it; how many it is."""
    tried = rows.filter(sent_at=None, tries__gt=0, held_at=None)
    return tried.update(due_at=now, failed_at=None, tries=0)
