"""Exact odds of banca francesa: every throw settled by the prizes of the rulebook, until one decides."""

from fractions import Fraction

from rules_engine.authoring import EngineError, Odds, Rulebook, odds_of, throws
from rules_engine.games.banca_francesa import settlement
from rules_engine.games.banca_francesa.layout import CHANCES
from rules_engine.games.banca_francesa.table import Bet

# An even number, so that the bet may be on a line.
CHIPS = 2


def odds(book: Rulebook, **options: int) -> Odds:
    """The odds of every chance. Three dice have no options, such as a number of packs."""
    for name in options:
        raise EngineError("banca francesa has none", fact=name)
    deciding = [chance for chance in _chances(book) if chance != settlement.NONE]
    return odds_of(
        book.id,
        f"{len(deciding)} throws that decide, of {len(_chances(book))}",
        {chance: Fraction(deciding.count(chance), len(deciding)) for chance in CHANCES},
        {(chance, Fraction(book.param("payouts")[chance])): edge_of(book, chance) for chance in CHANCES},
        count=len(deciding),
    )


def edge_of(book: Rulebook, spot: str) -> Fraction:
    """The share of every unit bet on a spot that the house keeps, once a throw decides."""
    bet = Bet(player="1", spot=spot, count=CHIPS, value=1)
    settled = [one for chance in _chances(book) for one in settlement.outcomes(book, [bet], chance)]
    decided = [one for one in settled if one.prize]
    return -Fraction(sum(one.prize for one in decided), sum(one.stake for one in decided))


def _chances(book: Rulebook) -> list[str]:
    """The chance that wins with every throw; all throws are equally likely."""
    return [settlement.chance_of(book, dice) for dice in throws(book.number("dice_in_set"))]
