"""What is odd but possible about the facts at a ponto e banca table, for the author."""

from collections.abc import Iterator
from itertools import pairwise

from rules_engine.authoring import Remark, Rulebook, kind_of
from rules_engine.games.baccarat.cards import score
from rules_engine.games.ponto_banca.game import GAME
from rules_engine.games.ponto_banca.outcome import banker_clause, banker_draws, drawing, natural, ponto_draws
from rules_engine.games.ponto_banca.table import Situation

# Incidents about third cards, or in the middle of the dealing.
DEALING = (
    *("first_cards", "third_card_slip", "cards_to_handle", "warning_card_out", "handler_acts", "face_up_in_shoe"),
    *("misdealt", "dealt_in_order"),
)
TURNS = ("place_bets", "closed", "declines", "last_coup")


@GAME.remark
def about_hands(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Hands that do not follow the drawing table, unless that is the incident."""
    if kind_of(s.incident) in DEALING or min(len(s.ponto), len(s.banker_cards)) < 2:
        return
    over = natural(book, s.ponto) or natural(book, s.banker_cards)
    points, third = score(s.ponto[:2]), s.ponto[2] if len(s.ponto) == 3 else None
    draws = not over and ponto_draws(book, s.ponto)
    if draws != bool(third):
        clause = "P-nat" if natural(book, s.ponto) else "B-nat" if over else "P-draw" if draws else "P-stand"
        yield Remark("ponto_stood" if draws else "ponto_drew", "ponto", {"points": points}, drawing(book, clause))
        return  # what the bank should do depends on what the ponto has
    points, draws = score(s.banker_cards[:2]), not over and banker_draws(book, s.ponto, s.banker_cards)
    if draws != (len(s.banker_cards) == 3):
        cite = drawing(book, "B-nat" if natural(book, s.banker_cards) else "P-nat")
        cite = cite if over else banker_clause(book, points, third)
        yield Remark("banker_stood" if draws else "banker_drew", "banker_cards", {"points": points}, cite)


@GAME.remark
def about_calls(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Calls that cannot follow each other."""
    known = [(index, call.says) for index, call in enumerate(s.calls) if call.says in TURNS]
    for (_before, earlier), (index, later) in pairwise(known):
        if TURNS.index(later) < TURNS.index(earlier):
            values = {"number": index + 1, "earlier": earlier, "later": later}
            yield Remark("calls_order", f"calls[{index}].says", values)


@GAME.remark
def about_bets(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Bets below the minimum of the table, or above the maximum where the text has one (20)."""
    most = book.param("maximum_times_minimum") if "maximum_times_minimum" in book.law.numbers else {}
    for index, bet in enumerate(s.bets):
        fact, values = f"bets[{index}].amount", {"amount": bet.amount, "on": bet.on}
        if bet.amount < s.minimum:
            yield Remark("bet_small", fact, values | {"minimum": s.minimum})
        elif s.minimum and bet.on in most and bet.amount > most[bet.on] * s.minimum:
            values["most"] = most[bet.on] * s.minimum
            yield Remark("bet_large", fact, values, "20 s2" if bet.on == "tie" else "20 s1")
