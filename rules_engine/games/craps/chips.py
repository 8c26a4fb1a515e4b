"""The chips that bets are made of at a table of a house: their values, and how many make a bet that can be paid."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import gcd, lcm

from rules_engine.authoring import Draw, Rulebook
from rules_engine.games.craps import layout
from rules_engine.games.craps.settlement import price

# No player at a generated table has chips of more than so many times the least bet.
LARGEST = 10


@cache
def worths(book: Rulebook) -> tuple[int, ...]:
    """The values of chips that players bet with, the smallest first: each is a possible bet by itself, if there are
    such chips."""
    table = book.table
    fitting = [value for value in table.chips_between(1, LARGEST * table.minimum) if value % table.minimum == 0]
    held = [value for value in fitting if _within_limits(book, value)]
    return tuple(held or fitting[:1] or table.values[-1:])


def _within_limits(book: Rulebook, value: int) -> bool:
    """Whether a bet on any number of any chance can be made with chips of this value."""
    return all(
        unit(book, chance, number, value) <= most(book, chance, value)
        for chance in layout.CHANCES
        for number in (layout.BOXES if chance in layout.ODDS else layout.PRINTED.get(chance, (0,)))
    )


@cache
def unit(book: Rulebook, chance: str, number: int, value: int) -> int:
    """How many chips of a value make the least bet whose multiples can be made and paid at the table. `number` is the
    one that odds and bets on numbers wait for."""
    table, limit = book.table, book.table.limit(_kind(chance))
    step = lcm(table.minimum, limit.step or 1)
    if chance in layout.NUMBERS:
        # By the other reading of VI 12 too, a multiple of the stake on which its price is quoted.
        step = lcm(step, table.minimum * price(book, chance, number).denominator)
    needed = [step // gcd(step, value)]
    for pays in _prices(book, chance, number):
        whole = pays.denominator * table.values[-1]
        needed.append(whole // gcd(whole, value * pays.numerator))
    count = lcm(*needed)
    return count * max(1, -(-limit.minimum // (count * value)))


def _prices(book: Rulebook, chance: str, number: int) -> Iterator[Fraction]:
    """What a bet may pay. Odds on the don't side also by the inverse of the scale, which a house may adopt (Q28)."""
    if not number or chance not in (*layout.ODDS, *layout.NUMBERS):
        return
    pays = price(book, chance, number)
    yield pays
    if chance in layout.AGAINST_ODDS:
        yield 1 / pays


def most(book: Rulebook, chance: str, value: int) -> int:
    """How many chips of a value the largest bet has; more than anybody bets if the house sets no limit. Odds may be as
    large as the bet that they belong to."""
    limit = book.table.limit(_kind(layout.PARENTS.get(chance, chance))).maximum
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
