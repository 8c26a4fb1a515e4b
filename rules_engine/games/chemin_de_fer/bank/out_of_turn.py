"""The shoe went to a player before his turn: does it come back?

Portugal 81 (s1, s2); Sanremo 135 (s1, s2), with 14 for a hand that was lost and 88 for one that was passed.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import check_another_seated, check_seated, neighbours, passed_hand
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.setting import seated_pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation

# How far the wrong banker's coup had got when it was noticed.
Stage = Literal["not_begun", "drawn", "delivered", "tied", "won"]


class OutOfTurn(Incident, frozen=True, tag="bank_out_of_turn"):
    """`previous` lost the bank in his turn, and the shoe went on to somebody other than the next seat.

    Or he passed it, and it went to the wrong seat after those of `declined` had refused it in the round of offers.
    """

    previous: Place
    stage: Stage
    declined: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        check_seated(situation, previous=self.previous)
        for place in self.declined:
            check_seated(situation, declined=place)
        offered = _in_turn(situation, self)
        if self.declined and (not offered or set(self.declined) != set(_before(situation, self, offered[0]))):
            raise ImpossibleFacts("incident.declined", "the seats that let it go are the first of the round")
        if not situation.banker.isdigit() or situation.banker in (self.previous, *self.declined, *offered[:1]):
            raise ImpossibleFacts(
                "banker", "{player:player} does not hold the bank out of turn", player=situation.banker
            )

    def narration(self) -> list[Sentence]:
        start = "offered" if self.declined else "start"
        facts = {"previous": self.previous, "declined": self.declined} if self.declined else {"previous": self.previous}
        return [(f"incident.bank_out_of_turn.{start}", facts), (f"incident.bank_out_of_turn.{self.stage}", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        return [(id, {**values, "banker": situation.banker}) for id, values in super().narrated(situation)]


def _in_turn(s: Situation, incident: OutOfTurn) -> tuple[str, ...]:
    """The seats that the hand reaches after those who refused it, from the right of the player who had it."""
    check_another_seated(s, incident.previous)
    seats = (str(seat) for seat in s.seats if str(seat) not in (incident.previous, *incident.declined))
    return from_right(incident.previous, seats)


def _before(s: Situation, incident: OutOfTurn, place: str) -> tuple[str, ...]:
    round_ = from_right(incident.previous, (str(seat) for seat in s.seats if str(seat) != incident.previous))
    return round_[: round_.index(place)]


@rule(OutOfTurn, *PT)
def out_of_turn_pt(s: Situation, incident: OutOfTurn, r: Reasoning) -> None:
    rightful = _in_turn(s, incident)[0]
    if incident.stage in ("not_begun", "drawn"):
        r.pivot("81 s1", "bank.shoe_returns_undelivered", player=rightful)
        _decide(s, r, rightful, rightful)
    else:
        r.pivot("81 s2", "bank.shoe_stays_delivered", player=s.banker)
        _decide(s, r, s.banker, rightful)


@rule(OutOfTurn, SANREMO)
def out_of_turn_sanremo(s: Situation, incident: OutOfTurn, r: Reasoning) -> None:
    rightful = _in_turn(s, incident)[0]
    if incident.stage in ("not_begun", "tied"):
        sentence = "bank.shoe_returns_tied" if incident.stage == "tied" else "bank.shoe_returns_not_begun"
        r.pivot("135 s1", sentence, player=rightful)
        if incident.declined:
            r.pivot("88 s2", "bank.round_reaches", previous=incident.previous, player=rightful)
        else:
            r.pivot("14", "bank.goes_right", player=rightful)
        _decide(s, r, rightful, rightful)
    else:
        r.pivot("135 s2", "bank.shoe_stays_begun", player=s.banker)
        _decide(s, r, s.banker, rightful)


def _decide(s: Situation, r: Reasoning, right: str, rightful: str) -> None:
    r.player("bank_to", right, tempting=[s.banker, rightful, *neighbours(s, rightful)], critical=True)


def _out_of_turn(draw: Draw, book: Rulebook, difficulty: int, stage: Stage) -> Situation:
    facts = passed_hand(draw, book, difficulty)
    previous = facts["banker"]
    # In a round of offers the turn depends on those who refused.
    seated = seated_pontos(facts)
    declined = seated[: draw.number(1, min(2, len(seated) - 2))] if difficulty >= 2 and draw.chance(0.4) else ()
    wrong = seated[1 + len(declined) :]
    # Easy: far from the right seat. Hard: next to it, easily overlooked.
    facts["banker"] = draw.pick(wrong[:2] if difficulty >= 4 else wrong)
    incident = OutOfTurn(previous=previous, stage=stage, declined=declined)
    return Situation(**facts, wins=int(stage == "won"), incident=incident)


@case("bank_passing", {PT[0]: "81 s1", SANREMO: "135 s1"})
def shoe_returns(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if book.coded_as == SANREMO:
        return _out_of_turn(draw, book, difficulty, draw.pick(("not_begun", "tied")))
    return _out_of_turn(draw, book, difficulty, draw.pick(("not_begun", "drawn")) if difficulty > 1 else "not_begun")


@case("bank_passing", {PT[0]: "81 s2", SANREMO: "135 s2"})
def shoe_stays(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if book.coded_as == SANREMO:
        return _out_of_turn(draw, book, difficulty, draw.pick(("delivered", "won")))
    return _out_of_turn(draw, book, difficulty, draw.pick(("delivered", "tied", "won")))
