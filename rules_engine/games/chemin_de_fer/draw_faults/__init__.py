"""Faults at the draw and afterwards: third cards too many, unasked, binned, misannounced."""

from rules_engine.games.chemin_de_fer.draw_faults import (  # noqa: F401
    banker_advised,
    binned,
    croupier_passing,
    croupier_word,
    disputes,
    false_draw,
    natural_held_back,
    stated_score,
    stuck_third_cards,
    third_card_binned,
    third_card_face,
    two_third_cards,
    unasked_card,
)
