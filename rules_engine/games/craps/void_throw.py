"""Throws that do not count: a die leaves the table, or the dice stop short. VI 6, VI 7."""

from typing import ClassVar, Literal

from rules_engine.authoring import (
    After,
    Draw,
    ImpossibleFacts,
    Reasoning,
    Rulebook,
    Sentence,
    Utterance,
    throws,
    variant,
)
from rules_engine.games.craps.announcing import announce, line_table, said_or_void
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case, case_table, domain, rule
from rules_engine.games.craps.layout import BOXES
from rules_engine.games.craps.settlement import OFF, explain_marker, point_after
from rules_engine.games.craps.table import DICE, Incident, Situation
from rules_engine.games.layout_bets.setting import table

Reach = Literal["cushion", "past_middle", "short", "cushion_short"]
Moment = Literal["now", "later"]
Found = Literal["sound", "damaged"]

domain("throw", "counts", "void")
domain("die_serves", "yes", "no")


class DiceThrown(Incident, frozen=True, tag="dice_thrown"):
    """How far the dice went: to the far cushion, past the middle, short of it, or short after striking a cushion.

    `off`: the second die jumped off the table; the faces, if told, do not count.
    """

    reach: Reach
    off: bool = False

    def check(self, situation: Situation) -> None:
        if not situation.dice and not self.off:
            raise ImpossibleFacts("dice", "two dice show something unless one is off the table")

    @property
    def void(self) -> bool:
        return self.off or self.reach == "short"

    def settled_later(self) -> bool:
        return not self.void

    def sayable(self, situation: Situation) -> list[Utterance]:
        return said_or_void(situation) if situation.dice else [Utterance("void_throw")]

    def narration(self) -> list[Sentence]:
        return [(f"incident.dice_thrown_{'off_' if self.off else ''}{self.reach}", {})]


class JumpedDie(Incident, frozen=True, tag="jumped_die"):
    """A die that jumped off the table is wanted for the next throw, or later after an inspection."""

    tells: ClassVar = ()

    moment: Moment
    found: Found

    def narration(self) -> list[Sentence]:
        return [(f"incident.jumped_die_{self.moment}_{self.found}", {})]


@rule(DiceThrown, CRAPS)
def dice_thrown(s: Situation, incident: DiceThrown, r: Reasoning) -> None:
    if incident.off:
        r.pivot("VI 7 a-1", "die_off")
    elif incident.reach in ("short", "cushion_short"):
        r.pivot("VI 7 b", f"throw_{incident.reach}")
    else:
        r.pivot("VI 6", f"throw_{incident.reach}")
    decide_throw(s, r, void=incident.void, cite="VI 7 a-1" if incident.off else "VI 7 b")


def decide_throw(s: Situation, r: Reasoning, *, void: bool, cite: str) -> None:
    """Decide whether the throw counts, what is announced, and where the marker is then. `cite` is what makes it
    void."""
    r.choice("throw", "void" if void else "counts", critical=True)
    if void:
        r.pivot("VI 13.3 a", "announce_void")
        r.words("void_throw", tempting=s.likely("announcement"))
        r.step(cite, f"marker_void{'' if s.point else '_off'}", point=s.point)
    else:
        announce(s, r)
        explain_marker(r, s)
    after = str((s.point if void else point_after(r.book, s.point, s.total)) or OFF)
    r.choice("marker", after)
    r.after(After(marks={"marker": after}))


@rule(JumpedDie, CRAPS)
def jumped_die(s: Situation, incident: JumpedDie, r: Reasoning) -> None:
    serves = incident.moment == "later" and incident.found == "sound"
    r.pivot("VI 7 a-2", f"die_{incident.moment}_{incident.found}")
    r.choice("die_serves", "yes" if serves else "no")


@case_table(
    "void_throw",
    variant("die_off_the_table", {CRAPS: ("VI 7 a-1", "VI 13.3 a")}, reaches=("cushion", "past_middle"), off=True),
    variant("dice_stop_short", {CRAPS: ("VI 7 b", "VI 13.3 a")}, reaches=("short",)),
    variant("dice_strike_a_cushion_first", {CRAPS: "VI 7 b"}, reaches=("cushion_short",)),
    variant("dice_past_the_middle", {CRAPS: "VI 6"}, reaches=("past_middle", "past_middle", "cushion")),
)
def _thrown(draw: Draw, book: Rulebook, difficulty: int, reaches: tuple[Reach, ...], off: bool = False) -> Situation:
    point = draw.pick(BOXES) if difficulty >= 2 and draw.chance(0.6) else None
    facts = line_table(draw, book, difficulty, point=point)
    return Situation(**facts, dice=draw.pick(throws(DICE)), incident=DiceThrown(reach=draw.pick(reaches), off=off))


@case("void_throw", {CRAPS: ("VI 7 a-2",)})
def die_that_jumped(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    moments: tuple[Moment, ...] = ("now", "later", "later")
    found: tuple[Found, ...] = ("sound", "sound", "damaged")
    incident = JumpedDie(moment=draw.pick(moments), found=draw.pick(found))
    return Situation(**table(draw, book, difficulty), incident=incident)
