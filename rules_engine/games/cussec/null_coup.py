"""The dome is lifted: whether the dice lie so that the coup counts. VII 5 s3, VII 6 s1."""

from typing import Literal

from rules_engine.authoring import (
    FACES,
    After,
    Draw,
    Face,
    ImpossibleFacts,
    NotRegulated,
    Reasoning,
    Rulebook,
    Sentence,
    Utterance,
    variant,
)
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case_table, domain, rule
from rules_engine.games.cussec.result import announce, results
from rules_engine.games.cussec.setting import any_dice, picture
from rules_engine.games.cussec.settlement import explain, outcomes, settle
from rules_engine.games.cussec.table import DICE, Incident, Situation
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.layout_bets.settlement import paid_on

Lie = Literal["apart", "touching", "two_stacked", "three_stacked", "leaning"]
# How many upper faces are visible, and how many dice are stacked.
FACES_SEEN: dict[Lie, int] = {"apart": 3, "touching": 3, "two_stacked": 2, "three_stacked": 1, "leaning": 3}
STACKED: dict[Lie, int] = {"two_stacked": 2, "three_stacked": 3}
CROWDS = {
    1: Crowd((1, 1), (1, 1), (0, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (0, 1), (1, 4)),
    3: Crowd((2, 2), (2, 2), (1, 1), (1, 5)),
    4: Crowd((2, 3), (2, 3), (1, 2), (1, 6)),
    5: Crowd((3, 3), (3, 4), (2, 2), (1, 8)),
}

domain("coup", "stands", "void")


class DomeLifted(Incident, frozen=True, tag="dome_lifted"):
    """The dome is lifted, nothing is announced. `faces` are the visible upper faces, the top of a stack first."""

    lie: Lie
    faces: tuple[Face, ...]

    def check(self, situation: Situation) -> None:
        situation.check_some_bet()
        if situation.dice:
            raise ImpossibleFacts("dice", "no result is announced yet")
        if len(self.faces) != FACES_SEEN[self.lie]:
            raise ImpossibleFacts(
                "incident.faces", "the number of visible upper faces must be {count}", count=FACES_SEEN[self.lie]
            )

    def sayable(self, situation: Situation) -> list[Utterance]:
        """The void coup, or a result with the faces that are seen; covered dice are taken to show other faces."""
        seen = self.faces
        made_up = (len(FACES) + 1 - seen[0], 1 + (seen[0] + sum(situation.seats)) % len(FACES))
        return [Utterance("void"), *results((*seen, *made_up)[:DICE])]

    def seen(self) -> tuple[int, ...]:
        return self.faces

    def stacked(self) -> int:
        return STACKED.get(self.lie, 0)

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.dome_lifted_{self.lie}", {"faces": self.faces, "top": self.faces[0], "last": self.faces[-1]})
        ]


@rule(DomeLifted, CUSSEC)
def dome_lifted(s: Situation, incident: DomeLifted, r: Reasoning) -> None:
    if incident.lie == "leaning":
        raise NotRegulated("arts. VII 5 and VII 6 do not say what a die that leans on the glass counts")
    if incident.stacked():
        r.pivot("VII 6 s1", "stacked", count=incident.stacked())
        r.choice("coup", "void", critical=True)
        r.words("void", tempting=s.likely("announcement"))
        r.step("VII 6 s2", "all_again")
        whole = sum(bet.amount for bet in s.bets)
        r.amount("total", 0, tempting=[whole, 2 * whole, 5 * whole])
        r.after(After())
        return
    dice = incident.faces
    settled = outcomes(r.book, s.bets, dice)
    r.pivot("VII 6 s1", "not_stacked")
    r.choice("coup", "stands", critical=True)
    announce(s, r, dice, pivot=True)
    explain(s, r, dice, settled)
    paid, whole = paid_on(settled), sum(bet.amount for bet in s.bets)
    r.amount("total", paid, tempting=[0, paid + whole, whole, 5 * whole])
    settle(r, dice, settled)


# Dice that touch one another are not stacked.
@case_table(
    "null_coup",
    variant("dice_stacked", {CUSSEC: "VII 6 s1"}, lies=("two_stacked", "three_stacked")),
    variant("dice_side_by_side", {CUSSEC: ("VII 5 s3", "VII 6 s1")}, lies=("apart", "touching")),
)
def _lifted(draw: Draw, book: Rulebook, difficulty: int, lies: tuple[Lie, ...]) -> Situation:
    lie = draw.pick(lies)
    dice = any_dice(draw, book, min(difficulty, 3))
    facts = picture(draw, book, difficulty, dice=dice, crowd=CROWDS[difficulty])
    facts["dice"] = ()
    return Situation(**facts, incident=DomeLifted(lie=lie, faces=dice[: FACES_SEEN[lie]]))
