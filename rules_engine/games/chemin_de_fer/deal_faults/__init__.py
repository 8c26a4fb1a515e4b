"""Faults while dealing, and the deal as it should be."""

from rules_engine.games.chemin_de_fer.deal_faults import (  # noqa: F401
    croupier,
    deal_order,
    early_draw,
    early_look,
    exposed,
    exposed_draws,
    extra_cards,
    extra_cards_cases,
    fifth_card,
    late_claim,
    lost_cards,
    misdealt,
)
