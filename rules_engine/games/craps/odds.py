"""Exact chances of craps: how often every bet wins, and what the house keeps of it, throw by throw until it is decided.

A bet that stays is thrown for again, so that each is a chain that ends with a win, a loss or a void throw. The chain
walks by the rules' own settlement. A void throw ends it with nothing won or lost.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from rules_engine.authoring import EngineError, Odds, Price, Rulebook, odds_of, throws
from rules_engine.games.craps import layout
from rules_engine.games.craps.settlement import Fate, point_after, price, verdict
from rules_engine.games.craps.table import DICE, Bar

Ends = dict[Fraction, Fraction]  # how often one unit brings what
DECIDED: dict[Fate, int] = {"wins": 1, "loses": -1, "void": 0}


def odds(book: Rulebook, **options: int) -> Odds:
    """Two dice are always two dice: there is nothing to choose, such as a number of packs."""
    for name in options:
        raise EngineError("craps has none", fact=name)
    asked: dict[Price, Ends] = {
        (name, _prices(book, chance, number or point or 0)): ends_of(book, chance, number, point)
        for name, chance, number, point in _asked()
    }
    count = len(throws(DICE))
    return odds_of(
        book.id,
        f"{count} throws of two dice",
        {name: won(ends) for (name, _), ends in asked.items()},
        {price: edge(ends) for price, ends in asked.items()},
        results=asked,
        count=count,
    )


def _prices(book: Rulebook, chance: str, number: int) -> str:
    """What a bet pays; the field has two prices."""
    numbers = map(int, book.param("field")) if chance == "field" else [number]
    return ", ".join(map(str, sorted({price(book, chance, one) for one in numbers})))


def _asked() -> Iterator[tuple[str, str, int, int | None]]:
    """Every spot where a bet begins: its name, chance and number, and the point. Odds on the line, by the point."""
    for spot in layout.SPOTS.values():
        number = sum(spot.numbers)
        if spot.chance in layout.LINE_ODDS:
            yield from ((f"{spot.key}.{point}", spot.chance, 0, point) for point in layout.BOXES)
        elif spot.chance not in layout.COMES or not number:
            yield spot.key, spot.chance, number, None


def won(ends: Ends) -> Fraction:
    """How often a bet wins that ends so."""
    return sum((often for brings, often in ends.items() if brings > 0), Fraction(0))


def edge(ends: Ends) -> Fraction:
    """The house's part of every unit staked on a bet that ends so."""
    return -sum((brings * often for brings, often in ends.items()), Fraction(0))


@cache
def ends_of(book: Rulebook, chance: str, number: int, point: int | None = None, bar: Bar = "sixes") -> Ends:
    """How often one unit brings what, once the bet is decided."""
    ends: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    every = throws(DICE)
    again = 0
    for dice in every:
        found = verdict(book, chance, number, dice=dice, point=point, bar=bar)
        state = _after(book, found.fate, chance, number, point, sum(dice))
        if found.fate in DECIDED:
            ends[found.pays if found.fate == "wins" else Fraction(DECIDED[found.fate])] += 1
        elif state == (number, point):
            again += 1
        else:
            for brings, often in ends_of(book, chance, *state, bar).items():
                ends[brings] += often
    return {brings: ways / (len(every) - again) for brings, ways in ends.items()}


def _after(
    book: Rulebook, fate: Fate, chance: str, number: int, point: int | None, total: int
) -> tuple[int, int | None]:
    """The number that a bet lies on and the point it waits for after a throw that did not decide it."""
    if fate == "moves":
        return total, point
    return number, point_after(book, point, total) if chance in layout.LINES else point
