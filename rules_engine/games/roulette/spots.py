"""Numbers and spots at a glance: colour, parity, half, dozen and column of a number; what a spot covers.

X 7, X 8, X 18 a, X 18 b, X 21. American: IX 2 am-colours.
"""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.layout import POCKETS, Pocket, Simple, Thirds, column_of, dozen_of
from rules_engine.games.roulette.setting import EDGES, table
from rules_engine.games.roulette.settlement import SIMPLE, THIRDS, colour, explain_colour, group, wins
from rules_engine.games.roulette.table import Incident, Situation, Wheel, named

# Spots that are known by their chance and their lowest number, or by which dozen or column they are.
Named = Literal["street", "corner", "line", Thirds, Simple]
FEW: tuple[Named, ...] = ("street", "corner", "line")
NONE = "none"
# Where colour and parity part: from 11 and from 29 on, odd numbers are black.
TURNING = (10, 11, 12, 18, 19, 28, 29, 30)

# Two streets begin with the zero: what is asked there would not be one spot.
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
domain("covers_count", "3", "4", "6", "12", "18", "24")
domain("covered", "yes", "no")


class NumberNamed(Incident, frozen=True, tag="number_named"):
    """A number is called out; whoever pays must know at once what it belongs to."""

    tells: ClassVar = ()
    unseen: ClassVar = ("layout", "wheel")

    number: Pocket

    def sorts(self, situation: Situation) -> set[str]:
        """Where the number lies: in one of the stretches in which colour and parity go together, or at a turn."""
        return {"at a turn" if self.number in TURNING else "edge" if self.number in EDGES else "plain"}


class SpotAsked(Incident, frozen=True, tag="spot_asked"):
    """A spot is named by its chance and its lowest number, or by which dozen or column it is.

    Of two dozens or columns side by side `first` is the lower. Then a number is out.
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
    """Where the numbers just before and after belong: at a limit somebody may count it with those."""
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
    r.choice("covers_count", str(count))
    if chance in FEW:
        row_below = tuple(str(number + 3) for number in covers)
        r.order("covers", map(str, covers), tempting=[row_below])
    hit = wins(r.book, spot, incident.number)
    beside = any(
        wins(r.book, spot, other) != hit for other in (incident.number - 1, incident.number + 1) if other in POCKETS
    )
    near = beside and chance not in ("column", "columns", *SIMPLE)
    r.step("X 18 b" if simple else "X 18 a", "number_inside" if hit else "number_outside", number=incident.number)
    r.choice("covered", "yes" if hit else "no", tempting=["no" if hit else "yes"] if near else [])


def _pool(difficulty: int) -> tuple[int, ...]:
    """Easy: the first dozen, which everybody knows. Hard: where the colours turn, and the edges of the cloth."""
    return {1: tuple(range(1, 13)), 2: tuple(range(1, 25)), 5: (*TURNING, *EDGES)}.get(difficulty, tuple(range(1, 37)))


def _called(draw: Draw, book: Rulebook, difficulty: int, shade: str, wheel: Wheel = "french") -> Situation:
    number = draw.pick([number for number in _pool(difficulty) if colour(book, number) == shade])
    return Situation(**table(draw, difficulty), wheel=wheel, incident=NumberNamed(number=number))


@case("numbers", {FRENCH: ("X 7", "X 18 a", "X 18 b")})
def red_called(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _called(draw, book, difficulty, "red")


@case("numbers", {FRENCH: ("X 7", "X 18 a", "X 18 b")})
def black_called(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _called(draw, book, difficulty, "black")


@case("numbers", {FRENCH: ("X 8", "X 21")})
def zero_called(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**table(draw, difficulty), incident=NumberNamed(number=0))


@case("numbers", {AMERICAN: ("IX 2 am-colours",)})
def number_called_on_american_wheel(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _called(draw, book, difficulty, draw.pick(("red", "black")), "american")


def _asked(draw: Draw, difficulty: int, chance: Named) -> Situation:
    """A number in the spot, or one that lies beside it; easy: anywhere on the cloth."""
    spot = draw.pick(ASKED[chance])
    inside = draw.chance(0.5)
    near = {n + step for n in spot.covers for step in (-3, -1, 1, 3) if 0 <= n + step <= 36} - spot.covers
    outside = sorted(near if near and difficulty >= 3 else set(layout.POCKETS) - spot.covers)
    number = draw.pick(sorted(spot.covers) if inside else outside)
    first = min(spot.numbers, default=0)
    return Situation(**table(draw, difficulty), incident=SpotAsked(chance=chance, first=first, number=number))


@case("numbers", {FRENCH: ("X 18 a",)})
def few_numbers_asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _asked(draw, difficulty, draw.pick(FEW))


@case("numbers", {FRENCH: ("X 18 a",)})
def third_asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    thirds: tuple[Named, ...] = ("dozen", "column") if difficulty <= 2 else THIRDS  # type: ignore[assignment]
    return _asked(draw, difficulty, draw.pick(thirds))


@case("numbers", {FRENCH: ("X 18 b",)})
def even_chance_asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chances: tuple[Named, ...] = SIMPLE
    return _asked(draw, difficulty, draw.pick(chances))
