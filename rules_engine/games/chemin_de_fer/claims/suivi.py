"""Suivi: the loser of the last bancô may continue it before everybody else.

Portugal 51 s2, 51 s4 and 54; Sanremo 90 s1, 90 s3 and 94.
"""

from typing import Literal

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import BANCO, ClaimsOpen, Right, asked, moment
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    callers,
    close,
    company,
    rivals,
    seat_pontos,
    side_stakes,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.table import Call, Situation


def suivi_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    """The loser of the previous coup's bancô, who may still call when the cards are out."""
    found = None
    for who in asked(s, "suivi"):
        if who == incident.tied:
            r.pivot("51 s4", "claims.suivi_only_lost", who=who)
        elif who != incident.lost or incident.lost_by not in ("banco", "suivi") or incident.since:
            r.pivot("51 s2", "claims.suivi_not_his", who=who)
        elif incident.passed_by and incident.lost_by == "banco":
            raise NotRegulated(
                "art. 54: after a passed bank the text speaks only of a player who had already played suivi"
            )
        elif who in incident.moved_ahead and _rivals(s, who) and r.book.reads("PT92S", "barred"):
            r.pivot("92 open", "claims.suivi_mover_barred", who=who)
        else:
            if who in incident.moved_ahead and _rivals(s, who):
                r.pivot("92 open", "claims.suivi_mover_keeps", who=who)
            dealt = moment(s, "dealt") < moment(s, "suivi") and not asked(s, "given_cards", "takes_cards")
            r.pivot("51 s2", "claims.suivi_after_deal" if dealt else "claims.suivi_first", who=who)
            if incident.passed_by:
                r.pivot("54", "claims.suivi_follows_bank", who=who, banker=s.banker)
            found = Right(who, "suivi", (who,))
    return found


def _rivals(s: Situation, who: str) -> list[str]:
    return [place for place in asked(s, *BANCO) if place != who]


def suivi_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    """The loser of the last bancô, or the only ponto; ties since then do not cost him the right."""
    found = None
    for who in asked(s, "suivi"):
        if who == incident.tied:
            # 90 requires that he took the bancô, not that he lost it.
            r.pivot("90 s1", "claims.suivi_after_tie", who=who)
            found = Right(who, "suivi", (who,))
        elif who != incident.lost or incident.lost_by == "banco_table":
            r.pivot("90 s1", "claims.suivi_not_his", who=who)
        elif "win" in incident.since:
            r.pivot("94", "claims.suivi_lapsed", who=who)
        elif incident.passed_by:
            raise NotRegulated("art. 90: the text does not say whether suivi follows a passed bank")
        else:
            _say_why(incident, r, who)
            found = Right(who, "suivi", (who,))
    return found


def _say_why(incident: ClaimsOpen, r: Reasoning, who: str) -> None:
    if incident.lost_by == "sole_ponto":
        r.pivot("90 s3", "claims.suivi_sole_ponto", who=who)
    elif not incident.since:
        r.pivot("90 s1", "claims.suivi_first", who=who)
    if incident.since:
        r.pivot("94", "claims.suivi_kept_through_ties", who=who, coups=len(incident.since))


@case("suivi", {PT[0]: "51 s2", SANREMO: "90 s1"})
def suivi_against_others(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The loser of the last bancô says suivi; harder, players nearer to the banker's right have asked for it before."""
    facts = company(draw, book, difficulty)
    loser = draw.pick(callers(facts)[1:])
    others = rivals(draw, facts, difficulty, beside=loser) if difficulty >= 2 else []
    calls = [*(Call(place, "banco") for place in others), Call(loser, "suivi")]
    calls = calls if difficulty <= 2 else draw.shuffled(calls)
    return talk(facts, calls, ClaimsOpen(lost=loser, lost_by=draw.pick(("banco", "suivi"))))


@case("suivi", {PT[0]: "51 s2"})
def suivi_once_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The cards are out, nobody has taken them, and the loser of the last bancô speaks at last."""
    facts = company(draw, book, difficulty)
    loser = draw.pick(callers(facts))
    others = [place for place in callers(facts) if place != loser]
    top = draw.pick([place for place in others if place.isdigit()])
    stakes = side_stakes(draw, facts, among=draw.sample(others, min(3, len(others))), top=top)
    calls = [close(), Call("banker", "dealt"), Call(loser, "suivi")]
    return talk(facts, calls, ClaimsOpen(lost=loser, lost_by="banco"), stakes=stakes, draw=draw)


@case("suivi", {PT[0]: "51 s2", SANREMO: "90 s1"})
def suivi_by_another(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody else says suivi: not the one who lost the bancô."""
    facts = company(draw, book, difficulty)
    loser, pretender = draw.sample(callers(facts), 2)
    others = [place for place in rivals(draw, facts, difficulty, beside=pretender) if place != loser]
    calls = [Call(pretender, "suivi"), *(Call(place, "banco") for place in others)]
    return talk(
        facts, calls, ClaimsOpen(lost=loser, lost_by="banco"), stakes=None if others else side_stakes(draw, facts)
    )


@case("suivi", {PT[0]: "51 s4", SANREMO: "90 s1"})
def suivi_after_a_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bancô of the previous coup was a tie, and its player says suivi; others ask for the bank too."""
    facts = company(draw, book, difficulty)
    who = draw.pick(callers(facts)[1:])
    others = rivals(draw, facts, difficulty, beside=who)
    calls = [*(Call(place, "banco") for place in others), Call(who, "suivi")]
    return talk(facts, calls, ClaimsOpen(tied=who))


@case("suivi", {PT[0]: "92 open"})
def suivi_of_a_mover(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The loser of the last bancô has changed seats to get the bank sooner; others ask for the bank as well."""
    facts = company(draw, book, max(2, difficulty))
    loser, other = draw.sample(seat_pontos(facts), 2)
    calls = draw.shuffled([Call(other, "banco"), Call(loser, "suivi")])
    return talk(facts, calls, ClaimsOpen(lost=loser, lost_by="banco", moved_ahead=(loser,)))


@case("suivi", {SANREMO: "90 s3"})
def suivi_of_sole_ponto(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = company(draw, book, difficulty)
    loser = draw.pick(callers(facts)[1:])
    others = rivals(draw, facts, difficulty, beside=loser)
    calls = [*(Call(place, "banco") for place in others), Call(loser, "suivi")]
    return talk(facts, calls, ClaimsOpen(lost=loser, lost_by="sole_ponto"))


@case("suivi", {PT[0]: "54"})
def suivi_across_passed_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker won against a suivi and passed; the same ponto wants to continue against the new banker."""
    facts = company(draw, book, difficulty, seated=4)
    passer, loser = draw.sample(seat_pontos(facts), 2)
    others = [place for place in rivals(draw, facts, difficulty, beside=loser) if place != passer]
    calls = [*(Call(place, "banco") for place in others), Call(loser, "suivi")]
    before = ClaimsOpen(lost=loser, lost_by="suivi", passed_by=passer, passed_after="win")
    return talk(facts, calls, before)


@case("suivi", {SANREMO: "94"})
def suivi_waived(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He did not use the suivi and claims it after one or more coups: ties, possibly with a coup won by the banker."""
    facts = company(draw, book, difficulty)
    loser = draw.pick(callers(facts)[1:])
    others = rivals(draw, facts, difficulty, beside=loser)
    calls = [*(Call(place, "banco") for place in others), Call(loser, "suivi")]
    since: list[Literal["tie", "win"]] = ["tie"] * draw.number(1, min(difficulty, 3))
    if draw.chance(0.4):
        since.append("win")
    before = ClaimsOpen(lost=loser, lost_by=draw.pick(("banco", "sole_ponto")), since=tuple(since))
    return talk(facts, calls, before)
