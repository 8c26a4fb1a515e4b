"""The banker's answer to a bancô: must he accept it, may he, or is it too late?

Portugal 45 s1 and 51 s1; Sanremo 42 s2 and 93.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import (
    SOLO,
    ClaimsOpen,
    asked,
    moment,
    staked,
    stakers,
    tell_after_close,
    tell_late_pt,
)
from rules_engine.games.chemin_de_fer.claims.largest_stake import stake_pt, stake_sanremo
from rules_engine.games.chemin_de_fer.claims.table_talk import callers, close, company, seat_pontos, side_stakes, talk
from rules_engine.games.chemin_de_fer.game import case_table, domain, rule
from rules_engine.games.chemin_de_fer.table import Call, Situation

# Too late in Portugal, the banker's choice in Sanremo.
domain(
    "banco_answer",
    "must_accept",
    "may_choose",
    "must_refuse",
    unknown={**dict.fromkeys(PT, ("may_choose",)), SANREMO: ("must_refuse",)},
)


class BankerAnswersBanco(ClaimsOpen, frozen=True, kw_only=True, tag="banker_answers_banco"):
    """A ponto asks for the whole bank. If he is free to choose, the banker would accept or refuse. The ponto's chips
    are not down yet."""

    wish: Literal["accept", "refuse"]

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if len(asked(situation, *SOLO, "suivi")) != 1:
            raise ImpossibleFacts("calls", "exactly one ponto must ask for the bank")


@rule(BankerAnswersBanco, *PT)
def banker_answers_pt(s: Situation, incident: BankerAnswersBanco, r: Reasoning) -> None:
    if asked(s, "suivi"):
        raise NotRegulated("art. 51: a suivi does not wait for the banker's answer")
    who = asked(s, *SOLO)[0]
    if tell_late_pt(s, r, who, *SOLO):
        _decide(s, "must_refuse", stake_pt(s, incident, r).place, r)
    else:
        tell_after_close(s, r, who, *SOLO)
        r.pivot("45 s1", "claims.banker_must_accept", who=who, bank=s.bank)
        _decide(s, "must_accept", who, r)


@rule(BankerAnswersBanco, SANREMO)
def banker_answers_sanremo(s: Situation, incident: BankerAnswersBanco, r: Reasoning) -> None:
    who = asked(s, *SOLO, "suivi")[0]
    if moment(s, *SOLO, "suivi") < moment(s, "closed"):
        r.pivot("42 s2", "claims.banker_must_accept", who=who, bank=s.bank)
        _decide(s, "must_accept", who, r)
        return
    covered = sum(staked(s, r.book, place) for place in stakers(s))
    if covered >= s.bank or moment(s, "dealt") < len(s.calls):
        raise NotRegulated("art. 93: after the close the text speaks only of a bank not yet covered and not yet dealt")
    r.pivot("93", "claims.banker_may_accept", who=who, covered=covered, bank=s.bank)
    _decide(s, "may_choose", who if incident.wish == "accept" else stake_sanremo(s, incident, r).place, r)


def _decide(s: Situation, answer: str, holder: str, r: Reasoning) -> None:
    """Tempting answers: the player who asked, and the largest stake."""
    largest = max(stakers(s), key=lambda place: staked(s, r.book, place), default="nobody")
    near_holders = [asked(s, *SOLO, "suivi")[0], largest]
    near = "may_choose" if answer == "must_refuse" else "must_refuse"
    r.choice("banco_answer", answer, tempting=[near, "must_accept"], critical=True)
    r.player("cards_to", holder, tempting=near_holders, critical=True)


@case_table(
    "banco_priority",
    variant("banco_in_time", {PT[0]: "45 s1", SANREMO: "42 s2"}, when="open"),
    variant("banco_after_deal", {PT[0]: "51 s1"}, when="dealt"),
    variant("banco_after_close", {SANREMO: "93"}, when="closed"),
)
def _asked(draw: Draw, book: Rulebook, difficulty: int, when: Literal["open", "closed", "dealt"]) -> Situation:
    """Some stakes are down, not enough to cover the bank, when a ponto asks for all of it."""
    facts = company(draw, book, difficulty)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 2 + difficulty // 4))
    who = draw.pick([place for place in callers(facts) if place != stakes[0].player])
    done = {"open": [], "closed": [close()], "dealt": [close(), Call("banker", "dealt")]}[when]
    incident = BankerAnswersBanco(wish="refuse" if when == "open" else draw.pick(("accept", "refuse")))
    cards = draw if when == "dealt" else None
    return talk(facts, [*done, Call(who, "banco")], incident, stakes=stakes, draw=cards)
