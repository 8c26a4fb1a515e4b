"""Who plays against the bank, from the calls and the stakes: suivi, then bancô, then with the table, then the stakes.

The articles are in suivi.py, banco.py, with_table.py and largest_stake.py; the words of Portugal 96 a in announcing.py.
"""

from rules_engine.authoring import Reasoning
from rules_engine.games.chemin_de_fer.association import tell_kept_partner
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.announcing import announce_claim
from rules_engine.games.chemin_de_fer.claims.banco import banco_pt, banco_sanremo
from rules_engine.games.chemin_de_fer.claims.facts import (
    BANCO,
    ClaimsOpen,
    Right,
    asked,
    past_line,
    seated_first,
    staked,
    stakers,
)
from rules_engine.games.chemin_de_fer.claims.largest_stake import stake_pt, stake_sanremo
from rules_engine.games.chemin_de_fer.claims.suivi import suivi_pt, suivi_sanremo
from rules_engine.games.chemin_de_fer.claims.with_table import answer_to_table_pt, with_table_pt, with_table_sanremo
from rules_engine.games.chemin_de_fer.game import domain, rule
from rules_engine.games.chemin_de_fer.table import Situation

domain("right", "suivi", "banco", "banco_table", "stake")
domain("others_play", "up_to_bank", "no")


@rule(ClaimsOpen, *PT)
def claims_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> None:
    right = entitled_pt(s, incident, r)
    decide(s, incident, right, r)
    announce_claim(s, incident, right, r)


@rule(ClaimsOpen, SANREMO)
def claims_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> None:
    tell_kept_partner(s, r)
    decide(s, incident, entitled_sanremo(s, incident, r), r)


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


def decide(s: Situation, incident: ClaimsOpen, right: Right, r: Reasoning) -> None:
    r.player("cards_to", right.place, tempting=_near_rights(s, right, r), critical=True)
    r.choice("right", right.kind)
    if right.order:
        r.order("priority", right.order, tempting=_near_orders(s, right))
    _decide_sums(s, incident, right, r)


def _near_orders(s: Situation, right: Right) -> list[tuple[str, ...]]:
    """As they spoke, by number, or reversed; for stakes, by seat instead of by sum."""
    if right.kind == "stake":
        return [tuple(seated_first(s, list(right.order)))]
    as_called = tuple(dict.fromkeys(call.by for call in s.calls if call.by in right.order))
    return [as_called, tuple(sorted(right.order)), tuple(reversed(right.order))]


def _near_rights(s: Situation, right: Right, r: Reasoning) -> list[str]:
    """Who would get the cards by a similar rule: the first to speak, the largest stake, the next in order."""
    callers = asked(s, *BANCO, "suivi")
    largest = sorted(stakers(s), key=lambda place: -staked(s, r.book, place))
    return [*callers[:1], *(largest[:1] if len(largest) > 1 else ()), *right.order[1:2]]


def _decide_sums(s: Situation, incident: ClaimsOpen, right: Right, r: Reasoning) -> None:
    """How much he plays for, and whether the others play beside him: not beside a bancô, unless he respects their
    stakes."""
    respects = right.place in incident.respects
    bought = right.kind == "banco_table" and r.book.coded_as == SANREMO
    mine = past_line(s, right.place) if bought else staked(s, r.book, right.place)
    alone = right.kind in ("banco", "suivi") and not respects
    if alone:
        cite = {PT[0]: "45 s1", PT[1]: "45 s1", SANREMO: "42 s1"}[r.book.coded_as]
        r.step(cite, "claims.plays_whole_bank", who=right.place, bank=s.bank)
    plays = s.bank if alone else mine
    laid = sum(stake.amount for stake in s.stakes if stake.player == right.place)
    wrong = {"stake": [laid], "banco_table": [s.bank]}.get(right.kind, [s.bank // 2])
    r.amount("stake_plays", plays, tempting=wrong)
    r.choice("others_play", "no" if alone else "up_to_bank")
