"""The dice that may be used: VII 1 a to e."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from rules_engine.authoring import FACES, Draw, Face, ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, case_table, domain, rule
from rules_engine.games.cussec.table import DICE, Incident, Situation
from rules_engine.games.layout_bets.setting import seated

Colour = Literal["same", "different", "cloudy"]
Pips = Literal["alike", "unequal", "worn"]
Balance = Literal["balanced", "loaded"]
Edge = Annotated[int, Meta(ge=1, le=50, description="mm")]
# The letter of VII 1 that each requirement comes from.
LETTERS = {"colour": "a", "edges": "b", "faces": "c", "pips": "d", "balance": "e"}

domain("may_serve", "yes", "no")
domain("fault", "none", *LETTERS, "several")


class DiceBrought(Incident, frozen=True, tag="dice_brought"):
    """Three dice are brought to the table. `edges` are in mm; `opposite` are the faces opposite 1, 2 and 3."""

    edges: tuple[Edge, ...]
    opposite: tuple[Face, ...]
    colour: Colour
    pips: Pips
    balance: Balance

    def check(self, situation: Situation) -> None:
        if len(self.edges) != DICE:
            raise ImpossibleFacts("incident.edges", "there are three dice")
        if len(self.opposite) != len(FACES) // 2:
            raise ImpossibleFacts("incident.opposite", "there is a face opposite 1, one opposite 2 and one opposite 3")

    def covered(self, situation: Situation) -> bool:
        return False  # the dice are in somebody's hand

    def narration(self) -> list[Sentence]:
        alike = len(set(self.edges)) == 1
        brought = "incident.dice_brought_alike" if alike else "incident.dice_brought"
        return [
            (brought, {"edge": self.edges[0]} if alike else {"edges": self.edges}),
            (f"incident.dice_colour_{self.colour}", {}),
            ("incident.dice_faces", dict(zip(("one", "two", "three"), self.opposite, strict=True))),
            (f"incident.dice_pips_{self.pips}", {}),
            (f"incident.dice_{self.balance}", {}),
        ]


@rule(DiceBrought, CUSSEC)
def dice_brought(s: Situation, incident: DiceBrought, r: Reasoning) -> None:
    limits, whole = r.book.param("edge_mm"), r.book.number("opposite_faces")
    least, largest = limits["least"], limits["largest"]
    within, alike = all(least <= edge <= largest for edge in incident.edges), len(set(incident.edges)) == 1
    each = r.book.reads("VII1", "each")
    good = {
        "colour": incident.colour == "same",
        "edges": within and (alike or each),
        "faces": all(face + other == whole for face, other in enumerate(incident.opposite, 1)),
        "pips": incident.pips == "alike",
        "balance": incident.balance == "balanced",
    }
    faults = [name for name, right in good.items() if not right]
    if within and not alike:
        r.pivot("VII 1 b-set", "dice_edges_each" if each else "dice_edges_unlike")
    for name, letter in LETTERS.items():
        if name == "edges" and within and not alike:
            continue
        text = f"dice_{name}_{'wrong' if name in faults else 'right'}"
        r.pivot(f"VII 1 {letter}", text, least=least, largest=largest, whole=whole)
    r.choice("may_serve", "no" if faults else "yes", critical=True)
    r.choice("fault", "several" if len(faults) > 1 else faults[0] if faults else "none")


def _good(draw: Draw, book: Rulebook) -> DiceBrought:
    limits = book.param("edge_mm")
    edge = draw.number(limits["least"], limits["largest"])
    return DiceBrought(edges=(edge, edge, edge), opposite=(6, 5, 4), colour="same", pips="alike", balance="balanced")


def _spoiled(draw: Draw, book: Rulebook, difficulty: int, dice: DiceBrought, fault: str) -> DiceBrought:
    limits = book.param("edge_mm")
    if fault == "edges":
        step = 3 if difficulty == 1 else 1
        edge = draw.pick((limits["least"] - step, limits["largest"] + step))
        return replace(dice, edges=(edge, edge, edge))
    if fault == "faces":
        return replace(dice, opposite=draw.pick(((5, 6, 4), (6, 4, 5), (4, 5, 6))))
    if fault == "colour":
        return replace(dice, colour=draw.pick(("different", "cloudy")))
    if fault == "pips":
        return replace(dice, pips=draw.pick(("unequal", "worn")))
    return replace(dice, balance="loaded")


def _brought(draw: Draw, book: Rulebook, difficulty: int, *faults: str) -> Situation:
    dice = _good(draw, book)
    for fault in faults:
        dice = _spoiled(draw, book, difficulty, dice, fault)
    return Situation(**seated(draw, book, difficulty), incident=dice)


@case_table(
    "dice", *(variant(f"{name}_wrong", {CUSSEC: f"VII 1 {letter}"}, fault=name) for name, letter in LETTERS.items())
)
def _faulty(draw: Draw, book: Rulebook, difficulty: int, fault: str) -> Situation:
    """Sometimes without the fault after all; if hard, sometimes with a second one."""
    if draw.chance(0.3):
        return _brought(draw, book, difficulty)
    others = [other for other in LETTERS if other != fault]
    second = (draw.pick(others),) if difficulty >= 3 and draw.chance(0.4) else ()
    return _brought(draw, book, difficulty, fault, *second)


case_table("dice", variant("good_dice", {CUSSEC: tuple(f"VII 1 {one}" for one in LETTERS.values())}))(_brought)


@case("dice", {CUSSEC: ("VII 1 b-set",)})
def dice_of_two_sizes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """All within the limits, but one die differs; or all are equal."""
    limits, dice = book.param("edge_mm"), _good(draw, book)
    edge = dice.edges[0]
    other = draw.pick([size for size in range(limits["least"], limits["largest"] + 1) if size != edge])
    unlike = draw.shuffled((edge, edge, other))
    edges = tuple(unlike) if draw.chance(0.6) else dice.edges
    return Situation(**seated(draw, book, difficulty), incident=replace(dice, edges=edges))


@case("dice", {CUSSEC: ("VII 1 b",)})
def dice_at_the_limits(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Exactly at the smallest or largest permitted size."""
    limits = book.param("edge_mm")
    edge = draw.pick((limits["least"], limits["largest"]))
    return Situation(**seated(draw, book, difficulty), incident=replace(_good(draw, book), edges=(edge, edge, edge)))
