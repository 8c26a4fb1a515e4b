"""Roulette, French and American, by the regulation of 1995."""

# Every family of rules registers itself on import.
from rules_engine.games.roulette import (  # noqa: F401
    balls,
    betting,
    closing,
    colour_chips,
    dealer_faults,
    faults,
    house,
    multiples,
    null_spin,
    paying,
    payment_order,
    payout,
    remarks,
    silent_chips,
    silent_payments,
    silent_spins,
    spin,
    spots,
    wheels,
    whole_spin,
)
from rules_engine.games.roulette.flow import FLOW
from rules_engine.games.roulette.game import GAME

GAME.flow = FLOW

__all__ = ["GAME"]
