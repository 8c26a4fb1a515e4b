"""Who plays against the bank, from the calls and the stakes: suivi, then bancô, then with the table, then the stakes.

The articles are in suivi.py, banco.py, with_table.py and largest_stake.py; the words of Portugal 96 a are here.
"""

from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.banco import banco_pt, banco_sanremo
from rules_engine.games.chemin_de_fer.claims.facts import SOLO, ClaimsOpen, Right, asked
from rules_engine.games.chemin_de_fer.claims.largest_stake import stake_pt, stake_sanremo
from rules_engine.games.chemin_de_fer.claims.suivi import suivi_pt, suivi_sanremo
from rules_engine.games.chemin_de_fer.claims.with_table import answer_to_table_pt, with_table_pt, with_table_sanremo
from rules_engine.games.chemin_de_fer.game import domain, rule
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.ruling import Reasoning, Utterance

domain("right", "suivi", "banco", "banco_table", "stake")


@rule(ClaimsOpen, *PT)
def claims_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> None:
    right = entitled_pt(s, incident, r)
    decide(s, right, r)
    _announce_banco(s, right, r)


@rule(ClaimsOpen, SANREMO)
def claims_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> None:
    decide(s, entitled_sanremo(s, incident, r), r)


def entitled_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right:
    right = suivi_pt(s, incident, r) or banco_pt(s, incident, r)
    if right:
        answer_to_table_pt(s, right, r)
        return right
    return with_table_pt(s, incident, r) or stake_pt(s, incident, r)


def entitled_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right:
    return (
        suivi_sanremo(s, incident, r)
        or banco_sanremo(s, incident, r)
        or with_table_sanremo(s, incident, r)
        or stake_sanremo(s, incident, r)
    )


def decide(s: Situation, right: Right, r: Reasoning) -> None:
    r.player("cards_to", right.place, critical=True)
    r.choice("right", right.kind)
    mixed = right.kind == "banco" and asked(s, "banco_table")
    if len(right.order) > 1 and not mixed:
        as_called = tuple(dict.fromkeys(call.by for call in s.calls if call.by in right.order))
        by_number = tuple(sorted(right.order))
        r.order("priority", right.order, tempting=[as_called, by_number, tuple(reversed(right.order))])


def _announce_banco(s: Situation, right: Right, r: Reasoning) -> None:
    """What the croupier says to the call that has just been made, when it is the one that counts (Portugal 96 a)."""
    last = s.calls[-1] if s.calls else None
    if last is None or last.by != right.place or last.says not in (*SOLO, "suivi") or asked(s, "banco_table"):
        return
    earlier = [place for place in asked(s, *SOLO) if place != last.by and (place in right.order or not right.order)]
    if earlier:
        r.step("96 a-6", "claims.say_priority", who=last.by)
        r.words("banco_priority", tempting=[Utterance("banco")])
    else:
        r.step("96 a-5", "claims.say_banco", who=last.by)
        r.words("banco", tempting=[Utterance("banco_priority")])
