"""A fault of the banker that leaves him the right to a third card: where drawing is a duty, it stays one.

Portugal 67 c and 70 s2 beside 104 g and 104 j; Sanremo 113 beside 64.
"""

from rules_engine.authoring import NotRegulated, Reasoning
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.games.chemin_de_fer.third_card import free_duty_pt, free_duty_sanremo, row_of


def kept_right(s: Situation, r: Reasoning, banker: int, *, cite: str) -> str:
    """What the banker does who keeps his right by `cite`, when no third card of the ponto tells him by the table."""
    if r.book.id == SPAIN:
        # Its text refers to a table that it does not contain.
        return "may_choose"
    bound = "banker" in s.by_table
    if not bound and r.book.id == SANREMO:
        return free_duty_sanremo(r, banker)
    if not bound and s.claim == "banco":
        return free_duty_pt(s, r, banker)
    if set(r.book.param("banker_table")[str(banker)].split()[0]) == {"T"}:
        # Any card of the ponto stands for the one that is not there: the row says draw on all of them.
        r.pivot(row_of(r.book, banker, "As"), "draw_faults.kept_duty", banker=banker)
        return "must_draw"
    if bound and r.book.id != SANREMO:
        # Sanremo 64 names him: he keeps the right like any other.
        raise NotRegulated(
            "{cite:cited} and art. 102: the table binds this banker, and there is no card that it could go by",
            cite=cite,
        )
    return "may_choose"
