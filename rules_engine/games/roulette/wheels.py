"""The wheel: its pockets, their order, and the neighbours of a number.

French: X 2, X 6, X 9. American: IX 2 s1, IX 2 fr, IX 2 am.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.equipment import wheel
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.game import GAME, case, case_table, domain, rule
from rules_engine.games.roulette.layout import Pocket
from rules_engine.games.roulette.settlement import COLOURED
from rules_engine.games.roulette.table import Incident, Situation, Wheel

# A pocket is judged by two neighbours on each side.
REACH = 2
ROW = 2 * REACH + 1
WHEELS: tuple[Wheel, ...] = ("french", "american")
ZeroColour = Literal["green", "red", "black"]

FAULTS = ("numbers", "zero_colour", "order")

domain("pocket_right", "right", "wrong")
# American roulette allows both orders, so neither can be wrong.
domain("wheel_fault", "none", *FAULTS, "several", unknown={AMERICAN: ("order",)})


class WheelBrought(Incident, frozen=True, tag="wheel_brought"):
    """A wheel is brought to the table; the situation says in which order its numbers are.

    `zero` is the colour behind the zero, if told.
    """

    tells: ClassVar = ("wheel",)

    highest: Annotated[int, Meta(ge=1, le=60)]
    zeros: Annotated[int, Meta(ge=0, le=3)]
    pockets: Annotated[int, Meta(ge=1, le=60)]
    zero: ZeroColour | None = None

    def narration(self) -> list[Sentence]:
        values = {"highest": self.highest, "zeros": self.zeros, "pockets": self.pockets}
        coloured: list[Sentence] = [(f"incident.zero_{self.zero}", {})] if self.zero else []
        return [("incident.wheel_brought", values), *coloured]

    def sorts(self, situation: Situation) -> set[str]:
        """Its order, the number of zeros and pockets, and the colour of its zero if told."""
        return {situation.wheel, f"{self.zeros} zeros", f"{self.pockets} pockets", f"zero {self.zero}"}


class PocketChecked(Incident, frozen=True, tag="pocket_checked"):
    """Five neighbouring pockets of a wheel; the middle one is in doubt."""

    tells: ClassVar = ("wheel",)
    unseen: ClassVar = ("wheel",)

    row: Annotated[tuple[Pocket, ...], Meta(min_length=ROW, max_length=ROW)]

    def sorts(self, situation: Situation) -> set[str]:
        return {situation.wheel, "round zero" if 0 in self.row else "away from zero"}


class NeighbourAsked(Incident, frozen=True, tag="neighbour_asked"):
    """`beside` is one neighbour of a number; the other neighbour is hidden."""

    tells: ClassVar = ("wheel",)
    unseen: ClassVar = ("wheel",)

    number: Pocket
    beside: Pocket

    def sorts(self, situation: Situation) -> set[str]:
        return {situation.wheel, "beside zero" if 0 in (self.number, self.beside) else "away from zero"}


class PocketsAway(Incident, frozen=True, tag="pockets_away"):
    """The ball lies `steps` pockets clockwise from a number; counter-clockwise if negative."""

    tells: ClassVar = ("wheel",)
    unseen: ClassVar = ("wheel",)

    number: Pocket
    steps: Annotated[int, Meta(ge=-18, le=18)]

    def _way(self) -> str:
        return "clockwise" if self.steps > 0 else "back"

    def sorts(self, situation: Situation) -> set[str]:
        return {self._way()}

    def check(self, situation: Situation) -> None:
        if not self.steps:
            raise ImpossibleFacts("incident.steps", "the ball lies in another pocket")

    def narration(self) -> list[Sentence]:
        form = self._way()
        return [(f"incident.pockets_away_{form}", {"number": self.number, "steps": abs(self.steps)})]


def orders() -> dict[str, tuple[int, ...]]:
    """Every wheel that a rulebook of the game allows, with its numbers in order."""
    return {name: tuple(order) for book in GAME.books for name, order in book.param("wheels").items()}


def order_of(s: Situation, r: Reasoning) -> tuple[Sequence[int], str]:
    """The numbers of the wheel in order, and the clause. Raises NotRegulated if such a wheel may not be used."""
    orders: dict[str, list[int]] = r.book.param("wheels")
    if s.wheel not in orders:
        raise NotRegulated("art. X 9 has no wheel of the {wheel:choice} order", wheel=s.wheel)
    clauses = {"french": "IX 2 fr", "american": "IX 2 am"}
    return orders[s.wheel], clauses[s.wheel] if r.book.coded_as == AMERICAN else "X 9"


@rule(WheelBrought, FRENCH)
def wheel_brought(s: Situation, incident: WheelBrought, r: Reasoning) -> None:
    highest, zeros, pockets = (r.book.number(name) for name in ("highest_number", "zeros", "pockets"))
    numbers_right = (incident.highest, incident.zeros) == (highest, zeros)
    r.step("X 2", "numbers_of_wheel", highest=highest, zeros=zeros, pivot=True)
    pockets_right = incident.pockets == pockets
    r.step("X 6", "pockets_of_wheel", pockets=pockets, pivot=not pockets_right or numbers_right)
    zero_right = incident.zero not in COLOURED
    if incident.zero and zeros:
        r.step("X 8", "zero_no_colour", number=0, pivot=numbers_right and pockets_right)
    order_right = s.wheel in r.book.param("wheels")
    if r.book.coded_as == AMERICAN:
        r.pivot("IX 2 s1", "either_order")
    else:
        r.step("X 9", "french_order_only", pivot=numbers_right and pockets_right)
    faults = [
        name
        for name, right in zip(FAULTS, (numbers_right and pockets_right, zero_right, order_right), strict=True)
        if not right
    ]
    r.choice("may_serve", "no" if faults else "yes")
    tempting = _tempting(incident, faults, pockets_right)
    r.choice("wheel_fault", _named(faults), tempting=tempting)


def _named(faults: list[str]) -> str:
    return "several" if len(faults) > 1 else faults[0] if faults else "none"


def _tempting(incident: WheelBrought, faults: list[str], pockets_right: bool) -> list[str]:
    """One fault out of several, an overlooked wrong number of pockets, and a rare zero colour that is correct."""
    if len(faults) > 1:
        return faults
    if faults:
        return ["none"] if faults != ["numbers"] or not pockets_right else []
    return ["zero_colour"] if incident.zero == "green" else []


@rule(PocketChecked, FRENCH)
def pocket_checked(s: Situation, incident: PocketChecked, r: Reasoning) -> None:
    order, cite = order_of(s, r)
    before, middle, after = incident.row[:REACH], incident.row[REACH], incident.row[REACH + 1 :]
    # The text does not say in which direction the American order runs.
    ways = (order, tuple(reversed(order))) if s.wheel == "american" else (order,)
    right = [found for way in ways if (found := _between(way, before, after)) is not None]
    if not right:
        raise ImpossibleFacts("incident.row", "only the pocket in the middle may be wrong")
    r.pivot(cite, "pocket_belongs", number=right[0], before=before[-1], after=after[0])
    r.choice("pocket_right", "right" if middle == right[0] else "wrong")
    r.number("belongs", right[0], tempting=[middle, wheel.beside(order, right[0], REACH + 1)])


def _between(order: Sequence[int], before: tuple[int, ...], after: tuple[int, ...]) -> int | None:
    """The number between these on this wheel; None if they do not surround one."""
    middle = wheel.beside(order, before[-1])
    row = wheel.stretch(order, middle, REACH)
    return middle if row == (*before, middle, *after) else None


@rule(NeighbourAsked, FRENCH)
def neighbour_asked(s: Situation, incident: NeighbourAsked, r: Reasoning) -> None:
    order, cite = order_of(s, r)
    sides = wheel.neighbours(order, incident.number)
    if incident.beside not in sides:
        raise ImpossibleFacts(
            "incident.beside",
            "{beside} is not beside {number} on this wheel",
            beside=incident.beside,
            number=incident.number,
        )
    other = sides[1] if incident.beside == sides[0] else sides[0]
    r.pivot(cite, "neighbours", number=incident.number, before=sides[0], after=sides[1])
    r.number("neighbour", other, tempting=_near(order, incident.number, other))


@rule(PocketsAway, FRENCH)
def pockets_away(s: Situation, incident: PocketsAway, r: Reasoning) -> None:
    order, cite = order_of(s, r)
    if s.wheel == "american":
        raise NotRegulated("art. IX 2 does not say which way round the American order runs")
    pocket = wheel.beside(order, incident.number, incident.steps)
    row = wheel.stretch(order, incident.number, abs(incident.steps))
    if cite != "X 9":  # IX 2 gives the order; only X 9 says that it runs clockwise
        r.pivot("X 9", "clockwise")
    r.pivot(cite, "stretch", number=incident.number, row=tuple(map(str, row)))
    mirrored = wheel.beside(order, incident.number, -incident.steps)
    r.number("pocket", pocket, tempting=[mirrored, *_near(order, incident.number, pocket)[:1]])


def _near(order: Sequence[int], number: int, right: int) -> list[int]:
    return [wheel.beside(order, right, step) for step in (1, -1) if wheel.beside(order, right, step) != number]


@case("wheel", {FRENCH: ("X 2", "X 6"), AMERICAN: ("X 2", "X 6", "IX 2 s1")})
def wheel_to_use(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A correct wheel more than half of the time; otherwise a second zero, an extra pocket, or unknown numbers."""
    highest, zeros, pockets = 36, 1, 37
    kind: Wheel = draw.pick(WHEELS) if difficulty >= 2 else "french"
    if draw.chance(0.4):
        wrong = [(36, 2, 38), (36, 1, 38), (36, 0, 36), (36, 1, 36), (35, 1, 36), (37, 1, 38)]
        highest, zeros, pockets = draw.pick(wrong[:2] if difficulty == 1 else wrong)
    zero: ZeroColour | None = None
    if zeros == 1 and difficulty >= 2 and (difficulty >= 4 or draw.chance(0.5)):
        zero = draw.pick(("green", "green", "red", "black"))
    incident = WheelBrought(highest=highest, zeros=zeros, pockets=pockets, zero=zero)
    return Situation(**table(draw, book, difficulty), wheel=kind, incident=incident)


@case("wheel", {FRENCH: ("X 9",), AMERICAN: ()})
def american_order_brought(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Only the order decides. At American roulette it decides nothing."""
    zero: ZeroColour | None = (
        draw.pick(("green", "red", "black")) if difficulty >= 4 or (difficulty == 3 and draw.chance(0.5)) else None
    )
    incident = WheelBrought(highest=36, zeros=1, pockets=37, zero=zero)
    return Situation(**table(draw, book, difficulty), wheel=draw.pick(WHEELS), incident=incident)


def _checked(draw: Draw, book: Rulebook, difficulty: int, kind: Wheel) -> Situation:
    """Five neighbouring pockets. A wrong one in the middle comes from nearby on the wheel if hard."""
    order: list[int] = book.param("wheels")[kind]
    row = list(wheel.stretch(order, draw.pick(order), REACH))
    if draw.chance(0.5):
        step = draw.pick((3, -3, 4, -4)) if difficulty >= 3 else draw.number(5, 30)
        row[REACH] = wheel.beside(order, row[REACH], step)
    return Situation(**table(draw, book, difficulty), wheel=kind, incident=PocketChecked(row=tuple(row)))


def _asked(draw: Draw, book: Rulebook, difficulty: int, kind: Wheel) -> Situation:
    """Easy: near zero. Harder: anywhere."""
    order: list[int] = book.param("wheels")[kind]
    reach = {1: 4, 2: 9}.get(difficulty, 18)
    number = wheel.beside(order, 0, draw.number(-reach, reach))
    beside = draw.pick(wheel.neighbours(order, number))
    return Situation(**table(draw, book, difficulty), wheel=kind, incident=NeighbourAsked(number=number, beside=beside))


FRENCH_LAW = {FRENCH: ("X 9",), AMERICAN: ("IX 2 fr",)}
case_table("wheel", variant("french_pocket", FRENCH_LAW, kind="french"))(_checked)
case_table("wheel", variant("french_neighbour", FRENCH_LAW, kind="french"))(_asked)


@case("wheel", {FRENCH: ("X 9",), AMERICAN: ("X 9", "IX 2 fr")})
def pockets_counted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    order: list[int] = book.param("wheels")["french"]
    steps = draw.number(1, difficulty) * draw.pick((1, -1))
    return Situation(**table(draw, book, difficulty), incident=PocketsAway(number=draw.pick(order), steps=steps))


AMERICAN_LAW = {AMERICAN: ("IX 2 am",)}
case_table("wheel", variant("american_pocket", AMERICAN_LAW, kind="american"))(_checked)
case_table("wheel", variant("american_neighbour", AMERICAN_LAW, kind="american"))(_asked)
