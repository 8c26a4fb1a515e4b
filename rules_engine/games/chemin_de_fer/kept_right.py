"""A fault of the banker that leaves him the right to a third card: where he must draw, he still must.

Portugal 67 c and 70 s2 with 104 g and 104 j; Sanremo 113 with 64.
"""

from rules_engine.authoring import NotRegulated, Reasoning
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.games.chemin_de_fer.third_card import free_duty_pt, free_duty_sanremo, row_of


def kept_right(s: Situation, r: Reasoning, banker: int, *, cite: str) -> str:
    """What a banker does who keeps his right by `cite`, when there is no third card of the ponto to look up in the
    table."""
    if r.book.coded_as == SPAIN:
        # Its text refers to a table that it does not contain.
        return "may_choose"
    bound = "banker" in s.by_table
    if not bound and r.book.coded_as == SANREMO:
        return free_duty_sanremo(r, banker)
    if not bound and s.claim == "banco":
        return free_duty_pt(s, r, banker)
    if set(r.book.param("banker_table")[str(banker)].split()[0]) == {"T"}:
        # Any card can stand in for the missing one: the row says draw for all of them.
        r.pivot(row_of(r.book, banker, "As"), "draw_faults.kept_duty", banker=banker)
        return "must_draw"
    if bound and r.book.coded_as != SANREMO:
        # Sanremo 64 mentions him: he keeps the right like any other.
        raise NotRegulated(
            "{cite:cited} and art. 102: the table binds this banker, and there is no card that it could go by",
            cite=cite,
        )
    return "may_choose"
