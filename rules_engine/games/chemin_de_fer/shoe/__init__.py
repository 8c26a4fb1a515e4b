"""The shoe: packs, shuffle, cut, warning card, last coup, and when play stops."""

from rules_engine.games.chemin_de_fer.shoe import cut, hours, last_coup, loading, packs, preparing, shuffling  # noqa: F401
