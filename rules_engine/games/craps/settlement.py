"""What a throw does to a bet: VI 10 to 13. Every prize of craps is computed here."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal, NamedTuple

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook
from rules_engine.games.craps.layout import AGAINST, COME_ODDS, COMES, LINE_ODDS, LINES, NUMBERS, ODDS, named
from rules_engine.games.craps.table import Bar, Bet, Situation
from rules_engine.games.layout_bets import settlement

Fate = Literal["wins", "loses", "stays", "moves", "void"]
Dice = tuple[int, ...]
OFF = "off"
TOTAL_CLAUSES = {2: "VI 11.5", 3: "VI 11.6", 7: "VI 11.4", 11: "VI 11.7", 12: "VI 11.8"}


class Verdict(NamedTuple):
    """What a throw does to a bet. `pays` is the prize per unit of a winning stake, `why` the reason as a word id."""

    fate: Fate
    cite: str
    why: str
    pays: Fraction = Fraction(0)


@dataclass(frozen=True)
class Outcome(settlement.Outcome[Bet]):
    """A bet after a throw. `prize` is 0 while the bet stays up."""

    verdict: Verdict


def verdict(book: Rulebook, chance: str, number: int, *, dice: Dice, point: int | None, bar: Bar) -> Verdict:
    """What a throw does to a bet. `point` is the point before the throw."""
    total = sum(dice)
    return _verdict(book, chance, number or (point or 0), total, dice[0] == dice[-1], point is None, bar, bool(number))


@cache
def _verdict(
    book: Rulebook, chance: str, number: int, total: int, pair: bool, first: bool, bar: Bar, moved: bool
) -> Verdict:
    if chance in LINES:
        return _first(book, chance, total, bar) if first else _waiting(book, chance, number, total)
    if chance in COMES and not moved:
        return _first(book, chance, total, bar)
    if chance in (*COMES, *COME_ODDS, *LINE_ODDS, *NUMBERS, "big"):
        return _waiting(book, chance, number, total)
    return _hardway(book, number, total, pair) if chance == "hard" else _one_throw(book, chance, number, total)


def _first(book: Rulebook, chance: str, total: int, bar: Bar) -> Verdict:
    """The first throw for a bet on the line, come or don't come."""
    name = f"{chance.replace('-', '_')}_first"
    totals = book.param(name)[bar] if chance in AGAINST else book.param(name)
    cites = {"pass": "VI 10.1 s1", "dont-pass": _bar_clause(bar), "come": "VI 10.3 s2", "dont-come": "VI 10.4 s1"}
    cite, come = cites[chance], chance in COMES
    if total in totals["win"]:
        return Verdict("wins", cite, "next_throw" if come else "first_throw", even_money(book))
    if total in totals["lose"]:
        return Verdict("loses", cite, "next_throw" if come else "first_throw")
    if total in totals.get("void", ()):
        return Verdict("void", "VI 10.4 s1-bar" if come else cite, f"bar_{bar}")
    if come:
        return Verdict("moves", cite, "moves")
    return Verdict("stays", "VI 10.1 s3" if chance == "pass" else "VI 10.2 s3", "point_set")


def _bar_clause(bar: Bar) -> str:
    return "VI 10.2 s1" if bar == "sixes" else "VI 10.2 s2"


def _waiting(book: Rulebook, chance: str, number: int, total: int) -> Verdict:
    """A bet decided by its number or by seven, whichever comes first."""
    seven, against, cite = book.number("seven"), chance in AGAINST, clause(chance, number)
    if total not in (seven, number):
        return Verdict("stays", cite, "not_decided")
    why = "seven_first" if total == seven else "number_again"
    if (total == seven) == against:
        return Verdict("wins", cite, why, price(book, chance, number))
    return Verdict("loses", cite, why)


def _hardway(book: Rulebook, number: int, total: int, pair: bool) -> Verdict:
    if total == number and pair:
        return Verdict("wins", clause("hard", number), "the_pair", price(book, "hard", number))
    if total in (number, book.number("seven")):
        return Verdict("loses", "VI 11.3 s3", "not_the_pair" if total == number else "seven_first")
    return Verdict("stays", "VI 11.3 s3", "not_decided")


def _one_throw(book: Rulebook, chance: str, number: int, total: int) -> Verdict:
    wins = {
        "under": book.param("under"),
        "over": book.param("over"),
        "craps": book.param("craps")["win"],
        "total": [number],
        "field": [int(one) for one in book.param("field")],
    }
    if total in wins[chance]:
        return Verdict(
            "wins", clause(chance, number), "one_throw", price(book, chance, total if chance == "field" else number)
        )
    return Verdict("loses", "VI 13.1 s2" if chance == "field" else clause(chance, number), "one_throw")


def clause(chance: str, number: int) -> str:
    """The clause that says when a bet wins and what it pays, after its first throw."""
    if chance == "hard":
        return "VI 11.3 s2" if number in (6, 8) else "VI 11.3 s1"
    if chance == "total":
        return TOTAL_CLAUSES[number]
    if chance == "big":
        return "VI 10.5" if number == 6 else "VI 10.6"
    return {
        "pass": "VI 10.1 s2",
        "dont-pass": "VI 10.2 s3",
        "come": "VI 10.3 s3",
        "dont-come": "VI 10.4 s2",
        "pass-odds": "VI 11.1 s2",
        "come-odds": "VI 11.1 s2",
        "dont-pass-odds": "VI 11.1 s2-dont",
        "dont-come-odds": "VI 11.1 s2-dont",
        "to-win": "VI 12 1",
        "to-lose": "VI 12 2",
        "under": "VI 10.7",
        "over": "VI 10.8",
        "craps": "VI 11.2",
        "field": "VI 13.1 s1",
    }[chance]


def even_money(book: Rulebook) -> Fraction:
    return Fraction(*book.param("even_money"))


@cache
def price(book: Rulebook, chance: str, number: int) -> Fraction:
    """The prize per unit staked. `number` is the number the bet lies on; for the field, the total."""
    if chance in ODDS:
        printed = Fraction(*book.param("odds")[str(number)])
        return 1 / printed if chance in AGAINST and book.reads("Q28", "inverse") else printed
    scales = {"to-win": "to_win", "to-lose": "to_lose", "hard": "hardways", "total": "totals", "field": "field"}
    if chance in scales:
        return Fraction(*book.param(scales[chance])[str(number)])
    return Fraction(*book.param("craps")["pays"]) if chance == "craps" else even_money(book)


def times_name(pays: Fraction) -> str:
    """A price as an answer shows it: `30`, or `7-6` for seven to six."""
    return str(pays.numerator) if pays.denominator == 1 else f"{pays.numerator}-{pays.denominator}"


def prize_of(book: Rulebook, pays: Fraction, stake: int) -> int:
    """The prize of a winning stake, besides the stake itself."""
    prize, part = divmod(stake * pays.numerator, pays.denominator)
    if part:
        raise NotRegulated(
            "arts. VI 11.1 and VI 12 do not say how to pay {times:times} on a stake of {stake:amount}",
            times=times_name(pays),
            stake=stake,
        )
    return prize


def outcome(book: Rulebook, bet: Bet, *, dice: Dice, point: int | None, bar: Bar) -> Outcome:
    found = verdict(book, bet.chance, bet.number, dice=dice, point=point, bar=bar)
    prize = prize_of(book, found.pays, bet.amount) if found.fate == "wins" else 0
    return Outcome(bet, -bet.amount if found.fate == "loses" else prize, found)


def outcomes(book: Rulebook, s: Situation, dice: Dice = ()) -> list[Outcome]:
    """Every bet of a table after its throw."""
    return [outcome(book, bet, dice=dice or s.dice, point=s.point, bar=s.bar) for bet in s.bets]


def mistaken(book: Rulebook, s: Situation, one: Outcome) -> list[Fate]:
    """Wrong fates of a bet: by the rule of the other phase, of the line instead of come, or of any pair."""

    def fate(chance: str, number: int, point: int | None) -> list[Fate]:
        return [verdict(book, chance, number, dice=s.dice, point=point, bar=s.bar).fate]

    chance, number = one.bet.chance, one.bet.number
    if chance in LINES:
        return [] if s.point is None else fate(chance, 0, None)
    if chance in COMES and number:
        return fate(chance, 0, None)
    if chance in COMES:
        return fate("dont-pass" if chance in AGAINST else "pass", 0, s.point)
    if chance in COME_ODDS and s.point is not None:
        return fate("dont-pass-odds" if chance in AGAINST else "pass-odds", 0, s.point)
    if chance == "hard":
        return ["wins"] if s.total == number else []
    return fate("to-win", number, s.point) if chance == "to-lose" else []


def point_after(book: Rulebook, point: int | None, total: int) -> int | None:
    """The point after a throw (VI 10.1)."""
    if point is None:
        return total if total in book.param("points") else None
    return None if total in (point, book.number("seven")) else point


def explain(r: Reasoning, total: int, settled: Iterable[Outcome], *, stakes: bool = True) -> None:
    """Cite the clauses that these bets and this throw turn on: decided bets, or if there are none, all bets.

    `stakes`: also whose the winning stakes are.
    """
    found = list(settled)
    idle = all(one.verdict.fate == "stays" for one in found)
    for one in found:
        explain_one(r, total, one, pivot=idle or one.verdict.fate != "stays")
    if stakes and any(one.prize > 0 for one in found):
        r.step("VI 13.2", "stakes_stay")


def explain_one(r: Reasoning, total: int, one: Outcome, *, pivot: bool = True) -> None:
    bet, found = one.bet, one.verdict
    values: dict[str, Any] = {"by": bet.player, "total": total, "why": found.why, **named(one.spot)}
    if found.fate == "wins":
        values |= {"stake": bet.amount, "times": times_name(found.pays), "prize": one.prize}
    r.step(found.cite, f"bet_{found.fate}", pivot=pivot, **values)
    if bet.chance in ODDS and found.fate != "stays" and not r.told("with_parent"):
        r.step("VI 11.1 s3", "with_parent", pivot=pivot, spot=one.spot)
    if found.fate == "moves" and bet.chance == "dont-come" and not r.told("mark_on_top"):
        r.step("VI 10.4 s3", "mark_on_top", pivot=pivot, spot=one.spot)


def explain_marker(r: Reasoning, s: Situation, *, pivot: bool = False) -> None:
    """Cite where the marker stands after the throw. If all line bets are on don't pass, its clause is cited."""
    after, lines = point_after(r.book, s.point, s.total), {bet.chance for bet in s.bets} & set(LINES)
    against = lines == {"dont-pass"}
    if s.point is None:
        cite = "VI 10.2 s3" if against else "VI 10.1 s3"
        r.step(cite, "marker_set" if after else "marker_off", pivot=pivot, total=s.total)
    else:
        cite = "VI 10.2 s3" if against else "VI 10.1 s2"
        r.step(cite, "marker_on" if after else "marker_away", pivot=pivot, total=s.total, point=s.point)


def settle(r: Reasoning, s: Situation, settled: Iterable[Outcome]) -> None:
    """Record how the table ends: the marker, losing stakes collected, prizes paid, come bets moved."""
    found = list(settled)
    moved = {one.spot: f"{one.spot}.{s.total}" for one in found if one.verdict.fate == "moves"}
    marker = point_after(r.book, s.point, s.total)
    settlement.settle(r, found, {"marker": str(marker or OFF), **moved})
