"""The dice: which may be used, who inspects them, who picks them and how many. VI 2, VI 3, VI 4."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.craps.announcing import line_table
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case, case_table, domain, rule
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.layout_bets.setting import one_of, table

# Flaws of dice besides a wrong number or size, and the clause that each breaks.
Flaw = Literal["unnumbered", "opaque", "uneven", "faces", "pips_unlike", "pips_faint", "unbalanced"]
FLAWS: dict[Flaw, str] = {
    "unnumbered": "VI 2 s0",
    "opaque": "VI 2 a",
    "uneven": "VI 2 b",
    "faces": "VI 2 c",
    "pips_unlike": "VI 2 d",
    "pips_faint": "VI 2 d",
    "unbalanced": "VI 2 e",
}
Colours = Literal["one", "several"]
COLOURS: tuple[Colours, ...] = ("one", "several")
Done = Literal["taken_up", "checked", "presented", "picked"]
NEXT: dict[Done, tuple[str, str]] = {
    "taken_up": ("check", "VI 3"),
    "checked": ("present", "VI 4"),
    "presented": ("pick", "VI 4"),
    "picked": ("throw", "VI 4"),
}
DONE = tuple(NEXT)
Picker = Literal["shooter", "stickman", "neighbour"]

domain("may_serve", "yes", "no")
domain("dice_act", *(act for act, _ in NEXT.values()))


class DiceBrought(Incident, frozen=True, tag="dice_brought"):
    """Dice are brought to open the table. `edge` is their edge in mm."""

    tells: ClassVar = ()

    count: Annotated[int, Meta(ge=1, le=12)]
    edge: Annotated[int, Meta(ge=1, le=50)]
    colours: Colours = "one"
    flaw: Flaw | None = None

    def narration(self) -> list[Sentence]:
        values = {"count": self.count, "edge": self.edge}
        flaw: list[Sentence] = [(f"incident.dice_{self.flaw or 'flawless'}", {})]
        return [(f"incident.dice_brought_{self.colours}", values), *flaw]


class DiceHandled(Incident, frozen=True, tag="dice_handled"):
    """`done` is the last thing the stickman has done with the dice before a throw."""

    tells: ClassVar = ()

    done: Done

    def narration(self) -> list[Sentence]:
        return [(f"incident.dice_handled_{self.done}", {})]


class DicePicked(Incident, frozen=True, tag="dice_picked"):
    """Somebody has picked `count` dice for the throw, from the `before` dice in front of the shooter."""

    tells: ClassVar = ()

    by: Picker
    count: Annotated[int, Meta(ge=1, le=5)]
    before: Annotated[int, Meta(ge=2, le=12)]

    def narration(self) -> list[Sentence]:
        return [(f"incident.dice_picked_{self.by}", {"count": self.count, "before": self.before})]


@rule(DiceBrought, CRAPS)
def dice_brought(s: Situation, incident: DiceBrought, r: Reasoning) -> None:
    needed, edge = r.book.number("dice_presented"), r.book.param("edge_mm")
    many, fits = incident.count == needed, edge["least"] <= incident.edge <= edge["largest"]
    r.step("VI 2 s0", "dice_needed", pivot=not many or incident.colours == "several", count=needed)
    r.step("VI 2 b", "dice_edge", pivot=not fits or incident.edge in edge.values(), **edge)
    if incident.flaw is not None:
        r.pivot(FLAWS[incident.flaw], f"dice_{incident.flaw}")
    good = many and fits and incident.flaw is None
    if good:
        r.pivot("VI 2 e", "dice_good")
    r.choice("may_serve", "yes" if good else "no")


@rule(DiceHandled, CRAPS)
def dice_handled(s: Situation, incident: DiceHandled, r: Reasoning) -> None:
    act, cite = NEXT[incident.done]
    five, two = r.book.number("dice_presented"), r.book.number("dice_thrown")
    r.pivot(cite, f"then_{act}", five=five, two=two)
    r.choice("dice_act", act)


@rule(DicePicked, CRAPS)
def dice_picked(s: Situation, incident: DicePicked, r: Reasoning) -> None:
    five, two = r.book.number("dice_presented"), r.book.number("dice_thrown")
    good = incident.by == "shooter" and incident.count == two and incident.before == five
    r.pivot("VI 4", "dice_as_picked" if good else "dice_not_so", five=five, two=two)
    r.choice("allowed", "allowed" if good else "refused")


def _brought(
    draw: Draw, book: Rulebook, difficulty: int, *, count: int, edge: int, flaw: Flaw | None = None
) -> Situation:
    incident = DiceBrought(count=count, edge=edge, colours=draw.pick(COLOURS), flaw=flaw)
    return Situation(**table(draw, book, difficulty), incident=incident)


def _good_edge(draw: Draw, book: Rulebook, difficulty: int) -> int:
    edge = book.param("edge_mm")
    return draw.pick((edge["least"], edge["largest"])) if difficulty >= 3 else draw.number(*edge.values())


@case("dice", {CRAPS: ("VI 2 s0",)})
def number_of_dice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    needed = book.number("dice_presented")
    count = draw.pick((2, 3, 8) if difficulty <= 2 else (needed - 1, needed + 1))
    right = draw.chance(0.5)
    return _brought(draw, book, difficulty, count=needed if right else count, edge=_good_edge(draw, book, difficulty))


@case("dice", {CRAPS: ("VI 2 b", "VI 2 e")})
def size_of_dice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: far outside the limits, or at them. Hard: a millimetre outside, or at them."""
    edge = book.param("edge_mm")
    far = 5 if difficulty <= 2 else 1
    length = draw.pick((edge["least"] - far, edge["least"], edge["largest"], edge["largest"] + far))
    return _brought(draw, book, difficulty, count=book.number("dice_presented"), edge=length)


@case_table("dice", *(variant(f"dice_{flaw}", {CRAPS: cite}, flaw=flaw) for flaw, cite in FLAWS.items()))
def _flawed(draw: Draw, book: Rulebook, difficulty: int, flaw: Flaw) -> Situation:
    """Sometimes without the flaw, so that the case does not give the answer away."""
    found = flaw if draw.chance(0.6) else None
    edge = _good_edge(draw, book, difficulty)
    return _brought(draw, book, difficulty, count=book.number("dice_presented"), edge=edge, flaw=found)


@case_table(
    "dice",
    variant("dice_before_a_throw", {CRAPS: ("VI 3", "VI 4")}, done=DONE),
    variant("dice_not_looked_at_yet", {CRAPS: "VI 3"}, done="taken_up"),
)
def _handled(draw: Draw, book: Rulebook, difficulty: int, done: Done | tuple[Done, ...]) -> Situation:
    facts = line_table(draw, book, difficulty, point=None)
    return Situation(**facts, incident=DiceHandled(done=one_of(draw, done)))


@case("dice", {CRAPS: ("VI 4",)})
def dice_to_throw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Correct half of the time; otherwise somebody else picks, or there are too few or too many dice."""
    five, two = book.number("dice_presented"), book.number("dice_thrown")
    by, count, before = "shooter", two, five
    if draw.chance(0.5):
        wrong = [("stickman", two, five), ("neighbour", two, five), ("shooter", 3, five), ("shooter", two, two)]
        by, count, before = draw.pick(wrong + ([("shooter", two, five - 1)] if difficulty >= 3 else []))
    incident = DicePicked(by=by, count=count, before=before)  # type: ignore[arg-type]
    return Situation(**line_table(draw, book, difficulty, point=None), incident=incident)
