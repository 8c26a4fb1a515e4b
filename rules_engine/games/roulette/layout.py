"""The printed layout of single-zero roulette: every spot that takes chips, the numbers it covers, and its key.

Numbers stand in rows of three, from 1-2-3 to 34-35-36, with the zero at the head across all three columns. The key of
a spot lists the numbers it covers or names it: `17`, `17-20`, `16-17-18`, `dozen.1`, `columns.2-3`, `red`.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from rules_engine import authoring
from rules_engine.authoring import ImpossibleFacts, UnknownName
from rules_engine.games.layout_bets.layout import Layout

Pocket = Annotated[int, Meta(ge=0, le=36, description="a number of the wheel")]
Inside = Literal["straight", "split", "street", "corner", "line"]
Thirds = Literal["dozen", "column", "dozens", "columns"]
Simple = Literal["even", "odd", "low", "high", "red", "black"]
Chance = Literal[Inside, Thirds, Simple]
Colour = Literal["red", "black", "none"]

# The kinds of bets that have a limit; the six even chances have one together.
LIMITED = (*get_args(Inside), *get_args(Thirds), "simple")
COLUMNS = 3
NUMBERS = range(1, 37)
POCKETS = range(37)
ROWS = tuple(tuple(range(first, first + COLUMNS)) for first in NUMBERS[::COLUMNS])
# These are the colours of every printed cloth; the regulations only say that they alternate round the wheel.
RED = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))
SIMPLE: dict[Simple, frozenset[int]] = {
    "even": frozenset(NUMBERS[1::2]),
    "odd": frozenset(NUMBERS[::2]),
    "low": frozenset(NUMBERS[:18]),
    "high": frozenset(NUMBERS[18:]),
    "red": RED,
    "black": frozenset(NUMBERS) - RED,
}
# The bets that include the zero, besides its own field: where it borders the first row.
WITH_ZERO = {"split": ((0, 1), (0, 2), (0, 3)), "street": ((0, 1, 2), (0, 2, 3)), "corner": ((0, 1, 2, 3),)}


class Spot(authoring.Spot, frozen=True):
    """One spot of the cloth. `numbers` are the numbers it covers; for dozens and columns, which of the three."""

    chance: Chance
    covers: frozenset[int] = frozenset()


def dozen_of(number: int) -> int:
    """1 to 3, or 0 for the zero."""
    return (number + 11) // 12


def column_of(number: int) -> int:
    """1 to 3, or 0 for the zero."""
    return (number - 1) % COLUMNS + 1 if number else 0


def _groups() -> Iterator[tuple[Chance, tuple[int, ...]]]:
    """Every bet on up to six numbers, with the numbers it covers."""
    yield from (("straight", (number,)) for number in POCKETS)
    yield from (("split", pair) for pair in WITH_ZERO["split"])
    for number in NUMBERS:
        beside, below = number + 1, number + COLUMNS
        yield from (("split", (number, other)) for other in (beside,) if column_of(number) < COLUMNS)
        yield from (("split", (number, other)) for other in (below,) if other in NUMBERS)
    yield from (("street", row) for row in (*WITH_ZERO["street"], *ROWS))
    yield from (("corner", square) for square in WITH_ZERO["corner"])
    for above, under in pairwise(ROWS):
        yield from (("corner", (*above[left : left + 2], *under[left : left + 2])) for left in range(COLUMNS - 1))
    yield from (("line", above + under) for above, under in pairwise(ROWS))


def _thirds() -> Iterator[tuple[Chance, tuple[int, ...]]]:
    """Dozens and columns: one, or two side by side."""
    for one, two in (("dozen", "dozens"), ("column", "columns")):
        yield from ((one, (third,)) for third in (1, 2, 3))  # type: ignore[misc]
        yield from ((two, pair) for pair in ((1, 2), (2, 3)))  # type: ignore[misc]


def _made() -> Iterator[Spot]:
    for chance, numbers in _groups():
        yield Spot("-".join(map(str, numbers)), chance, numbers, frozenset(numbers))
    for chance, thirds in _thirds():
        third_of = dozen_of if chance.startswith("dozen") else column_of
        covers = frozenset(number for number in NUMBERS if third_of(number) in thirds)
        yield Spot(f"{chance}.{'-'.join(map(str, thirds))}", chance, thirds, covers)
    for chance, covers in SIMPLE.items():
        yield Spot(chance, chance, (), covers)


class Cloth(Layout[Spot]):
    def named(self, key: str) -> dict[str, Any]:
        """An inside bet is named by its chance and its numbers, a line by its first and last, any other by its key."""
        if not key[0].isdigit():
            return {"spot": key, "name": key, "at": ""}
        place = self.spots[key]
        numbers = f"{place.numbers[0]}/{place.numbers[-1]}" if place.chance == "line" else key
        return {"spot": key, "name": place.chance, "at": f" {numbers}"}


LAYOUT = Cloth(_made())
SPOTS, named = LAYOUT.spots, LAYOUT.named


def spots() -> tuple[str, ...]:
    """The keys of all spots, inside bets first."""
    return tuple(SPOTS)


def at(key: str) -> Spot:
    try:
        return SPOTS[key]
    except KeyError:
        raise UnknownName("spot of the layout", key) from None


def spot(chance: str, numbers: tuple[int, ...]) -> str:
    """The key of the spot for a bet. Raises ImpossibleFacts if the cloth has no such spot."""
    key = LAYOUT.find(chance, numbers)
    if key is None:
        where = "-".join(map(str, numbers)) or "–"
        raise ImpossibleFacts("numbers", "the layout has no {chance:spot} on {numbers}", chance=chance, numbers=where)
    return key


def numbers(key: str) -> frozenset[int]:
    """The numbers that a spot covers."""
    return at(key).covers


def chance(key: str) -> Chance:
    return at(key).chance


def around(number: int, chance: str) -> tuple[str, ...]:
    """Every spot of a chance that covers a number, in printed order."""
    return _AROUND[number, chance]


_AROUND: dict[tuple[int, str], tuple[str, ...]] = {
    (number, chance): tuple(spot.key for spot in LAYOUT.of_chance(chance) if number in spot.covers)
    for number in POCKETS
    for chance in {spot.chance for spot in SPOTS.values()}
}
