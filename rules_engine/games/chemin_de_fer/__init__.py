"""Chemin de fer: one table, many incidents, ruled under each rulebook."""

# Each package registers its rules when it is imported.
from rules_engine.games.chemin_de_fer import (  # noqa: F401
    bank,
    claims,
    deal_faults,
    draw_faults,
    house_tables,
    play,
    procedures,
    remarks,
    seating,
    settlement,
    shoe,
    stakes,
    third_card,
)
from rules_engine.games.chemin_de_fer.flow import FLOW
from rules_engine.games.chemin_de_fer.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
