"""Hooks that appeals declare for higher packages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from training.people.models import User
from training.platform.hooks import AllAnswers

LODGE_WITHIN = timedelta(days=30)  # stated in the letters and documented in docs/operating.md


@dataclass(frozen=True)
class Contestable:
    """Something that a person may object to, until when, and who did it."""

    kind: str
    key: str  # primary key of the contested row
    about: str  # the programme or the certificate
    at: datetime
    doers: frozenset[int]

    @property
    def until(self) -> datetime:
        return self.at + LODGE_WITHIN


def people(*found: int | None) -> frozenset[int]:
    """The ids of people among these; None stands for an act by a rule or the calendar."""
    return frozenset(one for one in found if one is not None)


@AllAnswers
def contestable(person: User) -> Iterable[Contestable]:
    """What a person may object to, besides results, annulments and refused entry. Asked by `objections.contestable`."""
    return ()
