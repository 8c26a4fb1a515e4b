"""Incidents that the texts do not decide, ruled by the procedure of the house. `silences.toml` lists the decisions."""

from rules_engine.games.chemin_de_fer.procedures import (  # noqa: F401
    gesture,
    interrupted,
    marked_card,
    stake_between,
)
