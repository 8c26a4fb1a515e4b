"""How many players must be seated for a partnership, and what happens to one when fewer remain.

Sanremo 82 (s1, s3, s4). The Portuguese texts set no such number.
"""

from rules_engine.authoring import Reasoning, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.table import Situation

LEAST = "min_seated_for_association"


def least_seated(book: Rulebook) -> int:
    """How many must be seated for a partnership; 0 if the text sets no number."""
    return book.number(LEAST) if LEAST in book.law.numbers else 0


def too_few_seated(s: Situation, book: Rulebook) -> bool:
    return len(s.seats) < least_seated(book)


def tell_kept_partner(s: Situation, r: Reasoning) -> None:
    """Say that a partnership goes on although too few are seated now. The text forbids forming one then, but does not
    say whether an earlier one ends (SR78)."""
    if s.incident.partner_fact() and too_few_seated(s, r.book):
        r.pivot("82 s4", "bank.partnership_goes_on", seated=len(s.seats))


def too_few(draw: Draw, book: Rulebook, difficulty: int) -> int:
    """For generators: enough seated players for the game, too few for a partnership. Harder: one short."""
    most = least_seated(book) - 1
    return most if difficulty >= 3 else draw.number(book.number("min_seated_players"), most)
