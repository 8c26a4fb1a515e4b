"""Dice that come to rest where they should not: leaning or on an edge, on chips, on the rail.

VI 7 lists two void throws, a die off the table and dice that stop short. It says nothing of these.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from rules_engine.authoring import FACES, Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance, variant
from rules_engine.games.craps.announcing import line_table, line_throw, said_or_void
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case_table, rule
from rules_engine.games.craps.layout import BOXES
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.craps.void_throw import decide_throw

Lies = Literal["flat", "leaning", "edge"]
Against = Literal["chips", "cushion", "marker"]
Where = Literal["beside_chips", "bets", "bank", "rail", "rack"]
COCKED, OFF_CLOTH = "die_cocked", "die_off_cloth"
OPPOSITE = 7  # opposite faces make seven (VI 2 c), so an edge is never between them
# Where a die counts, by the procedure of the house.
COUNTS: dict[str, tuple[Where, ...]] = {
    "inside": ("beside_chips", "bets", "bank"),
    "bets": ("beside_chips", "bets"),
    "cloth": ("beside_chips",),
}


class AtRest(Struct, frozen=True, kw_only=True):
    """The dice rolled far enough and have come to rest; the second one lies somewhere odd."""

    def check(self, situation: Situation) -> None:
        situation.result()

    def settled_later(self) -> bool:
        return True

    def sayable(self, situation: Situation) -> list[Utterance]:
        return said_or_void(situation)


class DieCocked(AtRest, Incident, frozen=True, tag="die_cocked"):
    """The second die touches something: it lies flat all the same, leans with one face plainly up, or stands on an edge
    between the face that the facts give and `between`."""

    lies: Lies
    against: Against
    between: Annotated[int, Meta(ge=0, le=6)] = 0

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if (self.lies == "edge") != bool(self.between):
            raise ImpossibleFacts("incident.between", "another face is given for a die on an edge, and only then")
        if self.between in (situation.dice[1], OPPOSITE - situation.dice[1]):
            raise ImpossibleFacts("incident.between", "an edge is between two faces that meet")

    def narration(self) -> list[Sentence]:
        return [(f"incident.die_cocked_{self.lies}", {"against": self.against})]


class DieOffCloth(AtRest, Incident, frozen=True, tag="die_off_cloth"):
    """The second die lies flat beside chips, on bets, on the bank's chips, on the rail, or in a player's chip rack."""

    where: Where

    def narration(self) -> list[Sentence]:
        return [(f"incident.die_off_cloth_{self.where}", {})]


@rule(DieCocked, CRAPS)
def die_cocked(s: Situation, incident: DieCocked, r: Reasoning) -> None:
    void = incident.lies == "edge" or (incident.lies == "leaning" and r.procedure == "flat")
    r.pivot(COCKED, f"die_{r.procedure}_{incident.lies}")
    decide_throw(s, r, void=void, cite=COCKED)


@rule(DieOffCloth, CRAPS)
def die_off_cloth(s: Situation, incident: DieOffCloth, r: Reasoning) -> None:
    void = incident.where not in COUNTS[r.procedure]
    r.pivot(OFF_CLOTH, f"die_{r.procedure}_{incident.where}")
    decide_throw(s, r, void=void, cite=OFF_CLOTH)


def _rolled(draw: Draw, book: Rulebook, difficulty: int, incident: Incident) -> Situation:
    """Harder: with a point, and more bets on the line."""
    point = draw.pick(BOXES) if difficulty >= 2 and draw.chance(0.6) else None
    facts = line_table(draw, book, difficulty, point=point)
    return Situation(**facts, dice=line_throw(draw, point), incident=incident)


@case_table(
    "procedures",
    variant("die_touches", {CRAPS: COCKED}, lies="flat"),
    variant("die_leans", {CRAPS: COCKED}, lies="leaning"),
    variant("die_on_an_edge", {CRAPS: COCKED}, lies="edge"),
)
def _cocked(draw: Draw, book: Rulebook, difficulty: int, *, lies: Lies) -> Situation:
    made = _rolled(draw, book, difficulty, DieOffCloth(where="bets"))
    against: Against = draw.pick(("chips", "cushion", "marker") if made.point else ("chips", "cushion"))
    face = made.dice[1]
    between = draw.pick([other for other in FACES if other not in (face, OPPOSITE - face)]) if lies == "edge" else 0
    return replace(made, incident=DieCocked(lies=lies, against=against, between=between))


@case_table(
    "procedures",
    variant("die_beside_chips", {CRAPS: OFF_CLOTH}, where=("beside_chips",)),
    variant("die_on_chips", {CRAPS: OFF_CLOTH}, where=("bets", "bets", "bank")),
    variant("die_on_the_rim", {CRAPS: OFF_CLOTH}, where=("rail", "rack", "bank")),
)
def _off_cloth(draw: Draw, book: Rulebook, difficulty: int, *, where: tuple[Where, ...]) -> Situation:
    return _rolled(draw, book, difficulty, DieOffCloth(where=draw.pick(where)))
