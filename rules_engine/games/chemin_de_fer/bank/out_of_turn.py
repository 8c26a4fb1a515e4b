"""The shoe went to a player before his turn: does it come back?

Portugal 81 (s1, s2); Sanremo 135 (s1, s2).
"""

from typing import Any, Literal

from rules_engine.errors import ImpossibleFacts
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import check_seated, neighbours, next_seated, passed_hand
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.setting import seated_pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning

# How far the coup of the wrong banker had come when it was noticed.
Stage = Literal["not_begun", "drawn", "delivered", "tied", "won"]


class OutOfTurn(Incident, frozen=True, tag="bank_out_of_turn"):
    """`previous` lost the bank in his turn, and the shoe went on to somebody other than the next seat."""

    previous: Place
    stage: Stage

    def check(self, situation: Situation) -> None:
        check_seated(situation, previous=self.previous)
        if situation.banker in (self.previous, next_seated(situation, self.previous)):
            raise ImpossibleFacts("banker", f"{situation.banker} does not hold the bank out of turn")

    def narration(self) -> list[tuple[str, dict[str, Any]]]:
        return [
            ("incident.bank_out_of_turn.start", {"previous": self.previous}),
            (f"incident.bank_out_of_turn.{self.stage}", {}),
        ]


@rule(OutOfTurn, *PT)
def out_of_turn_pt(s: Situation, incident: OutOfTurn, r: Reasoning) -> None:
    rightful = next_seated(s, incident.previous)
    if incident.stage in ("not_begun", "drawn"):
        r.pivot("81 s1", "bank.shoe_returns_undelivered", player=rightful)
        _decide(s, r, rightful, rightful)
    else:
        r.pivot("81 s2", "bank.shoe_stays_delivered", player=s.banker)
        _decide(s, r, s.banker, rightful)


@rule(OutOfTurn, SANREMO)
def out_of_turn_sanremo(s: Situation, incident: OutOfTurn, r: Reasoning) -> None:
    rightful = next_seated(s, incident.previous)
    if incident.stage in ("not_begun", "tied"):
        sentence = "bank.shoe_returns_tied" if incident.stage == "tied" else "bank.shoe_returns_not_begun"
        r.pivot("135 s1", sentence, player=rightful)
        _decide(s, r, rightful, rightful)
    else:
        r.pivot("135 s2", "bank.shoe_stays_begun", player=s.banker)
        _decide(s, r, s.banker, rightful)


def _decide(s: Situation, r: Reasoning, right: str, rightful: str) -> None:
    r.player("bank_to", right, tempting=[s.banker, rightful, *neighbours(s, rightful)], critical=True)


def _out_of_turn(draw: Draw, book: Rulebook, difficulty: int, stage: Stage) -> Situation:
    facts = passed_hand(draw, book, difficulty)
    previous = facts["banker"]
    wrong = seated_pontos(facts)[1:]
    # Easy: far from the right seat. Hard: next to it, easily overlooked.
    facts["banker"] = draw.pick(wrong[:2] if difficulty >= 4 else wrong)
    return Situation(**facts, wins=int(stage == "won"), incident=OutOfTurn(previous=previous, stage=stage))


@case("bank_passing", {PT[0]: ("81 s1",), SANREMO: ("135 s1",)})
def shoe_returns(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if book.id == SANREMO:
        return _out_of_turn(draw, book, difficulty, draw.pick(("not_begun", "tied")))
    return _out_of_turn(draw, book, difficulty, draw.pick(("not_begun", "drawn")) if difficulty > 1 else "not_begun")


@case("bank_passing", {PT[0]: ("81 s2",), SANREMO: ("135 s2",)})
def shoe_stays(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if book.id == SANREMO:
        return _out_of_turn(draw, book, difficulty, draw.pick(("delivered", "won")))
    return _out_of_turn(draw, book, difficulty, draw.pick(("delivered", "tied", "won")))
