"""Pending work. The database holds it, a message only wakes a worker (`broker.send_on_commit`), and a sweep does what
was left over by a lost message, a killed worker or a broker that was down.

This module has leases, so that two workers do not do the same work and a dead one does not keep it, and the sweep that
beat calls.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import structlog
from django.db.models import Min, Q, QuerySet

from training.platform import hooks

log = structlog.get_logger(__name__)

Key = TypeVar("Key")


class Owed(NamedTuple):
    """One kind of work: the waiting rows, the column with the time since when, and how many were given up."""

    what: str
    queue: str
    waiting: QuerySet[Any]
    since: str
    given_up: Callable[[], int] = lambda: 0
    patience: timedelta = timedelta(minutes=2)

    def oldest(self) -> datetime | None:
        """Since when the oldest waiting row has waited; None if there is none."""
        found: datetime | None = self.waiting.aggregate(since=Min(self.since))["since"]
        return found


def late(now: datetime) -> list[tuple[str, timedelta]]:
    """The kinds of work that have waited too long, each with the wait of its oldest row."""
    waits = [(kind, now - since) for kind in hooks.owed_work() if (since := kind.oldest())]
    return [(kind.what, wait) for kind, wait in waits if wait > kind.patience]


def free(column: str, *, now: datetime, lease: timedelta) -> Q:
    """A filter for rows without a holder: never taken, or taken so long ago that the holder is dead."""
    return Q(**{column: None}) | Q(**{f"{column}__lte": now - lease})


def take(rows: QuerySet[Any], column: str, *, now: datetime, lease: timedelta, **also: Any) -> bool:
    """Take the lease of one row unless another worker holds it. Update the column again to renew it."""
    return rows.filter(free(column, now=now, lease=lease)).update(**{column: now}, **also) == 1


def sweep(waiting: QuerySet[Any, Key], do: Callable[[Key], object], *, limit: int, what: str) -> int:
    """Call `do` for each waiting key and return how many were done. A failure is logged and does not stop the rest.

    `waiting` are the keys (`values_list("pk", flat=True)`), the longest wait first. `do` returns False if there was
    nothing to do.
    """
    done = 0
    for key in list(waiting[:limit]):
        try:
            done += do(key) is not False
        except OSError as error:  # a server is down: the next sweep tries again
            log.warning("owed_work_delayed", what=what, key=str(key), error=str(error))
        except Exception:
            log.exception("owed_work_failed", what=what, key=str(key))
    return done
