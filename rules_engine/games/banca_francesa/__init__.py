"""Banca francesa, by the regulation of 1995."""

# Every family of rules registers itself on import.
from rules_engine.games.banca_francesa import (  # noqa: F401
    betting,
    dice_sets,
    house,
    null_throw,
    paying,
    payout,
    procedures,
    reading,
    remarks,
    suspicion,
    throw,
    touched,
)
from rules_engine.games.banca_francesa.flow import FLOW
from rules_engine.games.banca_francesa.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
