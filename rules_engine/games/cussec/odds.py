"""Exact chances of cussec: how often every bet wins and what the house keeps of it, by the rulebook's own prizes."""

from collections import Counter
from fractions import Fraction

from rules_engine.authoring import EngineError, Odds, Price, Rulebook, odds_of, throws
from rules_engine.games.cussec import layout, settlement
from rules_engine.games.cussec.table import Bet


def odds(book: Rulebook, **options: int) -> Odds:
    """The dice are always the same: there is nothing to choose, such as a number of packs."""
    for name in options:
        raise EngineError("cussec has none", fact=name)
    spots: dict[str, str] = {}
    for spot in layout.SPOTS.values():
        # Totals are paid each by its own; of any other chance one zone is like another.
        spots.setdefault(spot.key if spot.chance == "total" else spot.chance, spot.key)
    prices: dict[Price, str] = {(name, _prices(book, spot)): spot for name, spot in spots.items()}
    count = len(throws(book.number("dice")))
    return odds_of(
        book.id,
        f"{count} throws",
        {name: won_by(book, spot) for name, spot in spots.items()},
        {price: edge_of(book, spot) for price, spot in prices.items()},
        results={price: ends_of(book, spot) for price, spot in prices.items()},
        count=count,
    )


def won_by(book: Rulebook, spot: str) -> Fraction:
    """How often a zone wins: every throw settled, one by one."""
    results = _results(book, spot)
    return Fraction(sum(result > 0 for result in results), len(results))


def edge_of(book: Rulebook, spot: str) -> Fraction:
    """The house's part of every unit staked in a zone."""
    results = _results(book, spot)
    return -Fraction(sum(results), len(results))


def ends_of(book: Rulebook, spot: str) -> dict[Fraction, Fraction]:
    """How often one unit in a zone brings what."""
    results = _results(book, spot)
    return {Fraction(brings): Fraction(often, len(results)) for brings, often in Counter(results).items()}


def _prices(book: Rulebook, spot: str) -> str:
    """What it pays to one: `1, 2, 3` where that depends on the dice."""
    return ", ".join(map(str, sorted({result for result in _results(book, spot) if result > 0})))


def _results(book: Rulebook, spot: str) -> list[int]:
    place = layout.SPOTS[spot]
    bet = Bet(player="1", chance=place.chance, numbers=place.numbers, count=1, value=1)
    return [settlement.prize(book, bet, throw) for throw in throws(book.number("dice"))]
