"""Who plays against the bank: bancô and its priorities, suivi, the largest stake, who gets the cards."""

from rules_engine.games.chemin_de_fer.claims import (  # noqa: F401
    banco_cases,
    banker_answers,
    largest_stake_cases,
    misplaced,
    misplaced_cases,
    opening,
    other_right,
    raised_bank,
    shared_banco,
    stakes_apart,
)
