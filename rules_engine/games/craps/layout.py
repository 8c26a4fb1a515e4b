"""The printed layout of craps: every spot that takes chips, and its key: `pass`, `come.6`, `to-win.8`, `hard.4`.

`come` and `dont-come` without a number are the boxes where such a bet begins; with a number, the box it has moved to.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

from msgspec import Meta

from rules_engine import authoring
from rules_engine.authoring import ImpossibleFacts
from rules_engine.games.layout_bets.layout import Layout

Line = Literal["pass", "dont-pass"]
Come = Literal["come", "dont-come"]
LineOdds = Literal["pass-odds", "dont-pass-odds"]
ComeOdds = Literal["come-odds", "dont-come-odds"]
Numbers = Literal["to-win", "to-lose"]
OneThrow = Literal["under", "over", "craps", "total", "field"]
Chance = Literal[Line, Come, LineOdds, ComeOdds, Numbers, "big", "hard", OneThrow]

LINES: tuple[Line, ...] = get_args(Line)
COMES: tuple[Come, ...] = get_args(Come)
LINE_ODDS: tuple[LineOdds, ...] = get_args(LineOdds)
COME_ODDS: tuple[ComeOdds, ...] = get_args(ComeOdds)
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)
ONE_THROW: tuple[OneThrow, ...] = get_args(OneThrow)
CHANCES: tuple[Chance, ...] = get_args(Chance)
ODDS = (*LINE_ODDS, *COME_ODDS)
# The bet that each odds bet belongs to.
PARENTS: dict[str, Chance] = {odds: odds.removesuffix("-odds") for odds in ODDS}  # type: ignore[misc]
AGAINST_ODDS = ("dont-pass-odds", "dont-come-odds")
AGAINST = ("dont-pass", "dont-come", "dont-pass-odds", "dont-come-odds", "to-lose")

# The limits that a house may set, because the law leaves them open: their names, and the chances that each is for. Odds
# have none: the law limits them to the bet that they belong to.
LIMITS: dict[str, tuple[str, ...]] = {
    "line": (*LINES, *COMES),
    "numbers": NUMBERS,
    "others": ("big", "hard", *ONE_THROW),
}

# The numbers in the boxes, which are also the numbers that can be the point.
Point = Literal[4, 5, 6, 8, 9, 10]
BOXES: tuple[Point, ...] = get_args(Point)
TOTALS = range(2, 13)
# The numbers on which each chance has spots; a chance that is not here has a single spot.
PRINTED: dict[Chance, tuple[int, ...]] = {
    **dict.fromkeys((*COMES, *COME_ODDS, *NUMBERS), BOXES),
    "big": (6, 8),
    "hard": (4, 6, 8, 10),
    "total": (2, 3, 7, 11, 12),
}
Number = Annotated[int, Meta(ge=0, le=12, description="the number that a bet lies on; 0 where it lies on none")]


class Spot(authoring.Spot, frozen=True):
    chance: Chance


def _made() -> Iterator[Spot]:
    for chance in CHANCES:
        if chance not in PRINTED or chance in COMES:
            yield Spot(chance, chance)
        yield from (Spot(f"{chance}.{number}", chance, (number,)) for number in PRINTED.get(chance, ()))


LAYOUT = Layout(_made())
SPOTS, named = LAYOUT.spots, LAYOUT.named
# The key of every spot by its chance and the number that the bet lies on.
KEYS: dict[tuple[str, int], str] = {(spot.chance, sum(spot.numbers)): spot.key for spot in SPOTS.values()}


def key_of(chance: str, number: int) -> str:
    """The key of the spot for a bet. Raises ImpossibleFacts if the cloth has no such spot."""
    try:
        return KEYS[chance, number]
    except KeyError:
        raise ImpossibleFacts(
            "number", "the layout has no {chance:spot} on {number}", chance=chance, number=number
        ) from None
