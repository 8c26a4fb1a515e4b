"""What the croupier answers to the call that gets the cards, when it is made.

Portugal 56 (s2, s5), 96 s0 and 96 a (a-5, a-6; a-8, where the text leaves the words open).
"""

from rules_engine.authoring import Reasoning, Rulebook
from rules_engine.games.chemin_de_fer.claims.facts import BANCO, SOLO, ClaimsOpen, Right, asked, latest_pt
from rules_engine.games.chemin_de_fer.table import Situation


def announce_claim(s: Situation, incident: ClaimsOpen, right: Right, r: Reasoning) -> None:
    """Decide what is announced: nothing for a stake; for a bancô its words, whoever called after it."""
    if right.kind == "banco_table":
        _with_table(s, right, r)
    elif right.kind == "suivi" or right.place in asked(s, *SOLO):
        _whole_bank(s, incident, right, r)


def _with_table(s: Situation, right: Right, r: Reasoning) -> None:
    before = _asked_before(s, right.place, "banco_table", among=right.order)
    if right.place.isdigit() and before and not any(place.isdigit() for place in before):
        r.pivot("56 s2", "claims.say_table_at_table")
        r.words("banco_table_at_table")
    else:
        r.step("96 s0", "claims.say_table", who=right.place)
        r.words("banco_table")


def _whole_bank(s: Situation, incident: ClaimsOpen, right: Right, r: Reasoning) -> None:
    suivi = right.kind == "suivi"
    says = ("suivi",) if suivi else SOLO
    counted = tuple(place for place in asked(s, *SOLO) if counts_pt(incident, place))
    before = _asked_before(s, right.place, *says, among=counted)
    back = [place for place in displaced(s, r.book) if place in before]
    if back and right.place.isdigit() and not any(place.isdigit() for place in before):
        r.pivot("56 s5", "claims.say_alone_at_table")
        r.words("banco_alone_at_table")
        return
    # If nobody else has spoken, the case does not turn on it.
    others = len(asked(s, *BANCO, "suivi")) > 1
    if suivi or (not before and _spoke_otherwise(s, right.place)):
        r.step("96 a-8", f"claims.say_open{'_suivi' if suivi else ''}", who=right.place, pivot=others)
        r.words("suivi_priority" if before else "banco_suivi" if suivi else "banco_open")
    elif before:
        r.pivot("96 a-6", "claims.say_priority", who=right.place)
        r.words("banco_priority")
    else:
        r.step("96 a-5", "claims.say_banco", who=right.place, pivot=others)
        r.words("banco")


def _spoke_otherwise(s: Situation, who: str) -> bool:
    """Whether anybody spoke before him but made no valid call like his."""
    call = next(index for index, call in enumerate(s.calls) if call.by == who and call.says in SOLO)
    return any(place != who for place in asked(s, *BANCO, "suivi", before=call))


def _asked_before(s: Situation, who: str, *says: str, among: tuple[str, ...]) -> list[str]:
    """Those whose own valid call came before his."""
    call = next(index for index, call in enumerate(s.calls) if call.by == who and call.says in says)
    sort = ("banco_table",) if "banco_table" in says else SOLO
    return [place for place in asked(s, *sort, before=call) if place != who and place in among]


def counts_pt(incident: ClaimsOpen, place: str) -> bool:
    """Whether he may ask for the bank at all: not the partner, nor the player who passed the hand after a tie."""
    return place != incident.partner and not (incident.passed_after == "tie" and place == incident.passed_by)


def displaced(s: Situation, book: Rulebook) -> list[str]:
    """Standing players whose bancô with the table was overtaken by a seated player's."""
    wanting = asked(s, "banco_table", before=latest_pt(s, book))
    last_seated = max((index for index, place in enumerate(wanting) if place.isdigit()), default=0)
    return [place for place in wanting[:last_seated] if not place.isdigit()]
