"""Ponto e banca: the banked game, ruled under its three texts."""

from rules_engine.ponto_banca import (  # noqa: F401
    betting,
    closing,
    drawing,
    handling,
    lapses,
    last_coup,
    payout,
    seating,
    shoe,
)
