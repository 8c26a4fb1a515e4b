"""What higher packages show on the home page."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from training.people.models import User
from training.platform.hooks import AllAnswers, OneAnswer


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
    """A trainee's next exam, and how ready their memory of the rules says they are."""

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


@OneAnswer
def exams_ahead(person: User, now: datetime, language: str) -> Ahead:
    """The exams that are open to a trainee now, and the next one. Called by the home page of trainees."""
    return NOTHING


@dataclass(frozen=True)
class Waiting:
    """So many pieces of work of one kind, and where they are done. `kind` tells them apart and is not shown."""

    kind: str
    label: str
    count: int
    address: str
    late: int = 0  # how many of them are past their time
    about: str = ""


@AllAnswers
def work_waiting(person: User, now: datetime) -> Iterable[Waiting]:
    """The work that waits for a member of staff, by their roles, in a fixed number of queries. Called by the home page
    of staff, and in the transaction that mails them what waits."""
    return ()
