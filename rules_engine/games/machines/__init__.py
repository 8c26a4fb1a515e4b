"""Gaming machines by the regulation of 1995."""

# Each module registers its rules when it is imported.
from rules_engine.games.machines import (  # noqa: F401
    counters,
    disputes,
    house,
    jackpots,
    paying,
    plan,
    play,
    procedures,
    remarks,
    transfer,
)
from rules_engine.games.machines.game import GAME

__all__ = ["GAME"]
