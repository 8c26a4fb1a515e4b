"""Exact chances of roulette: how often every bet wins and what the house keeps of it, by the rulebook's own prizes."""

from collections import Counter
from fractions import Fraction

from rules_engine.authoring import EngineError, Odds, Rulebook, odds_of
from rules_engine.games.roulette import layout, settlement
from rules_engine.games.roulette.table import Bet

# Divides by two, so that every prize is whole.
STAKE = 2


def odds(book: Rulebook, **options: int) -> Odds:
    """A wheel is always whole: there is nothing to choose, such as a number of packs."""
    for name in options:
        raise EngineError("roulette has none", fact=name)
    spots: dict[str, str] = {}
    for spot in layout.SPOTS.values():
        spots.setdefault(spot.chance, spot.key)
    prices = {(chance, settlement.times(book, chance)): spot for chance, spot in spots.items()}
    return odds_of(
        book.id,
        f"{book.number('pockets')} pockets",
        {chance: won_by(book, spot) for chance, spot in spots.items()},
        {price: edge_of(book, spot) for price, spot in prices.items()},
        results={price: ends_of(book, spot) for price, spot in prices.items()},
        count=book.number("pockets"),
    )


def won_by(book: Rulebook, spot: str) -> Fraction:
    """How often a spot wins: every pocket settled, one by one."""
    results = _results(book, spot)
    return Fraction(sum(result > 0 for result in results), len(results))


def edge_of(book: Rulebook, spot: str) -> Fraction:
    """The house's part of every unit staked on a spot."""
    results = _results(book, spot)
    return -Fraction(sum(results), len(results) * STAKE)


def ends_of(book: Rulebook, spot: str) -> dict[Fraction, Fraction]:
    """How often one unit on a spot brings what."""
    results = _results(book, spot)
    return {Fraction(brings, STAKE): Fraction(often, len(results)) for brings, often in Counter(results).items()}


def _results(book: Rulebook, spot: str) -> list[int]:
    place = layout.at(spot)
    bet = Bet(player="1", chance=place.chance, numbers=place.numbers, count=1, value=STAKE)
    return [settlement.prize(book, bet, number) for number in range(book.number("pockets"))]
