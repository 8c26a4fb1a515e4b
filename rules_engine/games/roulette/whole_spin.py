"""A whole spin looked at again: the throw (X 15), chips touched when betting ends (X 14 s2), the number (X 17)."""

from typing import Any

from rules_engine.authoring import After, Draw, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.layout_bets.table import LayoutTable
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.closing import CLOTH, LateBet, decide_late, some_calls, touched_chips
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.setting import any_number, picture
from rules_engine.games.roulette.spin import DIRECTIONS, OPPOSITE, Direction, announce, numbers_said
from rules_engine.games.roulette.table import Situation

domain("throw_fault", "none", "ball", "plate", "both")


class SpinReviewed(LateBet, frozen=True, tag="spin_reviewed"):
    """How the ball and the plate went, what a player did with chips meanwhile, and which number came out.

    `last` is the direction of the previous throw.
    """

    last: Direction
    ball: Direction
    plate: Direction

    def check(self, situation: LayoutTable[Any]) -> None:
        super().check(situation)
        situation.result()

    def sayable(self, situation: Situation) -> list[Utterance]:
        return numbers_said(situation, situation.result())

    def narrated(self, situation: LayoutTable[Any]) -> list[Sentence]:
        thrown: Sentence = ("incident.spin_thrown", {"last": self.last, "ball": self.ball, "plate": self.plate})
        return [thrown, *super().narrated(situation)]


@rule(SpinReviewed, FRENCH)
def spin_reviewed(s: Situation, incident: SpinReviewed, r: Reasoning) -> None:
    ball, plate = incident.ball == incident.last, incident.plate == incident.ball
    r.pivot("X 15", "throw_in_turn", last=incident.last, right=OPPOSITE[incident.last])
    r.pivot("X 15", "plate_was_wrong" if plate else "plate_was_right", plate=OPPOSITE[incident.ball])
    r.choice("throw_fault", "both" if ball and plate else "ball" if ball else "plate" if plate else "none")
    decide_late(s, incident, r)
    announce(s, r, s.result())
    r.after(After(marks={"marker": str(s.result())}))


@case("spin", {FRENCH: ("X 15", "X 14 s2", "X 17")})
def spin_from_throw_to_number(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The throw is right half of the time. What the player did would win or lose a prize."""
    number, last = any_number(draw, difficulty), draw.pick(DIRECTIONS)
    ball = OPPOSITE[last] if draw.chance(0.6) else last
    plate = OPPOSITE[ball] if draw.chance(0.6) else ball
    facts = picture(draw, book, difficulty, number=number, crowd=CLOTH)
    incident = SpinReviewed(**touched_chips(draw, book, facts["bets"], number), last=last, ball=ball, plate=plate)
    return Situation(**facts, calls=some_calls(draw, facts["seats"], difficulty), incident=incident)
