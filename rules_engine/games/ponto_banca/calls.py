"""What can be said in turn at a ponto e banca table, and by whom."""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine import situation
from rules_engine.authoring import Sum

# Each has a sentence in the words of the game, under `say`.
Says = Literal["place_bets", "closed", "declines", "no_cut", "last_coup"]
CROUPIER = "croupier"
Speaker = Annotated[
    str, Meta(pattern=f"^([1-9][a-i]?|{CROUPIER})$", description="a place at the table, or the croupier")
]


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said in turn, by a player at his place or by the croupier."""

    by: Speaker
    says: Says
    amount: Sum | None = None
