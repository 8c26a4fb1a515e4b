"""The chips that bets are made of at a table of a house: their values, and how many make a bet that can be paid.

Results are kept by table and law, not by rulebook: each house that adopts readings has a rulebook of its own.
"""

from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any

from rules_engine.authoring import Draw, Rulebook, Table
from rules_engine.games.craps import layout

# No player at a generated table has chips of more than so many times the least bet.
LARGEST = 10


def worths(book: Rulebook) -> tuple[int, ...]:
    """The values of chips that players bet with, the smallest first: each is a possible bet by itself, if there are
    such chips."""
    return _worths(book.table, book.law)


@lru_cache(maxsize=64)
def _worths(table: Table, law: Any) -> tuple[int, ...]:
    fitting = [value for value in table.chips_between(1, LARGEST * table.minimum) if value % table.minimum == 0]
    held = [value for value in fitting if _within_limits(table, law, value)]
    return tuple(held or fitting[:1] or table.values[-1:])


def _within_limits(table: Table, law: Any, value: int) -> bool:
    """Whether a bet on any number of any chance can be made with chips of this value."""
    return all(
        _unit(table, law, chance, number, value) <= _most(table, chance, value)
        for chance in layout.CHANCES
        for number in (layout.BOXES if chance in layout.ODDS else layout.PRINTED.get(chance, (0,)))
    )


def unit(book: Rulebook, chance: str, number: int, value: int) -> int:
    """How many chips of a value make the least bet whose multiples can be made and paid at the table. `number` is the
    one that odds and bets on numbers wait for."""
    return _unit(book.table, book.law, chance, number, value)


@lru_cache(maxsize=20_000)
def _unit(table: Table, law: Any, chance: str, number: int, value: int) -> int:
    limit, prices = table.limit(_kind(chance)), _prices(law, chance, number)
    step = lcm(table.minimum, limit.step or 1)
    if chance in layout.NUMBERS:
        # By the other reading of VI 12 too, a multiple of the stake on which its price is quoted.
        step = lcm(step, table.minimum * prices[0].denominator)
    needed = [step // gcd(step, value)]
    for pays in prices:
        whole = pays.denominator * table.values[-1]
        needed.append(whole // gcd(whole, value * pays.numerator))
    count = lcm(*needed)
    return count * max(1, -(-limit.minimum // (count * value)))


def _prices(law: Any, chance: str, number: int) -> list[Fraction]:
    """What a bet may pay. Odds on the don't side also by the inverse of the scale, which a house may adopt (Q28)."""
    scale = {"to-win": "to_win", "to-lose": "to_lose"}.get(chance, "odds" if chance in layout.ODDS else "")
    if not number or not scale:
        return []
    pays = Fraction(*law.numbers[scale]["value"][str(number)])
    return [pays, 1 / pays] if chance in layout.AGAINST_ODDS else [pays]


def most(book: Rulebook, chance: str, value: int) -> int:
    """How many chips of a value the largest bet has; more than anybody bets if the house sets no limit. Odds may be as
    large as the bet that they belong to."""
    return _most(book.table, chance, value)


def _most(table: Table, chance: str, value: int) -> int:
    limit = table.limit(_kind(layout.PARENTS.get(chance, chance))).maximum
    return limit // value if limit else LARGEST**9


def counted(draw: Draw, book: Rulebook, chance: str, number: int, value: int, wanted: tuple[int, int]) -> int:
    """How many chips a player bets: from so many least bets up to so many, within the limits of the house."""
    one = unit(book, chance, number, value)
    largest = max(1, most(book, chance, value) // one)
    return one * draw.number(min(wanted[0], largest), min(max(wanted), largest))


def covering(draw: Draw, book: Rulebook, chance: str, value: int, odds: int) -> int:
    """How many chips a player has on a bet with so many chips of odds: as many, or a little more."""
    one = unit(book, chance, 0, value)
    return one * min(-(-odds // one) + draw.number(0, 2), most(book, chance, value) // one)


def _kind(chance: str) -> str:
    return next((name for name, chances in layout.LIMITS.items() if chance in chances), "")
