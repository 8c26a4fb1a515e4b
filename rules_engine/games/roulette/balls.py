"""The balls and the dealer who throws them: X 11, X 12, X 13, X 28."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.layout_bets import relief
from rules_engine.games.layout_bets.relief import REASONS, Minutes, Reason, explain_relief
from rules_engine.games.layout_bets.setting import one_of, table
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, case_table, domain, rule
from rules_engine.games.roulette.table import Incident, Situation

Millimetres = Annotated[int, Meta(ge=5, le=60)]
BallColour = Literal["white", "black", "red"]
Fault = Literal["none", "chipped", "broken", "lost"]
FAULTS: tuple[Fault, ...] = ("chipped", "broken", "lost")
HARDEST = 5

domain("made_known", "yes", "no")
domain("may_serve", "yes", "no")
domain("relief", *relief.RELIEF)


class BallsBrought(Incident, frozen=True, tag="balls_brought"):
    """These balls are brought to open a table."""

    tells: ClassVar = ()

    diameters: tuple[Millimetres, ...]
    colour: BallColour = "white"

    def check(self, situation: Situation) -> None:
        if not self.diameters:
            raise ImpossibleFacts("incident.diameters", "no ball is brought")

    def narration(self) -> list[Sentence]:
        alike = len(set(self.diameters)) == 1
        form = "one" if len(self.diameters) == 1 else "alike" if alike else "unlike"
        values = {"count": len(self.diameters), "diameter": self.diameters[0], "diameters": self.diameters}
        return [(f"incident.balls_brought_{form}", {"colour": self.colour, **values})]

    def sorts(self, situation: Situation) -> set[str]:
        """How many balls, whether they are alike, and their colour."""
        alike = "alike" if len(set(self.diameters)) < len(self.diameters) else "unlike"
        return {f"{len(self.diameters)} balls", alike, self.colour}


class BallForSpin(Incident, frozen=True, tag="ball_for_spin"):
    """Before a throw: how many minutes the ball has been in use, and what is wrong with it. `other` is the second ball.

    `thrower`: the minutes the dealer who throws has been on duty, if told, with the `reason` given for staying.
    """

    tells: ClassVar = ()

    in_use: Millimetres
    other: Millimetres
    minutes: Minutes
    fault: Fault = "none"
    thrower: Annotated[int, Meta(ge=1, le=600)] | None = None
    reason: Reason = "none"

    def sorts(self, situation: Situation) -> set[str]:
        alone = self.thrower is None
        return {self.fault} if alone else {self.fault, f"thrower {self.reason}"}

    def check(self, situation: Situation) -> None:
        if self.in_use == self.other:
            raise ImpossibleFacts("incident.other", "the two balls of a table differ")

    def narration(self) -> list[Sentence]:
        values = {"in_use": self.in_use, "other": self.other, "minutes": self.minutes}
        told: list[Sentence] = [("incident.ball_for_spin", values), (f"incident.ball_fault_{self.fault}", values)]
        return told if self.thrower is None else told + relief.thrower_told(self.thrower, self.reason)


class ThrowerOn(relief.ThrowerOn, Incident, frozen=True, tag="thrower_on"):
    """How long the dealer who throws has been on duty, and the reason given for staying."""

    tells: ClassVar = ()

    def sorts(self, situation: Situation) -> set[str]:
        return {self.reason}


@rule(BallsBrought, FRENCH)
def balls_brought(s: Situation, incident: BallsBrought, r: Reasoning) -> None:
    count, limits = r.book.number("balls"), r.book.param("ball_diameters_mm")
    least, largest = int(limits["least"]), int(limits["largest"])
    r.pivot("X 11", "balls", count=count, least=least, largest=largest)
    found = incident.diameters
    good = (
        len(found) == len(set(found)) == count
        and all(least <= diameter <= largest for diameter in found)
        and incident.colour == "white"
    )
    r.choice("may_serve", "yes" if good else "no")


@rule(BallForSpin, FRENCH)
def ball_for_spin(s: Situation, incident: BallForSpin, r: Reasoning) -> None:
    _next_ball(incident, r)
    if incident.thrower is not None:
        _relief(incident.thrower, incident.reason, r)


def _next_ball(incident: BallForSpin, r: Reasoning) -> None:
    hour = r.book.number("ball_change_minutes")
    due = incident.minutes >= hour
    wrong = [incident.in_use, incident.other]
    if incident.fault != "none":
        if due:
            raise NotRegulated("arts. X 12 and X 13 do not say what is done first when a faulty ball has had its hour")
        r.pivot("X 13", "same_diameter", fault=incident.fault, diameter=incident.in_use)
        r.pivot("X 12", "not_made_known")
        r.number("next_ball", incident.in_use, tempting=wrong)
        r.choice("made_known", "no", tempting=["yes"])
        return
    r.pivot("X 12", "other_ball" if due else "same_ball", minutes=incident.minutes, hour=hour)
    r.number("next_ball", incident.other if due else incident.in_use, tempting=wrong)
    r.choice("made_known", "yes" if due else "no", tempting=["no"] if due else [])


@rule(ThrowerOn, FRENCH)
def thrower_on(s: Situation, incident: ThrowerOn, r: Reasoning) -> None:
    _relief(incident.minutes, incident.reason, r)


def _relief(minutes: int, reason: Reason, r: Reasoning) -> None:
    """X 28. A kind chief would let a dealer stay who wants to, or whom the players ask to."""
    found = explain_relief(r, "X 28", minutes, reason)
    hasty = {"not_yet": "now", "now": "not_yet"}
    wrong = hasty[found] if reason == "none" else "now" if found == "stays_reported" else "stays_reported"
    r.choice("relief", found, critical=True, tempting=[wrong])


def _two_balls(draw: Draw, book: Rulebook) -> tuple[int, int]:
    limits = book.param("ball_diameters_mm")
    first, second = draw.sample(range(int(limits["least"]), int(limits["largest"]) + 1), 2)
    return first, second


@case("balls", {FRENCH: ("X 11",)})
def balls_for_a_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Correct half of the time; otherwise too many or too few, alike, coloured, or just outside the limits."""
    limits = book.param("ball_diameters_mm")
    least, largest = int(limits["least"]), int(limits["largest"])
    first, second = _two_balls(draw, book)
    if difficulty >= 3 and draw.chance(0.5):
        first, second = draw.pick(((least, largest), (least, second if second != least else largest)))
    diameters: tuple[int, ...] = (first, second)
    colour: BallColour = "white"
    if draw.chance(0.5):
        gap = 1 if difficulty >= 3 else 4
        wrong = [(first,), (first, first), (first, largest + gap), (least - gap, second), (first, second, least + 2)]
        diameters = draw.pick(wrong[1:] if difficulty >= 2 else wrong[:3])
        if difficulty >= 2 and draw.chance(0.2):
            diameters, colour = (first, second), draw.pick(("black", "red"))
    return Situation(**table(draw, book, difficulty), incident=BallsBrought(diameters=diameters, colour=colour))


@case("balls", {FRENCH: ("X 12",)})
def ball_after_an_hour(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hardest: the dealer who spins it has his own hour."""
    if difficulty >= HARDEST:
        return _ball_and_thrower(draw, book, difficulty, "none")
    hour = book.number("ball_change_minutes")
    near = (hour - 1, hour, hour + 1) if difficulty >= 3 else (hour // 2, hour - 10, hour + 5, hour + 10, hour + 15)
    in_use, other = _two_balls(draw, book)
    incident = BallForSpin(in_use=in_use, other=other, minutes=draw.pick(near))
    return Situation(**table(draw, book, difficulty), incident=incident)


@case("balls", {FRENCH: ("X 13",)})
def ball_spoilt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if difficulty >= HARDEST:
        return _ball_and_thrower(draw, book, difficulty, FAULTS)
    hour = book.number("ball_change_minutes")
    in_use, other = _two_balls(draw, book)
    incident = BallForSpin(in_use=in_use, other=other, minutes=draw.number(5, hour - 1), fault=draw.pick(FAULTS))
    return Situation(**table(draw, book, difficulty), incident=incident)


@case("balls", {FRENCH: ("X 28",)})
def thrower_relieved(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    incident = ThrowerOn(**relief.some_thrower(draw, book, difficulty))
    return Situation(**table(draw, book, difficulty), incident=incident)


@case_table(
    "balls",
    variant("hour_of_both", {FRENCH: ("X 12", "X 28")}, faults="none"),
    variant("ball_spoilt_at_the_hour", {FRENCH: ("X 13", "X 28")}, faults=FAULTS),
)
def _ball_and_thrower(draw: Draw, book: Rulebook, difficulty: int, faults: Fault | tuple[Fault, ...]) -> Situation:
    """The ball and the dealer each have their own hour. Harder: close to it, with a reason to stay."""
    fault: Fault = one_of(draw, faults)
    hour, far = book.number("ball_change_minutes"), 2 if difficulty >= 3 else 15
    under, over = hour - draw.number(1, far), hour + draw.number(0, far)
    in_use, other = _two_balls(draw, book)
    thrower, reason = draw.pick((under, over)), draw.pick(REASONS if difficulty >= 2 else REASONS[:1])
    if reason == "force_majeure":
        thrower = over
    incident = BallForSpin(
        in_use=in_use,
        other=other,
        minutes=under if fault != "none" else draw.pick((under, over, over)),
        fault=fault,
        thrower=thrower,
        reason=reason,
    )
    return Situation(**table(draw, book, difficulty), incident=incident)
