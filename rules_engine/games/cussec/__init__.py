"""Cussec, by the regulation of 1995."""

# Every family of rules registers itself on import.
from rules_engine.games.cussec import (  # noqa: F401
    acts,
    betting,
    chances,
    closing,
    dice,
    house,
    multiples,
    null_coup,
    payout,
    procedures,
    remarks,
)
from rules_engine.games.cussec.flow import FLOW
from rules_engine.games.cussec.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
