"""Exact odds of roulette: how often every bet wins and what the house keeps, from the prizes of the rulebook."""

from fractions import Fraction

from rules_engine.authoring import EngineError, Odds, Price, Rulebook
from rules_engine.games.layout_bets.odds import Ends, edge, ends_of, odds_from
from rules_engine.games.roulette import layout, settlement
from rules_engine.games.roulette.table import Bet

# An even stake, so that every prize is a whole number.
STAKE = 2


def odds(book: Rulebook, **options: int) -> Odds:
    """The odds of every chance. A wheel has no options, such as a number of packs."""
    for name in options:
        raise EngineError("roulette has none", fact=name)
    spots: dict[str, str] = {}
    for spot in layout.SPOTS.values():
        spots.setdefault(spot.chance, spot.key)
    asked: dict[Price, Ends] = {(name, settlement.times(book, name)): _ends(book, spot) for name, spot in spots.items()}
    count = book.number("pockets")
    return odds_from(book, f"{count} pockets", asked, count)


def edge_of(book: Rulebook, spot: str) -> Fraction:
    """The share of every unit staked on a spot that the house keeps."""
    return edge(_ends(book, spot))


def _ends(book: Rulebook, spot: str) -> Ends:
    place = layout.at(spot)
    bet = Bet(player="1", chance=place.chance, numbers=place.numbers, count=1, value=STAKE)
    return ends_of((settlement.prize(book, bet, number) for number in range(book.number("pockets"))), STAKE)
