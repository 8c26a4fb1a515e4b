"""The play of the hands: the ponto's duties and words, advice, playing by the table, the ponto's faults."""

from rules_engine.games.chemin_de_fer.play import (  # noqa: F401
    advice,
    beginners,
    card_values,
    changed_word,
    early_showing,
    false_draw_cards,
    holding_cards,
    ponto_word,
    turns,
    unclear_word,
    unshown_natural,
)
