"""Delivery to servers that may be down: mail to the mail server, webhooks to other systems of the house.

At-least-once: a worker holds a row before it sends it and settles it after. If the worker dies in between, the row is
sent again when its lease has expired; its id lets the receiver drop the duplicate.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import F, QuerySet

from training.platform import pending

LEASE = timedelta(minutes=3)  # longer than any task may run, so that its holder is dead
ROUND = 45.0  # seconds after which a worker lets other tasks run
# The wait after each failed try, about two days in total; then the delivery has failed.
WAITS = [timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240, 480, 720, 1440)]


class Outgoing(models.Model):
    """Something to deliver. Each subclass has its own `problem`: why the last try failed."""

    written_at = models.DateTimeField()
    due_at = models.DateTimeField()  # not tried before
    held_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    reply = models.PositiveSmallIntegerField(null=True, blank=True)  # the status code of the receiver, e.g. 550 or 503
    sent_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=Outgoing)


@dataclass(frozen=True)
class Trouble:
    """Why a delivery failed: `hopeless` if retrying cannot help, `everybodys` if the next one would fail too."""

    problem: str
    reply: int | None = None
    hopeless: bool = False
    everybodys: bool = False


@dataclass(frozen=True, kw_only=True)
class Courier(Generic[Row]):
    """Delivers one kind of row.

    `waiting` are the rows neither delivered nor given up, `unfinished` is the problem of a row that no worker ever
    finished, `once_taken` holds further changes to a delivered row.
    """

    waiting: Callable[[], QuerySet[Row]]
    hand_over: Callable[[Row], Trouble | None]
    unfinished: str
    now: Callable[[], datetime]
    wake: Callable[[], None]
    once_taken: Mapping[str, Any] = field(default_factory=dict)

    def deliver(self) -> int:
        """Deliver the rows that are due, one after the other. Returns how many were delivered."""
        taken, end = 0, time.monotonic() + ROUND
        while (row := self.take_next()) is not None:
            trouble = self.hand_over(row)
            self.settle(row, trouble)
            taken += trouble is None
            if trouble and trouble.everybodys:
                break  # the next one would fail too
            if time.monotonic() > end:
                self.wake()
                break
        return taken

    def is_held(self) -> bool:
        """Whether a worker is delivering."""
        return self.waiting().filter(held_at__gt=self.now() - LEASE).exists()

    def take_next(self) -> Row | None:
        """Hold and return the row that has waited longest. Gives up one that is never finished."""
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
    """Retry failed and waiting rows now, with all tries ahead of them. Returns how many there are."""
    tried = rows.filter(sent_at=None, tries__gt=0, held_at=None)
    return tried.update(due_at=now, failed_at=None, tries=0)
