"""What higher packages tell the library about exams, and what it tells them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from training.people.models import User
from training.platform.hooks import AllAnswers, Event, OneAnswer


@dataclass(frozen=True)
class Exposure:
    """How many candidates have met a scenario, the number at which exams stop using it, and whether one uses it now."""

    candidates: int = 0
    most: int = 0
    in_use: bool = False

    @property
    def spent(self) -> bool:
        return self.candidates >= self.most


@OneAnswer
def exposure(item_ids: Collection[UUID]) -> Mapping[UUID, Exposure]:
    """How often each of these items was put in exams. Called by the page of a scenario in the bank, and before one is
    given to practice, in the transaction that does so."""
    return {pk: Exposure() for pk in item_ids}


@dataclass(frozen=True)
class Guarded:
    """A guarded case. `about` names it, `stamp` says when it last changed; `session` is the exam session that uses it
    now, `item` the scenario of the library that it comes from."""

    about: str
    stamp: str = ""
    session: UUID | None = None
    item: UUID | None = None


class Source(Protocol):
    """A package that has cases to guard."""

    def cases(self, rulebooks: Collection[str]) -> Iterable[Guarded]:
        """All cases that are guarded now under any of these rulebooks; in one query."""

    def documents(self, cases: Collection[Guarded]) -> Iterable[tuple[str, Any]]:
        """The stored scenario of each of these cases, by `about`; in one query."""


@AllAnswers
def guarded_sources() -> Iterable[Source]:
    """Sources of guarded cases besides the bank. Called whenever a ruling is about to be shown."""
    return ()


@dataclass(frozen=True)
class Asked:
    """The guarded case that was asked about, and a digest of the facts that were sent."""

    case: Guarded
    digest: str


@Event
def ruling_asked(person: User, route: str, asked: Asked) -> None:
    """A person asked, by this route, for the ruling on a guarded case. Called after the request was answered and its
    transaction is over."""
