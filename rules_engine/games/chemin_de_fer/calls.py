"""What can be said and done in turn at a chemin de fer table, and by whom."""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine import situation
from rules_engine.authoring import Sum

# Each has a sentence in the words of the game, under `say`.
Says = Literal[
    # The bank: who has it, passes it, buys it.
    "first_hand",
    "pass_bank",
    "offer_level",
    "take",
    "take_for",
    "let_go",
    "round_done",
    "auction_opens",
    "bid",
    # The betting.
    "states_bank",
    "levels_bank",
    "bank_of",
    "banker_by_table",
    "see_stakes",
    "tout_va",
    "place_bets",
    "who_banco",
    "who_completes",
    "banco",
    "banco_alone",
    "banco_partners",
    "banco_sign",
    "banco_table",
    "suivi",
    "completes",
    "plays_equal",
    "announce_please",
    "closed",
    # The cards.
    "card_out",
    "dealt",
    "given_cards",
    "takes_cards",
    "turns_up",
    "draws",
    "card",
    "no",
    "eight",
    "nine",
    # The shoe.
    "no_cut",
    "last_of_shoe",
]
# Words that include a sum.
WITH_SUM = frozenset({"states_bank", "bank_of", "offer_level", "take_for", "bid", "plays_equal"})
PARTS = ("croupier", "banker", "ponto", "inspector")
Speaker = Annotated[
    str,
    Meta(
        pattern=f"^([1-9][a-i]?|{'|'.join(PARTS)})$",
        description="a place at the table, or the part that somebody has in the game",
    ),
]


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn, by a player at his place or by somebody with a role in the game."""

    by: Speaker
    says: Says
    amount: Sum | None = None
