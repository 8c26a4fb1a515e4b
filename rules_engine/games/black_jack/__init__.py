"""Black jack/21, by the regulation of 1995."""

# Each module registers its rules when it is imported.
from rules_engine.games.black_jack import (  # noqa: F401
    bank,
    betting,
    counting,
    doubling,
    faults,
    hole_card,
    house_tables,
    insurance,
    last_coup,
    late_insurance,
    naturals,
    payout,
    play,
    remarks,
    seating,
    shoe,
    signals,
    skipped_seat,
    special,
    splitting,
    stray_card,
    surrender,
)
from rules_engine.games.black_jack.flow import FLOW
from rules_engine.games.black_jack.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
