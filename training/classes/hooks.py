"""Hooks that other packages subscribe to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from training.people.models import User
from training.platform.hooks import AllAnswers


@dataclass(frozen=True)
class SetTable:
    """A live table set as work. `url` starts it."""

    title: str
    room: str
    due_at: datetime
    done: bool
    overdue: bool
    url: str


@AllAnswers
def tables_set(trainee: User, now: datetime) -> Iterable[SetTable]:
    """The live tables set for a trainee. Called by the pages that list set work."""
    return ()
