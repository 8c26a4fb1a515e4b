"""Stakes and the bank's capital: limits, closing, line, garage, halving, covering."""

from rules_engine.games.chemin_de_fer.stakes import (  # noqa: F401
    announced,
    capital,
    capital_cases,
    closing,
    covering,
    keeping,
    placing,
    sharing,
    tout_va,
    uncovered,
)
