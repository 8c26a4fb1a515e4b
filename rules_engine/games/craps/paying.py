"""The picture of the table after the throw: what every player and every spot is paid, which bet earned a prize.

VI 10 to 13; with the words, VI 13.3 a.
"""

from typing import Any

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook
from rules_engine.games.craps.announcing import announce
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.families import FAMILIES, Family, thrown
from rules_engine.games.craps.game import case, rule
from rules_engine.games.craps.layout import BOXES, Chance
from rules_engine.games.craps.setting import CROWDS, FEW, Put, any_throw, picture
from rules_engine.games.craps.settlement import (
    Outcome,
    explain,
    explain_marker,
    explain_one,
    outcome,
    outcomes,
    paid_on,
    settle,
    taken_on,
)
from rules_engine.games.craps.table import Incident, Situation, Worth, check_thrown, in_layout

# What is done with a picture: paid most often, sometimes with the words, spot by spot, or looked at for one prize.
HOW = ("pay", "pay", "value", "trace", "trace", "call")


class ThrowToPay(Incident, frozen=True, tag="throw_to_pay"):
    """The total is announced; the bets are to be collected and paid."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)


class CalledAndPaid(Incident, frozen=True, tag="called_and_paid"):
    """The dice lie still: the throw is to be announced, what lost collected, what won paid."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)


class SpotsToValue(Incident, frozen=True, tag="spots_to_value"):
    """The total is announced; the dealer values the cloth spot by spot, whoever the chips belong to."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)


class PrizeTraced(Incident, frozen=True, tag="prize_traced"):
    """Among the prizes of a player there is this one."""

    player: Place
    prize: Worth

    def check(self, situation: Situation) -> None:
        check_thrown(situation)


@rule(ThrowToPay, CRAPS)
def throw_to_pay(s: Situation, incident: ThrowToPay, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    explain(r, s.total, settled)
    explain_marker(r, s)
    pay(s, r, settled)


@rule(CalledAndPaid, CRAPS)
def called_and_paid(s: Situation, incident: CalledAndPaid, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    announce(s, r)
    explain(r, s.total, settled)
    explain_marker(r, s)
    pay(s, r, settled)


def pay(s: Situation, r: Reasoning, settled: list[Outcome]) -> None:
    """What is collected, and what everybody is paid."""
    paid, taken = paid_on(settled), taken_on(settled)
    kept = sum(one.bet.amount for one in settled if one.prize > 0)
    waiting = sum(one.bet.amount for one in settled if not one.prize)
    r.amount("collected", taken, tempting=[taken + waiting, taken + kept, kept, abs(paid - taken), paid, 0])
    for player in s.every("prize."):
        mine = [one for one in settled if one.bet.player == player]
        r.amount(f"prize.{player}", paid_on(mine), tempting=wrong(mine), critical=True)
    r.amount("total", paid, tempting=wrong(settled))
    settle(r, s, settled)


def wrong(settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: stakes with the prizes, a bet forgotten, all at even money."""
    prizes = [one.prize for one in settled if one.prize > 0]
    paid, kept = sum(prizes), sum(one.bet.amount for one in settled if one.prize > 0)
    whole = sum(one.bet.amount for one in settled)
    return [paid + kept, kept, paid - min(prizes, default=0), whole, 0, 2 * whole, paid + whole]


@rule(SpotsToValue, CRAPS)
def spots_to_value(s: Situation, incident: SpotsToValue, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    explain(r, s.total, settled)
    for spot in s.every("pays."):
        there = [one for one in settled if one.spot == spot]
        r.amount(f"pays.{spot}", paid_on(there), tempting=wrong(there), critical=True)
    r.amount("total", paid_on(settled), tempting=wrong(settled))
    settle(r, s, settled)


@rule(PrizeTraced, CRAPS)
def prize_traced(s: Situation, incident: PrizeTraced, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    mine = [one for one in settled if one.bet.player == incident.player]
    paid = [one for one in mine if one.prize == incident.prize]
    if len(paid) != 1:
        raise ImpossibleFacts(
            "incident.prize",
            "not one bet of {player:player} earns {prize:amount}",
            player=incident.player,
            prize=incident.prize,
        )
    explain_one(r, s.total, paid[0])
    right = paid[0].spot
    others = in_layout({one.spot for one in mine} - {right})
    r.order("paid_spot", [right], tempting=[(spot,) for spot in others])
    settle(r, s, settled)


def _paid(family: Family) -> None:
    """For every clause that pays, the kinds of picture in which it decides."""

    def paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        how = draw.pick(HOW)
        crowd = CROWDS if how in ("pay", "call") else FEW
        facts = thrown(draw, book, difficulty, family, crowd=crowd[difficulty], fates=("wins",))
        if how == "trace":
            return _traced(book, facts, family.chance)
        if how == "call":
            facts["shooter"] = facts["bets"][0].player
        incidents = {"pay": ThrowToPay(), "value": SpotsToValue(), "call": CalledAndPaid()}
        return Situation(**facts, incident=incidents[how])

    paid.__name__ = f"{family.name}_paid"
    case("payout", {CRAPS: family.cites[:1]})(paid)


def _traced(book: Rulebook, facts: dict[str, Any], chance: str) -> Situation:
    """Other bets of the player may earn more or less; where one earns as much, the spots are valued instead."""
    point, bar, dice = facts["point"], facts["bar"], facts["dice"]
    earned = {bet: outcome(book, bet, dice=dice, point=point, bar=bar).prize for bet in facts["bets"]}
    target = next(bet for bet in facts["bets"] if bet.chance == chance and earned[bet] > 0)
    mine = [prize for bet, prize in earned.items() if bet.player == target.player]
    if mine.count(earned[target]) > 1 or len(mine) == 1:
        return Situation(**facts, incident=SpotsToValue())
    return Situation(**facts, incident=PrizeTraced(player=target.player, prize=earned[target]))


for _family in FAMILIES:
    if "wins" in _family.fates:
        _paid(_family)


def _picture(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """The cloth of any moment of a series, and a throw that mostly decides something on it."""
    point = draw.pick(BOXES) if draw.chance(0.75) else None
    facts = picture(draw, book, difficulty, point=point)
    return facts | {"dice": any_throw(draw, book, facts, 0.9)}


@case("payout", {CRAPS: ("VI 10.1 s2", "VI 12 1", "VI 13.1 s2")})
def whole_cloth_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_picture(draw, book, difficulty), incident=ThrowToPay())


@case("payout", {CRAPS: ("VI 13.3 a",)})
def line_called_and_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Only the line and its odds are bet on, so that what is announced is all that wins and loses."""
    point = draw.pick(BOXES) if draw.chance(0.7) else None
    chances: tuple[Chance, ...] = ("pass", "dont-pass", "pass-odds")
    must: tuple[Put, ...] = (("pass", 0), ("dont-pass", 0))
    facts = picture(draw, book, difficulty, must=must[: 1 + difficulty // 3], among=chances, point=point)
    facts |= {"dice": any_throw(draw, book, facts, 0.7), "shooter": facts["bets"][0].player}
    return Situation(**facts, incident=CalledAndPaid())


@case("payout", {CRAPS: ("VI 13.3 a", "VI 13.3 a-line")})
def whole_cloth_called_and_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _picture(draw, book, difficulty)
    return Situation(**facts, shooter=draw.pick(facts["bets"]).player, incident=CalledAndPaid())
