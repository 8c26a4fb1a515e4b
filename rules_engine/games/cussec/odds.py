"""Exact odds of cussec: how often every bet wins and what the house keeps, from the prizes of the rulebook."""

from fractions import Fraction

from rules_engine.authoring import EngineError, Odds, Price, Rulebook, throws
from rules_engine.games.cussec import layout, settlement
from rules_engine.games.cussec.table import Bet
from rules_engine.games.layout_bets.odds import Ends, edge, ends_of, odds_from


def odds(book: Rulebook, **options: int) -> Odds:
    """The odds of every chance and every total. Three dice have no options, such as a number of packs."""
    for name in options:
        raise EngineError("cussec has none", fact=name)
    spots: dict[str, str] = {}
    for spot in layout.SPOTS.values():
        # Each total has its own price; the zones of any other chance all pay the same.
        spots.setdefault(spot.key if spot.chance == "total" else spot.chance, spot.key)
    ends = {name: _ends(book, spot) for name, spot in spots.items()}
    asked: dict[Price, Ends] = {(name, _prices(found)): found for name, found in ends.items()}
    count = len(throws(book.number("dice")))
    return odds_from(book, f"{count} throws", asked, count)


def edge_of(book: Rulebook, spot: str) -> Fraction:
    """The share of every unit staked in a zone that the house keeps."""
    return edge(_ends(book, spot))


def _prices(ends: Ends) -> str:
    """What a bet pays to one: `1, 2, 3` if that depends on the dice."""
    return ", ".join(map(str, sorted(net for net in ends if net > 0)))


def _ends(book: Rulebook, spot: str) -> Ends:
    place = layout.SPOTS[spot]
    bet = Bet(player="1", chance=place.chance, numbers=place.numbers, count=1, value=1)
    return ends_of(settlement.prize(book, bet, throw) for throw in throws(book.number("dice")))
