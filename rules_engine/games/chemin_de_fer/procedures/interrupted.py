"""The table has to be left in the middle of a coup: an alarm, the lights, a quarrel. No text says how it goes on.

Portugal 97 s2, Sanremo 30 s1 and Spain 1 p1-2 apply besides: no card goes back into the shoe.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import still_open
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.procedures.marked_card import DEALT, Moment
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Incident, Situation

KIND = "coup_interrupted"
NEVER_BACK = {**dict.fromkeys(PT, "97 s2"), SANREMO: "30 s1", SPAIN: "1 p1-2"}

domain("coup_then", "resume", "begin_again", "settle")
domain("cards_then", "same_hands", "burned")


class CoupInterrupted(Incident, frozen=True, tag="coup_interrupted"):
    """Everybody left the table: while the betting was open, with cards dealt, seen or shown. `watched`: staff had
    cards and chips in sight all the time."""

    cause: Literal["alarm", "lights", "quarrel"]
    moment: Moment
    watched: bool

    def check(self, situation: Situation) -> None:
        dealt = bool(situation.ponto and situation.banker_cards)
        if dealt == (self.moment == "betting"):
            raise ImpossibleFacts("incident.moment", "cards are dealt once the betting is closed, and not before")
        if dealt and bool(situation.hidden) == (self.moment == "shown"):
            raise ImpossibleFacts("hidden", "cards that were shown lie face up, the others face down")

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.interrupted_{self.moment}", {}),
            (f"incident.interrupted_{self.cause}", {}),
            (f"incident.interrupted_{'watched' if self.watched else 'unwatched'}", {}),
        ]


@rule(CoupInterrupted, *PT, SANREMO, SPAIN)
def coup_interrupted(s: Situation, incident: CoupInterrupted, r: Reasoning) -> None:
    then, text = _resumed(incident) if r.procedure == "resume" else _begun_again(incident)
    r.pivot(KIND, f"procedures.interrupted_{text}")
    r.choice("coup_then", then, tempting=("resume", "begin_again", "settle"), critical=True)
    if incident.moment == "betting":
        return
    if then == "begin_again":
        r.pivot(NEVER_BACK[r.book.id], "procedures.dealt_burned")
        r.after(lying(burned=(*s.ponto, *s.banker_cards), shoe=s.next))
    r.choice("cards_then", "burned" if then == "begin_again" else "same_hands")


def _resumed(incident: CoupInterrupted) -> tuple[str, str]:
    """What was shown is settled. Otherwise it goes on if everything was in sight."""
    if incident.moment == "shown":
        return "settle", "shown"
    return ("resume", "in_sight") if incident.watched else ("begin_again", "out_of_sight")


def _begun_again(incident: CoupInterrupted) -> tuple[str, str]:
    """A coup that has begun is not taken up again; what was shown is settled if it is still as it was."""
    if not incident.watched:
        return "begin_again", "out_of_sight"
    if incident.moment == "shown":
        return "settle", "shown_in_sight"
    return ("resume", "not_begun") if incident.moment == "betting" else ("begin_again", "begun")


@case("procedures", {PT[0]: KIND, SANREMO: KIND, SPAIN: KIND})
def everybody_leaves(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the betting is open, or all is shown. Harder: cards are dealt and not shown."""
    easy: tuple[Moment, ...] = ("betting", "betting", "dealt", "dealt", "shown", "shown")
    hard: tuple[Moment, ...] = ("betting", "dealt", "dealt", "seen", "shown", "shown")
    moment = draw.pick(easy if difficulty <= 2 else hard)
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco")))
    incident = CoupInterrupted(cause=draw.pick(("alarm", "lights", "quarrel")), moment=moment, watched=draw.chance(0.5))
    if moment == "betting":
        return Situation(**still_open(facts), incident=incident)
    if moment == "shown":
        facts["calls"] = (*facts["calls"], Call("ponto", "no"), Call("croupier", "no"))
    return Situation(
        **facts,
        ponto=draw.hand(draw.number(6, 7)),
        banker_cards=draw.hand(draw.number(6, 7)),
        next=(draw.card(),),
        hidden=() if moment == "shown" else DEALT,
        incident=incident,
    )
