"""Exact odds of a bet: the probability of each net result of one unit."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from rules_engine.authoring import Odds, Price, Rulebook, odds_of

# The probability of every net result of a bet of one unit.
Ends = dict[Fraction, Fraction]


def ends_of(results: Iterable[int], stake: int = 1) -> Ends:
    """The ends of a bet, from its net result for every number or throw, all equally likely."""
    counted = Counter(results)
    return {Fraction(net, stake): Fraction(often, counted.total()) for net, often in counted.items()}


def won(ends: Ends) -> Fraction:
    """How often the bet wins."""
    return sum((often for net, often in ends.items() if net > 0), Fraction(0))


def edge(ends: Ends) -> Fraction:
    """The share of every unit staked that the house keeps."""
    return -sum((net * often for net, often in ends.items()), Fraction(0))


def odds_from(book: Rulebook, of: str, asked: Mapping[Price, Ends], count: int) -> Odds:
    """The odds of a game from the ends of each of its bets, by name and price."""
    return odds_of(
        book.id,
        of,
        {name: won(ends) for (name, _), ends in asked.items()},
        {price: edge(ends) for price, ends in asked.items()},
        results=dict(asked),
        count=count,
    )
