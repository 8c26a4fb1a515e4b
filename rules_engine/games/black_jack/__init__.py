"""Black jack/21, by the regulation of 1995."""

# Each module registers its rules when it is imported.
from rules_engine.games.black_jack import (  # noqa: F401
    bank,
    betting,
    counting,
    doubling,
    faults,
    house_tables,
    insurance,
    last_coup,
    naturals,
    payout,
    play,
    remarks,
    seating,
    shoe,
    special,
    splitting,
    surrender,
)
from rules_engine.games.black_jack.game import GAME

__all__ = ["GAME"]
