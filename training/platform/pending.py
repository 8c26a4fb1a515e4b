"""Work that is owed. The database says what waits, a message only wakes a worker, and a sweep does what no message led
to: one that got lost, a worker that was killed, a broker that was away.

Waking is `broker.send_on_commit`. Here are the other two parts: taking a piece of work for a while (a lease), so that
two workers are not at it together and a dead one does not keep it; and the sweep that beat calls.
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
    """Work of one kind: the rows that wait, the column that says since when, how many are no longer tried, and how long
    a row may wait before the platform counts as not ready."""

    what: str
    queue: str
    waiting: QuerySet[Any]
    since: str
    given_up: Callable[[], int] = lambda: 0
    patience: timedelta = timedelta(minutes=2)

    def oldest(self) -> datetime | None:
        """Since when the row waits that has waited longest."""
        found: datetime | None = self.waiting.aggregate(since=Min(self.since))["since"]
        return found


def late(now: datetime) -> list[tuple[str, timedelta]]:
    """The kinds of work that wait too long, each with how long its oldest piece has waited."""
    waits = [(kind, now - since) for kind in hooks.owed_work() if (since := kind.oldest())]
    return [(kind.what, wait) for kind, wait in waits if wait > kind.patience]


def free(column: str, *, now: datetime, lease: timedelta) -> Q:
    """Rows that nobody holds: never taken, or taken so long ago that whoever did is dead."""
    return Q(**{column: None}) | Q(**{f"{column}__lte": now - lease})


def take(rows: QuerySet[Any], column: str, *, now: datetime, lease: timedelta, **also: Any) -> bool:
    """Hold one row from now on, unless another worker does. Holding it goes on by writing the column again."""
    return rows.filter(free(column, now=now, lease=lease)).update(**{column: now}, **also) == 1


def sweep(waiting: QuerySet[Any, Key], do: Callable[[Key], object], *, limit: int, what: str) -> int:
    """Do each piece of work that waits; how many were done. One that fails is logged and keeps no other waiting.

    `waiting` are the keys (`values_list("pk", flat=True)`), the longest wait first. `do` says False where there was
    nothing to do after all.
    """
    done = 0
    for key in list(waiting[:limit]):
        try:
            done += do(key) is not False
        except OSError as error:  # a server is away: the next sweep tries again
            log.warning("owed_work_delayed", what=what, key=str(key), error=str(error))
        except Exception:
            log.exception("owed_work_failed", what=what, key=str(key))
    return done
