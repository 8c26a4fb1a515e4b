"""Ponto e banca: the banked game, ruled under its three texts."""

# Each module registers its rules when it is imported.
from rules_engine.games.ponto_banca import (  # noqa: F401
    betting,
    chips_and_cards,
    closing,
    corrections,
    drawing,
    handling,
    house,
    lapses,
    last_coup,
    opening,
    payout,
    remarks,
    seating,
    shoe,
    third_cards,
)
from rules_engine.games.ponto_banca.flow import FLOW
from rules_engine.games.ponto_banca.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
