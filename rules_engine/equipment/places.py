"""People and where they are: numbered seats, and those who stand behind them.

`4` is the player in seat 4; `4a`, `4b` stand behind it, in order of arrival.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta

from rules_engine.errors import ImpossibleFacts
from rules_engine.situation import Call, Situation

MOST_SEATS = 9  # the largest number a place can have; the law says how many a table has

PLACE = "[1-9][a-i]?"
Seat = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
Place = Annotated[
    str, Meta(pattern=f"^{PLACE}$", max_length=2, description="seat number, with a letter for a standing player")
]
_PLACE = re.compile(PLACE)


class Seated(Situation, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table with people at it."""

    seats: tuple[Seat, ...]
    standing: tuple[Place, ...] = ()

    def people(self) -> tuple[str, ...]:
        return (*names(tuple(sorted(self.seats))), *sorted(self.standing))

    def part(self, who: str) -> str | None:
        """The place of whoever has a role in the game, such as the banker."""
        return None

    def whereabouts(self, who: str) -> str:
        return self.part(who) or who

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        if kind not in ("player", "players"):
            return super().pointed(name, kind, value)
        people = [value] if isinstance(value, (str, int)) else value or ()
        places = (self.whereabouts(str(who)) for who in people)
        return [place for place in places if is_place(place)]


@lru_cache(maxsize=1_000)
def names(seats: tuple[int, ...]) -> tuple[str, ...]:
    """The places of these seats. Cached, because the same few sets of seats are asked for again and again."""
    return tuple(map(str, seats))


def is_place(who: str) -> bool:
    return _PLACE.fullmatch(who) is not None


def check_present(seats: tuple[int, ...], standing: tuple[str, ...]) -> set[str]:
    """Check that no place is listed twice. Returns the places of everybody at the table."""
    present = set(names(seats))
    if len(present) != len(seats):
        raise ImpossibleFacts("seats", "a seat is listed twice")
    if standing:
        if len(set(standing)) != len(standing):
            raise ImpossibleFacts("standing", "a place is listed twice")
        for place in standing:
            if place.isdigit():
                raise ImpossibleFacts("standing", "{place} is a seat, not a standing place", place=place)
        present.update(standing)
    return present


def check_calls(
    calls: Iterable[Call], present: Collection[str], *, parts: Collection[str], with_sum: Collection[str] = ()
) -> None:
    """Check that whoever speaks is at the table or has a role in the game, and that words that name a sum have one."""
    for index, call in enumerate(calls):
        if call.by not in present and call.by not in parts:
            raise ImpossibleFacts(f"calls[{index}].by", "nobody is at {place}", place=call.by)
        if call.amount is None and call.says in with_sum:
            raise ImpossibleFacts(f"calls[{index}].amount", "these words name a sum")
