"""Results told, stakes paid and collected, and the calls of each phase."""

from rules_engine.games.chemin_de_fer.settlement import (  # noqa: F401
    after_tie,
    betting_calls,
    cagnotte,
    hand_calls,
    paying,
    result,
    word_calls,
)
