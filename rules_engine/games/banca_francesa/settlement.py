"""What a bet wins or loses with a throw: IV 9 to 11, 13 and 14, and 7 d. Every prize of the game is computed here."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook, Throw
from rules_engine.games.banca_francesa.layout import LAYOUT, SPOTS, on_line
from rules_engine.games.banca_francesa.table import Bet
from rules_engine.games.layout_bets import settlement
from rules_engine.games.layout_bets.settlement import paid_on, taken_on

NONE = "none"
CHANCE_CLAUSES = {"aces": "IV 9 a", "small": "IV 9 b", "big": "IV 9 c", NONE: "IV 9 none"}
PRIZE_CLAUSES = {"aces": "IV 13 a", "small": "IV 13 b", "big": "IV 13 c"}
LINE_CLAUSES = {"small.line": "IV 10 a", "big.line": "IV 10 b"}
LIMIT_CLAUSES = {"aces": "IV 17 s2", "small": "IV 17 s1", "big": "IV 17 s1"}


def chance_of(book: Rulebook, dice: Throw) -> str:
    """The chance that wins with a throw, or NONE if the throw decides nothing."""
    points = sum(dice)
    totals: dict[str, list[int]] = book.param("winning_totals")
    return next((chance for chance, winning in totals.items() if points in winning), NONE)


def played(book: Rulebook, spot: str, chips: int) -> int:
    """The amount that chips on a spot are played for: half of them on a line (IV 11)."""
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
    prize = Fraction(str(book.param("payouts")[chance])) * bet
    if prize.denominator != 1:
        raise NotRegulated("art. IV 13 does not say how to round the prize on {bet:amount}", bet=bet)
    return prize.numerator


@dataclass(frozen=True)
class Outcome(settlement.Outcome[Bet]):
    """A settled bet. `stake` is the amount that was played, which is half of the chips on a line."""

    stake: int


def outcomes(book: Rulebook, bets: Iterable[Bet], chance: str, *, spared: bool = False) -> list[Outcome]:
    """Settle the bets. `spared`: bets that have not won do not lose either (IV 7 d)."""
    found = []
    for bet in bets:
        played_for = stake(book, bet)
        if chance == bet.chance:
            result = prize_of(book, chance, played_for)
        else:
            result = 0 if spared or chance == NONE else -played_for
        found.append(Outcome(bet, result, played_for))
    return found


def explain_chance(r: Reasoning, dice: Throw, *, pivot: bool) -> str:
    """Cite and return the chance of a throw. A throw that decides nothing is always a pivot."""
    chance = chance_of(r.book, dice)
    cite, points = CHANCE_CLAUSES[chance], sum(dice)
    if chance == NONE:
        r.pivot(cite, "decides_nothing", points=points)
    else:
        totals = tuple(map(str, r.book.param("winning_totals")[chance]))
        r.step(cite, f"{chance}_out", points=points, totals=totals, pivot=pivot)
    return chance


def explain(r: Reasoning, settled: list[Outcome]) -> None:
    """Cite the clauses that these bets turn on, once the chance is known."""
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
    """Cite which bets the chips on lines are, and for how much."""
    halved = [one for one in settled if one.bet.halved]
    for spot in LAYOUT.in_order({one.bet.spot for one in halved}):
        r.step(LINE_CLAUSES[spot], "line_is_bet", spot=spot, chance=SPOTS[spot].chance)
    for one in halved:
        if not one.prize:  # undecided: how much of it plays does not matter
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
    """Record how the table ends: the chance that won, losing bets collected, prizes paid."""
    settlement.settle(r, settled, {} if chance == NONE else {"chance": chance})


# ---------- limits ----------


class Limits(NamedTuple):
    least: int
    largest: int


def bet_limits(book: Rulebook, chance: str, minimum: int) -> Limits:
    """The least and largest bet on a chance (IV 17)."""
    return Limits(minimum, int(book.param("maximum_times_minimum")[chance]) * minimum)


def chip_limits(book: Rulebook, spot: str, minimum: int) -> Limits:
    """The least and largest amount of chips on a spot: on a line twice the limits of the bet (IV 11)."""
    least, largest = bet_limits(book, SPOTS[spot].chance, minimum)
    if not on_line(spot):
        return Limits(least, largest)
    times: dict[str, int] = book.param("line_limits")
    return Limits(times["times_least"] * least, times["times_largest"] * largest)
