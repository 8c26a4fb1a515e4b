"""Exact odds of craps: how often every bet wins and what the house keeps, throw by throw until the bet is decided.

A bet that stays is thrown for again. The chain of throws ends with a win, a loss or a void throw, in which nothing is
won or lost. Every throw is settled by the rules of the game.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from rules_engine.authoring import EngineError, Odds, Price, Rulebook, throws
from rules_engine.games.craps import layout
from rules_engine.games.craps.settlement import Fate, point_after, price, verdict
from rules_engine.games.craps.table import DICE, Bar
from rules_engine.games.layout_bets.odds import Ends, odds_from

DECIDED: dict[Fate, int] = {"wins": 1, "loses": -1, "void": 0}


def odds(book: Rulebook, **options: int) -> Odds:
    """The odds of every bet. Two dice have no options, such as a number of packs."""
    for name in options:
        raise EngineError("craps has none", fact=name)
    asked: dict[Price, Ends] = {
        (name, _prices(book, chance, number or point or 0)): ends_of(book, chance, number, point)
        for name, chance, number, point in _asked()
    }
    count = len(throws(DICE))
    return odds_from(book, f"{count} throws of two dice", asked, count)


def _prices(book: Rulebook, chance: str, number: int) -> str:
    """What a bet pays; the field has two prices."""
    numbers = map(int, book.param("field")) if chance == "field" else [number]
    return ", ".join(map(str, sorted({price(book, chance, one) for one in numbers})))


def _asked() -> Iterator[tuple[str, str, int, int | None]]:
    """Every spot where a bet begins, as name, chance, number and point. Odds on the line have one entry per point."""
    for spot in layout.SPOTS.values():
        number = sum(spot.numbers)
        if spot.chance in layout.LINE_ODDS:
            yield from ((f"{spot.key}.{point}", spot.chance, 0, point) for point in layout.BOXES)
        elif spot.chance not in layout.COMES or not number:
            yield spot.key, spot.chance, number, None


@cache
def ends_of(book: Rulebook, chance: str, number: int, point: int | None = None, bar: Bar = "sixes") -> Ends:
    """The probability of every net result of one unit, once the bet is decided."""
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
    """The number the bet lies on and its point after a throw that did not decide it."""
    if fate == "moves":
        return total, point
    return number, point_after(book, point, total) if chance in layout.LINES else point
