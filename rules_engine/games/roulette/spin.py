"""The throw and its result: the direction of the ball and the plate, what is announced and marked. X 15, X 17."""

from typing import ClassVar, Literal

from rules_engine.authoring import After, Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance, variant
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.roulette.books import BOOKS, FRENCH
from rules_engine.games.roulette.game import case, case_table, domain, rule
from rules_engine.games.roulette.layout import NUMBERS, POCKETS, Pocket
from rules_engine.games.roulette.setting import any_number
from rules_engine.games.roulette.settlement import colour, explain_colour
from rules_engine.games.roulette.table import Incident, Situation

Direction = Literal["left_to_right", "right_to_left"]
OPPOSITE: dict[Direction, Direction] = {"left_to_right": "right_to_left", "right_to_left": "left_to_right"}
DIRECTIONS = tuple(OPPOSITE)
Ball = Literal["settled", "rocking", "rolling"]

domain("throw", *DIRECTIONS)
domain("plate_turn", *DIRECTIONS)


class ThrowPrepared(Incident, frozen=True, tag="throw_prepared"):
    """The dealer is about to throw the ball while the plate turns; `last` is the direction of the previous throw."""

    tells: ClassVar = ()

    last: Direction
    ball: Direction
    plate: Direction


class BallComesDown(Incident, frozen=True, tag="ball_comes_down"):
    """The ball is in the pocket of a number, settled or still rocking, or rolls over it."""

    tells: ClassVar = ()

    number: Pocket
    ball: Ball

    def check(self, situation: Situation) -> None:
        if situation.number is not None:
            raise ImpossibleFacts("number", "no number is out before it is announced")

    def lying(self) -> Pocket | None:
        return None if self.ball == "rolling" else self.number

    def sayable(self, situation: Situation) -> list[Utterance]:
        return numbers_said(situation, self.number)

    def narration(self) -> list[Sentence]:
        return [(f"incident.ball_comes_down_{self.ball}", {"number": self.number})]


@rule(ThrowPrepared, FRENCH)
def throw_prepared(s: Situation, incident: ThrowPrepared, r: Reasoning) -> None:
    right = OPPOSITE[incident.last]
    r.pivot("X 15", "throw_in_turn", last=incident.last, right=right)
    r.pivot("X 15", "plate_against_ball", plate=OPPOSITE[right])
    good = incident.ball == right and incident.plate == OPPOSITE[incident.ball]
    r.choice("allowed", "allowed" if good else "refused")
    r.choice("throw", right)
    r.choice("plate_turn", OPPOSITE[right])


@rule(BallComesDown, FRENCH)
def ball_comes_down(s: Situation, incident: BallComesDown, r: Reasoning) -> None:
    number = incident.number
    if incident.ball != "settled":
        r.pivot("X 17", "not_at_rest", number=number)
        return
    announce(s, r, number)
    r.number("marker", number, tempting=[(number + step) % len(POCKETS) for step in (1, -1, 3)])
    r.after(After(marks={"marker": str(number)}))


def announce(s: Situation, r: Reasoning, number: int) -> None:
    """Number and colour are announced as soon as the ball lies still (X 17). The zero has no colour (X 8)."""
    r.pivot("X 17", "announce_number" if number else "announce_zero", number=number)
    explain_colour(s, r, number, pivot=True)
    slots: dict[str, int | str] = {"number": number, **spoken(number, colour(r.book, number))} if number else {}
    said = "result" if number else "result_zero"
    r.words(Utterance(said, slots), tempting=s.likely("announcement"))


def _pair(number: int) -> tuple[int, int]:
    """A number and the one beside it on the cloth."""
    return (number, number + 1) if number % 2 else (number - 1, number)


def numbers_said(s: Situation, number: int) -> list[Utterance]:
    """The announcements to choose from when this number comes out. Zero stands beside a number made up from the
    seats."""
    other = 1 + 7 * sum(s.seats) % len(NUMBERS)
    return [*with_colours(*_pair(number or other)), Utterance("result_zero")]


def with_colours(*numbers: int) -> list[Utterance]:
    """The announcements of these numbers, each with either colour, so that all have as much in common."""
    return [
        Utterance("result", {"number": number, **spoken(number, shade)})
        for number in numbers
        for shade in ("red", "black")
    ]


def spoken(number: int, shade: str) -> dict[str, str]:
    """The words that may be announced besides the number: its colour and the other even chances."""
    words = {
        "colour": shade,
        "shade": f"also_{shade}",
        "parity": "odd" if number % 2 else "even",
        "half": "low" if number <= 18 else "high",
    }
    book = BOOKS[0]  # both rulebooks have the same words
    return {name: book.text(f"spoken.{id}", book.language) for name, id in words.items()}


@case("spin", {FRENCH: ("X 15",)})
def about_to_throw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Correct half of the time; otherwise the ball, the plate or both go the wrong way."""
    last = draw.pick(DIRECTIONS)
    ball, plate = OPPOSITE[last], last
    if draw.chance(0.5):
        ball, plate = draw.pick([(last, OPPOSITE[last]), (last, last), (ball, ball)])
    return Situation(**table(draw, book, difficulty), incident=ThrowPrepared(last=last, ball=ball, plate=plate))


def _comes(draw: Draw, book: Rulebook, difficulty: int, shade: str) -> Situation:
    number = draw.pick([n for n in NUMBERS if colour(book, n) == shade])
    return Situation(**table(draw, book, difficulty), incident=BallComesDown(number=number, ball="settled"))


COLOUR_LAW = {FRENCH: ("X 7", "X 17")}
case_table("spin", variant("red_comes", COLOUR_LAW, shade="red"), variant("black_comes", COLOUR_LAW, shade="black"))(
    _comes
)


@case("spin", {FRENCH: ("X 8", "X 17")})
def zero_comes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**table(draw, book, difficulty), incident=BallComesDown(number=0, ball="settled"))


@case("spin", {FRENCH: ("X 17",)})
def ball_not_yet_at_rest(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    balls: tuple[Ball, ...] = ("rocking", "rolling")
    number = any_number(draw, difficulty)
    return Situation(**table(draw, book, difficulty), incident=BallComesDown(number=number, ball=draw.pick(balls)))
