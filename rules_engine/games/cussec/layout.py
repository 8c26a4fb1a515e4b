"""The betting board of cussec: every zone that takes chips, and its key.

A key names a zone by its chance and its numbers: `small`, `single.4`, `pair.2-5`, `double.4`, `triple.4`, `total.9`;
`triples` is any of the six.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from rules_engine.authoring import FACES, ImpossibleFacts
from rules_engine.equipment import layout

Chance = Literal["small", "big", "single", "pair", "double", "triple", "triples", "total"]
CHANCES: tuple[Chance, ...] = ("small", "big", "single", "pair", "double", "triple", "triples", "total")
TOTALS = range(4, 18)


class Spot(layout.Spot, frozen=True):
    """One zone of the board."""

    chance: Chance


def _groups() -> Iterator[tuple[Chance, tuple[int, ...]]]:
    yield "small", ()
    yield "big", ()
    yield from (("double", (face,)) for face in FACES)
    yield from (("triple", (face,)) for face in FACES)
    yield "triples", ()
    yield from (("total", (total,)) for total in TOTALS)
    yield from (("pair", pair) for pair in combinations(FACES, 2))
    yield from (("single", (face,)) for face in FACES)


def _made(chance: Chance, numbers: tuple[int, ...]) -> Spot:
    return Spot(f"{chance}.{'-'.join(map(str, numbers))}" if numbers else chance, chance, numbers)


SPOTS = {spot.key: spot for spot in (_made(chance, numbers) for chance, numbers in _groups())}
# The key of every zone by how a bet names it.
KEYS: dict[tuple[str, tuple[int, ...]], str] = {(spot.chance, spot.numbers): spot.key for spot in SPOTS.values()}
PLACE_ON_BOARD = {key: index for index, key in enumerate(SPOTS)}


def spot(chance: str, numbers: tuple[int, ...]) -> str:
    """The key of a bet's zone; ImpossibleFacts where the board has no such zone."""
    key = KEYS.get((chance, numbers)) or KEYS.get((chance, tuple(sorted(numbers))))
    if key is None:
        raise ImpossibleFacts(
            "numbers",
            "the board has no {chance:spot} on {numbers}",
            chance=chance,
            numbers="-".join(map(str, numbers)) or "–",
        )
    return key
