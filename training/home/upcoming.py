"""What lies ahead of a trainee: an exam that is open now, and how ready they are for the next one.

Exams stand on training and are not known here: they say at the start that they are to be asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from training.people.models import User


@dataclass(frozen=True)
class OpenNow:
    """An exam that may be begun now."""

    name: str
    title: str
    address: str
    until: datetime


@dataclass(frozen=True)
class ToPractise:
    subject: str  # rulebook/topic, as practice takes it
    name: str
    difficulty: int
    percent: int


@dataclass(frozen=True)
class Next:
    """The next exam of the person's, and what memory promises for it."""

    name: str
    at: datetime
    percent: int
    needed: int
    to_practise: list[ToPractise]
    mock: str  # where it can be rehearsed


@dataclass(frozen=True)
class Ahead:
    now: list[OpenNow]
    next: Next | None = None


NOTHING = Ahead(now=[])
Asked = Callable[[User, datetime, str], Ahead]
_asked: list[Asked] = []


def ask_for_exams(asked: Asked) -> None:
    """For `AppConfig.ready`."""
    if asked not in _asked:
        _asked.append(asked)


def ahead_of(trainee: User, now: datetime, language: str) -> Ahead:
    return next((asked(trainee, now, language) for asked in _asked), NOTHING)
