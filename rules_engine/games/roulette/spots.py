"""Numbers and spots at a glance: the colour, parity, half, dozen and column of a number; what a spot covers.

X 7, X 8, X 18 a, X 18 b, X 21. American: IX 2 am-colours.
"""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.layout_bets.setting import one_of, table
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.game import case, case_table, domain, rule
from rules_engine.games.roulette.layout import POCKETS, Pocket, Simple, Thirds, column_of, dozen_of, named
from rules_engine.games.roulette.setting import EDGES
from rules_engine.games.roulette.settlement import SIMPLE, THIRDS, colour, explain_colour, group, wins
from rules_engine.games.roulette.table import Incident, Situation, Wheel

# Spots that are named by their chance and lowest number, or by which dozen or column they are.
Named = Literal["street", "corner", "line", Thirds, Simple]
FEW: tuple[Named, ...] = ("street", "corner", "line")
NONE = "none"
# Numbers near which the colours change sides: from 11 and from 29 on, odd numbers are black.
TURNING = (10, 11, 12, 18, 19, 28, 29, 30)

# Two streets begin with the zero, so a street of zero would not name one spot.
ASKED: dict[str, tuple[layout.Spot, ...]] = {
    chance: tuple(
        spot for spot in layout.SPOTS.values() if spot.chance == chance and (chance != "street" or 0 not in spot.covers)
    )
    for chance in (*FEW, *THIRDS, *SIMPLE)
}

domain("colour", "red", "black", NONE)
domain("parity", "even", "odd", NONE)
domain("half", "low", "high", NONE)
domain("dozen", "1", "2", "3", NONE)
domain("column", "1", "2", "3", NONE)
domain("covers_count", "12", "18", "24")
domain("covered", "yes", "no")


class NumberNamed(Incident, frozen=True, tag="number_named"):
    """A number is called out; the dealer must know at once which chances it belongs to."""

    tells: ClassVar = ()
    unseen: ClassVar = ("layout", "wheel")

    number: Pocket

    def sorts(self, situation: Situation) -> set[str]:
        """Whether the colours change sides near the number, or it lies at the edge of the cloth."""
        return {"at a turn" if self.number in TURNING else "edge" if self.number in EDGES else "plain"}


class SpotAsked(Incident, frozen=True, tag="spot_asked"):
    """A spot is named by its chance and its lowest number, or by which dozen or column it is; then a number comes out.

    `first` is the lowest number, or the lower of two dozens or columns.
    """

    tells: ClassVar = ()

    chance: Named
    number: Pocket
    first: Annotated[int, Meta(ge=0, le=36)] = 0

    def check(self, situation: Situation) -> None:
        if self._key() is None:
            raise ImpossibleFacts(
                "incident.first", "not one {chance:spot} begins with {first}", chance=self.chance, first=self.first
            )

    def _key(self) -> str | None:
        found = [
            spot.key
            for spot in layout.SPOTS.values()
            if spot.chance == self.chance and min(spot.numbers, default=0) == self.first
        ]
        return found[0] if len(found) == 1 else None

    @property
    def spot(self) -> str:
        key = self._key()
        if key is None:
            raise ImpossibleFacts("incident.first", "there is no such spot")
        return key

    def narration(self) -> list[Sentence]:
        which = self.chance if self.chance in (*FEW, *SIMPLE) else f"{self.spot}"
        form = "few" if self.chance in FEW else "known"
        return [(f"incident.spot_asked_{form}", {"name": which, "first": self.first, "number": self.number})]

    def sorts(self, situation: Situation) -> set[str]:
        return {group(self.chance)}


@rule(NumberNamed, FRENCH)
def number_named(s: Situation, incident: NumberNamed, r: Reasoning) -> None:
    number = incident.number
    explain_colour(s, r, number, pivot=True)
    if number:
        parity, half = ("odd" if number % 2 else "even"), ("low" if number in layout.SIMPLE["low"] else "high")
        r.pivot("X 18 b", "number_simple", number=number, parity=parity, half=half)
        r.pivot("X 18 a", "number_thirds", number=number, dozen=dozen_of(number), column=column_of(number))
    else:
        parity = half = NONE
        r.pivot("X 21", "zero_in_none", number=number)
    r.choice("colour", colour(r.book, number), tempting=["red" if number % 2 else "black"] if number else [])
    r.choice("parity", parity, tempting=[] if number else ["even"])
    r.choice("half", half, tempting=_beside(number, lambda n: "low" if n in layout.SIMPLE["low"] else "high"))
    r.choice("dozen", str(dozen_of(number) or NONE), tempting=_beside(number, lambda n: str(dozen_of(n))))
    r.choice("column", str(column_of(number) or NONE))


def _beside(number: int, belongs: Callable[[int], str]) -> list[str]:
    """What the numbers just before and after belong to: tempting answers at a limit."""
    return [belongs(other) for other in (number - 1, number + 1) if 1 <= other <= 36]


@rule(SpotAsked, FRENCH)
def spot_asked(s: Situation, incident: SpotAsked, r: Reasoning) -> None:
    spot, chance = incident.spot, incident.chance
    covers = sorted(layout.numbers(spot))
    simple = chance in SIMPLE
    count = len(covers) if simple else int(r.book.param("numbers_covered")[chance])
    r.pivot("X 18 b" if simple else "X 18 a", "covers", count=count, **named(spot))
    if chance in ("red", "black"):
        explain_colour(s, r, incident.number, pivot=True)
    elif not incident.number and chance not in FEW:
        r.pivot("X 21", "zero_in_none", number=incident.number)
    if chance in FEW:
        row_below = tuple(str(number + 3) for number in covers)
        r.order("covers", map(str, covers), tempting=[row_below])
    else:
        r.choice("covers_count", str(count))
    hit = wins(r.book, spot, incident.number)
    beside = any(
        wins(r.book, spot, other) != hit for other in (incident.number - 1, incident.number + 1) if other in POCKETS
    )
    near = beside and chance not in ("column", "columns", *SIMPLE)
    r.step("X 18 b" if simple else "X 18 a", "number_inside" if hit else "number_outside", number=incident.number)
    r.choice("covered", "yes" if hit else "no", tempting=["no" if hit else "yes"] if near else [])


def _pool(difficulty: int) -> tuple[int, ...]:
    """Easy: the first dozen. Hard: where the colours change sides, and the edges of the cloth."""
    return {1: tuple(range(1, 13)), 2: tuple(range(1, 25)), 5: (*TURNING, *EDGES)}.get(difficulty, tuple(range(1, 37)))


def _called(
    draw: Draw, book: Rulebook, difficulty: int, shade: str | tuple[str, ...], wheel: Wheel = "french"
) -> Situation:
    colours = one_of(draw, shade)
    number = draw.pick([number for number in _pool(difficulty) if colour(book, number) == colours])
    return Situation(**table(draw, book, difficulty), wheel=wheel, incident=NumberNamed(number=number))


COLOUR_LAW = {FRENCH: ("X 7", "X 18 a", "X 18 b")}
case_table(
    "numbers", variant("red_called", COLOUR_LAW, shade="red"), variant("black_called", COLOUR_LAW, shade="black")
)(_called)


@case("numbers", {FRENCH: ("X 8", "X 21")})
def zero_called(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**table(draw, book, difficulty), incident=NumberNamed(number=0))


AMERICAN_LAW = {AMERICAN: ("IX 2 am-colours",)}
AMERICAN_WHEEL = {"shade": ("red", "black"), "wheel": "american"}
case_table("numbers", variant("number_called_on_american_wheel", AMERICAN_LAW, **AMERICAN_WHEEL))(_called)


@case_table(
    "numbers",
    variant("few_numbers_asked", {FRENCH: "X 18 a"}, chances=FEW),
    variant("third_asked", {FRENCH: "X 18 a"}, chances=THIRDS, easy=("dozen", "column")),
    variant("even_chance_asked", {FRENCH: "X 18 b"}, chances=SIMPLE),
)
def _asked(
    draw: Draw, book: Rulebook, difficulty: int, chances: tuple[Named, ...], easy: tuple[Named, ...] = ()
) -> Situation:
    """A number inside the spot or beside it; if easy, anywhere outside it."""
    chance = draw.pick(easy if easy and difficulty <= 2 else chances)
    spot = draw.pick(ASKED[chance])
    inside = draw.chance(0.5)
    near = {n + step for n in spot.covers for step in (-3, -1, 1, 3) if 0 <= n + step <= 36} - spot.covers
    outside = sorted(near if near and difficulty >= 3 else set(layout.POCKETS) - spot.covers)
    number = draw.pick(sorted(spot.covers) if inside else outside)
    first = min(spot.numbers, default=0)
    return Situation(**table(draw, book, difficulty), incident=SpotAsked(chance=chance, first=first, number=number))
