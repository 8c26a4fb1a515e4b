"""A whole series of throws, with the bets that were up when it began: VI 10 to 13."""

from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta, structs

from rules_engine.authoring import After, Draw, Face, ImpossibleFacts, Reasoning, Rulebook, Sentence, throws
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case, rule
from rules_engine.games.craps.layout import BOXES, Chance
from rules_engine.games.craps.paying import wrong
from rules_engine.games.craps.setting import Crowd, picture, throw_of
from rules_engine.games.craps.settlement import OFF, Dice, Outcome, explain_one, outcome, point_after
from rules_engine.games.craps.table import DICE, Bet, Incident, Situation
from rules_engine.games.layout_bets.settlement import of_player, paid_on, payment, taken_on

LONGEST = 40
SERIES = {
    1: Crowd((1, 1), (1, 2), 2),
    2: Crowd((1, 2), (2, 3), 3),
    3: Crowd((2, 2), (3, 4), 3),
    4: Crowd((2, 3), (5, 6), 4),
    5: Crowd((3, 4), (7, 9), 4),
}
LASTING: tuple[Chance, ...] = ("come", "dont-come", "come-odds", "to-win", "to-lose", "hard", "big")
# How many throws, from and to.
LENGTHS = {1: (2, 2), 2: (2, 3), 3: (3, 4), 4: (4, 6), 5: (6, 8)}


class SeriesThrown(Incident, frozen=True, tag="series_thrown"):
    """Several throws in a row. Nobody adds a bet; winning bets are taken off the cloth with their prizes."""

    winners_leave: ClassVar = True

    throws: Annotated[tuple[tuple[Face, Face], ...], Meta(min_length=1, max_length=LONGEST)]

    def check(self, situation: Situation) -> None:
        if situation.dice:
            raise ImpossibleFacts("dice", "the throws must be those of the series")
        situation.check_some_bet()

    def narration(self) -> list[Sentence]:
        told = [{"one": one, "other": other, "total": one + other} for one, other in self.throws]
        return [("incident.series_thrown", {"throws": told})]


class Up(NamedTuple):
    """A bet that is up, and its spot when the series began."""

    bet: Bet
    origin: str


class Played(NamedTuple):
    """The result of a series: decided bets with total and first spot, moved bets, bets still up, the point."""

    decided: list[tuple[int, Outcome, str]]
    moved: list[tuple[int, Outcome]]
    up: list[Up]
    point: int | None


def play(book: Rulebook, s: Situation, series: tuple[Dice, ...]) -> Played:
    """Settle the bets throw by throw."""
    up = [Up(bet, bet.spot) for bet in s.bets]
    point: int | None = s.point
    decided: list[tuple[int, Outcome, str]] = []
    moved: list[tuple[int, Outcome]] = []
    for dice in series:
        left: list[Up] = []
        total = sum(dice)
        for bet, origin in up:
            one = outcome(book, bet, dice=dice, point=point, bar=s.bar)
            if one.prize:
                decided.append((total, one, origin))
                continue
            if one.verdict.fate == "moves":
                moved.append((total, one))
                bet = structs.replace(bet, number=total)
            left.append(Up(bet, origin))
        up, point = left, point_after(book, point, total)
    return Played(decided, moved, up, point)


@rule(SeriesThrown, CRAPS)
def series_thrown(s: Situation, incident: SeriesThrown, r: Reasoning) -> None:
    played = play(r.book, s, incident.throws)
    for total, one in played.moved:
        explain_one(r, total, one)
    for total, one, _ in played.decided:
        explain_one(r, total, one)
    if not played.decided and not played.moved:
        r.pivot("VI 10.1 s2", "series_open")
    r.step("VI 10.1 s2", "marker_in_the_end" if played.point else "marker_off_in_the_end", point=played.point)
    settled = [one for _, one, _ in played.decided]
    for player in s.every("prize."):
        mine = of_player(settled, player)
        r.amount(f"prize.{player}", paid_on(mine), tempting=_wrong(s.bets_of(player), mine), critical=True)
    taken, up = taken_on(settled), sum(one.bet.amount for one in played.up)
    whole = sum(bet.amount for bet in s.bets)
    r.amount("collected", taken, tempting=[taken + up, up, whole, whole - taken, 2 * whole, 0])
    r.choice("marker", str(played.point or OFF))
    r.outcome(paid=paid_on(settled), still_up=up)
    r.after(_after(played))


def _wrong(bets: list[Bet], settled: list[Outcome]) -> list[int]:
    if settled:
        return wrong(settled)
    whole = sum(bet.amount for bet in bets)
    return [whole, 2 * whole, 3 * whole, whole + bets[0].amount]


def _after(played: Played) -> After:
    """Payments name the spot at the beginning of the series; marks say where the remaining bets are now."""
    payments = tuple(payment(one, origin) for _, one, origin in played.decided)
    moved = {origin: bet.spot for bet, origin in played.up if bet.spot != origin}
    return After(payments=payments, marks={"marker": str(played.point or OFF), **moved})


def _throws(draw: Draw, facts: dict[str, Any], count: int) -> tuple[Dice, ...]:
    """Throws of a series: often a number that a bet waits for, and no seven before the last throw."""
    waited = sorted({bet.number for bet in facts["bets"] if bet.number} | {facts["point"] or 6})
    found: list[Dice] = []
    for index in range(count):
        early = index < count - 1
        dice = throw_of(draw, draw.pick(waited)) if draw.chance(0.5) else draw.pick(throws(DICE))
        found.append(throw_of(draw, draw.pick(BOXES)) if early and sum(dice) == 7 else dice)
    return tuple(found)


def _series(draw: Draw, book: Rulebook, difficulty: int, chance: Chance, point: int | None) -> Situation:
    number = 0 if chance in ("pass", "dont-pass") or (chance == "come" and point) else draw.pick((4, 5, 9, 10))
    if number == point:
        number = 6 if point != 6 else 8
    must: list[tuple[Chance, int]] = [("pass", 0), (chance, number)] if difficulty >= 2 else [(chance, number)]
    crowd = SERIES[difficulty]
    facts = picture(draw, book, difficulty, must=must, among=LASTING, crowd=crowd, point=point)
    series = _throws(draw, facts, draw.number(*LENGTHS[difficulty]))
    return Situation(**facts, incident=SeriesThrown(throws=series))  # type: ignore[arg-type]


@case("series", {CRAPS: ("VI 10.1 s2",)})
def line_through_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _series(draw, book, difficulty, "pass", draw.pick(BOXES) if draw.chance(0.6) else None)


@case("series", {CRAPS: ("VI 10.3 s2", "VI 10.3 s3")})
def come_through_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _series(draw, book, difficulty, "come", draw.pick(BOXES))


@case("series", {CRAPS: ("VI 10.4 s2", "VI 12 1", "VI 12 2")})
def numbers_through_a_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chances: tuple[Chance, ...] = ("to-win", "to-lose", "dont-come")
    return _series(draw, book, difficulty, draw.pick(chances), draw.pick(BOXES))
