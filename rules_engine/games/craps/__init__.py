"""Craps, by the regulation of 1995."""

# Every family of rules registers itself on import.
from rules_engine.games.craps import (  # noqa: F401
    announcing,
    closing,
    dice,
    house_tables,
    late_bets,
    multiples,
    paying,
    remarks,
    resting_dice,
    series,
    settling,
    shooter,
    stakes,
    void_throw,
)
from rules_engine.games.craps.flow import FLOW
from rules_engine.games.craps.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
