"""The betting board of cussec: every zone that takes chips, and its key.

The key of a zone is its chance and its numbers: `small`, `single.4`, `pair.2-5`, `double.4`, `triple.4`, `total.9`.
`triples` is a bet on any of the six triples.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from rules_engine import authoring
from rules_engine.authoring import FACES, ImpossibleFacts
from rules_engine.games.layout_bets.layout import Layout

Chance = Literal["small", "big", "single", "pair", "double", "triple", "triples", "total"]
CHANCES: tuple[Chance, ...] = ("small", "big", "single", "pair", "double", "triple", "triples", "total")
TOTALS = range(4, 18)


class Spot(authoring.Spot, frozen=True):
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


LAYOUT = Layout(_made(chance, numbers) for chance, numbers in _groups())
SPOTS, named = LAYOUT.spots, LAYOUT.named


def spot(chance: str, numbers: tuple[int, ...]) -> str:
    """The key of the zone for a bet. Raises ImpossibleFacts if the board has no such zone."""
    key = LAYOUT.find(chance, numbers)
    if key is None:
        where = "-".join(map(str, numbers)) or "–"
        raise ImpossibleFacts("numbers", "the board has no {chance:spot} on {numbers}", chance=chance, numbers=where)
    return key
