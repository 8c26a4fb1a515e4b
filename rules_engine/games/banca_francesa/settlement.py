"""What a bet brings with a throw: IV 9 to 11, 13 and 14, and 7 d. Every prize of the game is counted here."""

from collections.abc import Iterable
from typing import NamedTuple

from rules_engine.authoring import After, NotRegulated, Payment, Reasoning, Rulebook, Throw
from rules_engine.games.banca_francesa.layout import SPOTS, on_line
from rules_engine.games.banca_francesa.table import Bet, on_cloth

NONE = "none"
CHANCE_CLAUSES = {"aces": "IV 9 a", "small": "IV 9 b", "big": "IV 9 c", NONE: "IV 9 none"}
PRIZE_CLAUSES = {"aces": "IV 13 a", "small": "IV 13 b", "big": "IV 13 c"}
LINE_CLAUSES = {"small.line": "IV 10 a", "big.line": "IV 10 b"}
LIMIT_CLAUSES = {"aces": "IV 17 s2", "small": "IV 17 s1", "big": "IV 17 s1"}


def chance_of(book: Rulebook, dice: Throw) -> str:
    """The chance that a throw decides for, or that it decides nothing."""
    points = sum(dice)
    totals: dict[str, list[int]] = book.param("winning_totals")
    return next((chance for chance, winning in totals.items() if points in winning), NONE)


def played(book: Rulebook, spot: str, chips: int) -> int:
    """What chips on a spot are played for: on a line half of them."""
    if not on_line(spot):
        return chips
    bet, rest = divmod(chips, book.number("line_divisor"))
    if rest:
        raise NotRegulated("art. IV 11 does not say how to halve {chips:amount}", chips=chips)
    return bet


def stake(book: Rulebook, bet: Bet) -> int:
    return played(book, bet.spot, bet.amount)


def prize_of(book: Rulebook, chance: str, bet: int) -> int:
    """The prize of a winning bet, besides the bet itself."""
    return int(book.param("payouts")[chance]) * bet


class Outcome(NamedTuple):
    """A bet that has been settled: what it is for, and its prize, or what it lost as less than nothing."""

    bet: Bet
    stake: int
    prize: int


def outcomes(book: Rulebook, bets: Iterable[Bet], chance: str, *, spared: bool = False) -> list[Outcome]:
    """`spared`: whoever has not won does not lose either (7 d)."""
    found = []
    for bet in bets:
        played_for = stake(book, bet)
        if chance == bet.chance:
            result = prize_of(book, chance, played_for)
        else:
            result = 0 if spared or chance == NONE else -played_for
        found.append(Outcome(bet, played_for, result))
    return found


def paid_on(settled: Iterable[Outcome]) -> int:
    return sum(one.prize for one in settled if one.prize > 0)


def taken_on(settled: Iterable[Outcome]) -> int:
    return -sum(one.prize for one in settled if one.prize < 0)


def explain_chance(r: Reasoning, dice: Throw, *, pivot: bool) -> str:
    """The chance of a throw; what no clause of the text decides is always what a case turns on."""
    chance = chance_of(r.book, dice)
    cite, points = CHANCE_CLAUSES[chance], sum(dice)
    if chance == NONE:
        r.pivot(cite, "decides_nothing", points=points)
    else:
        totals = tuple(map(str, r.book.param("winning_totals")[chance]))
        r.step(cite, f"{chance}_out", points=points, totals=totals, pivot=pivot)
    return chance


def explain(r: Reasoning, settled: list[Outcome]) -> None:
    """The clauses that these bets turn on, once the chance is known."""
    explain_lines(r, settled)
    for one in settled:
        if one.prize < 0 and one.bet.halved:
            r.step("IV 11 s1", "half_is_lost", by=one.bet.player, spot=one.bet.spot, stake=one.stake)
    if taken_on(settled):
        r.step("IV 12", "losing_collected", sum=taken_on(settled))
    for one in settled:
        if one.prize > 0:
            explain_prize(r, one)
    if paid_on(settled):
        r.step("IV 14", "bets_stay")


def explain_lines(r: Reasoning, settled: list[Outcome]) -> None:
    """Which bet chips on a line are, and for how much."""
    halved = [one for one in settled if one.bet.halved]
    for spot in on_cloth({one.bet.spot for one in halved}):
        r.step(LINE_CLAUSES[spot], "line_is_bet", spot=spot, chance=SPOTS[spot].chance)
    for one in halved:
        if not one.prize:  # neither won nor lost: how much of it plays does not matter
            continue
        r.pivot("IV 11 s1", "half_plays", by=one.bet.player, chips=one.bet.amount, stake=one.stake, spot=one.bet.spot)


def explain_prize(r: Reasoning, one: Outcome, *, pivot: bool = True) -> None:
    r.step(
        PRIZE_CLAUSES[one.bet.chance],
        "pays",
        by=one.bet.player,
        spot=one.bet.spot,
        stake=one.stake,
        times=str(r.book.param("payouts")[one.bet.chance]),
        prize=one.prize,
        pivot=pivot,
    )


def settle(r: Reasoning, chance: str, settled: Iterable[Outcome]) -> None:
    """The table as it should end: the chance that is out, losing bets collected, prizes paid."""
    marks = {} if chance == NONE else {"chance": chance}
    r.after(After(payments=tuple(_payment(one) for one in settled if one.prize), marks=marks))


def _payment(one: Outcome) -> Payment:
    if one.prize > 0:
        return Payment("house", one.bet.player, one.prize, one.bet.spot)
    return Payment(one.bet.player, "house", -one.prize, one.bet.spot)


# ---------- limits ----------


class Limits(NamedTuple):
    least: int
    largest: int


def bet_limits(book: Rulebook, chance: str, minimum: int) -> Limits:
    """How much may be bet on a chance."""
    return Limits(minimum, int(book.param("maximum_times_minimum")[chance]) * minimum)


def chip_limits(book: Rulebook, spot: str, minimum: int) -> Limits:
    """How much may lie on a spot: on a line twice as much as may be bet."""
    least, largest = bet_limits(book, SPOTS[spot].chance, minimum)
    if not on_line(spot):
        return Limits(least, largest)
    times: dict[str, int] = book.param("line_limits")
    return Limits(times["times_least"] * least, times["times_largest"] * largest)
