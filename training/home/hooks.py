"""Hooks through which other packages add to the home page."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from training.people.models import User
from training.platform.hooks import AllAnswers, OneAnswer


@dataclass(frozen=True)
class OpenNow:
    """An exam that is open now."""

    name: str
    title: str
    address: str
    until: datetime
    why: str = ""  # why nobody can begin it, or ""


@dataclass(frozen=True)
class ToPractise:
    subject: str  # rulebook/topic, as in the practice form
    name: str
    difficulty: int
    percent: int


@dataclass(frozen=True)
class Next:
    """A trainee's next exam, and how ready they are by their memory of the rules."""

    name: str
    at: datetime
    percent: int
    needed: int
    to_practise: list[ToPractise]
    mock: str  # URL of the mock exam


@dataclass(frozen=True)
class Ahead:
    now: list[OpenNow]
    next: Next | None = None


NOTHING = Ahead(now=[])


@OneAnswer
def exams_ahead(person: User, now: datetime, language: str) -> Ahead:
    """The exams that are open to a trainee now, and the next one. Called by the home page of trainees."""
    return NOTHING


@OneAnswer
def held_rulebooks(person: User) -> list[str]:
    """The rulebooks that a trainee's valid certificates cover, in one query. Called by the home page of trainees."""
    return []


@dataclass(frozen=True)
class Waiting:
    """A number of pieces of work of one kind, and the page to do them on. `kind` is an id and is not shown."""

    kind: str
    label: str
    count: int
    address: str
    late: int = 0  # how many of them are overdue
    about: str = ""


@AllAnswers
def work_waiting(person: User, now: datetime) -> Iterable[Waiting]:
    """The work that waits for a member of staff, by their roles, in a fixed number of queries. Called by the home page
    of staff, and in the transaction that mails them what waits."""
    return ()
