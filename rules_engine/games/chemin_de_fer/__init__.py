"""Chemin de fer: one table, many incidents, ruled under each rulebook."""

# Every family of rules registers itself on import.
from rules_engine.games.chemin_de_fer import (  # noqa: F401
    bank,
    claims,
    deal_faults,
    draw_faults,
    play,
    remarks,
    seating,
    settlement,
    shoe,
    stakes,
    third_card,
)
from rules_engine.games.chemin_de_fer.game import GAME

__all__ = ["GAME"]
