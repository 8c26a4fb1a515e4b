"""The table after the throw: what every player and every spot is paid, and which bet earned a prize.

VI 10 to 13; with the announcement, VI 13.3 a.
"""

from typing import Any

from rules_engine.authoring import Draw, Reasoning, Rulebook, Utterance, variant
from rules_engine.games.craps.announcing import announce, line_throw, said_of
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.families import FAMILIES, Family, thrown
from rules_engine.games.craps.game import case, case_table, rule
from rules_engine.games.craps.layout import AGAINST_ODDS, BOXES, Chance
from rules_engine.games.craps.setting import CROWDS, FEW, Put, any_throw, picture
from rules_engine.games.craps.settlement import Outcome, explain, explain_marker, explain_one, outcome, outcomes, settle
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.layout_bets import incidents, settlement
from rules_engine.games.layout_bets.incidents import BetsDecided

# How the table is used: for paying, valuing each spot, or tracing one prize.
HOW = ("pay", "pay", "value", "trace", "trace")


class ThrowToPay(BetsDecided, Incident, frozen=True, tag="throw_to_pay"):
    """The total is announced; now the bets are collected and paid."""


class CalledAndPaid(BetsDecided, Incident, frozen=True, tag="called_and_paid"):
    """The dice lie still: the throw is announced, losing bets are collected, winning bets paid."""

    def sayable(self, situation: Situation) -> list[Utterance]:
        return said_of(situation)


class SpotsToValue(BetsDecided, Incident, frozen=True, tag="spots_to_value"):
    """The total is announced; the dealer works out what is due on each spot, for all players."""


class PrizeTraced(incidents.PrizeTraced, Incident, frozen=True, tag="prize_traced"):
    """A player receives this prize, among others."""


@rule(ThrowToPay, CRAPS)
def throw_to_pay(s: Situation, incident: ThrowToPay, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    explain(r, s.total, settled)
    explain_marker(r, s)
    pay(s, r, settled)


@rule(CalledAndPaid, CRAPS)
def called_and_paid(s: Situation, incident: CalledAndPaid, r: Reasoning) -> None:
    announce(s, r)
    throw_to_pay(s, ThrowToPay(), r)


def pay(s: Situation, r: Reasoning, settled: list[Outcome]) -> None:
    """Decide what is collected and what everybody is paid."""
    paid, taken, kept = settlement.paid_on(settled), settlement.taken_on(settled), settlement.kept_on(settled)
    waiting = sum(one.bet.amount for one in settled if not one.prize)
    r.amount("collected", taken, tempting=[taken + waiting, taken + kept, kept, abs(paid - taken), paid, 0])
    settlement.decide_prizes(s, r, settled, wrong)
    settle(r, s, settled)


def wrong(settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: prizes with the stakes, a bet forgotten, everything at even money."""
    paid, kept, whole = settlement.paid_on(settled), settlement.kept_on(settled), settlement.staked_on(settled)
    return [paid + kept, kept, paid - settlement.least_prize(settled), whole, 0, 2 * whole, paid + whole]


@rule(SpotsToValue, CRAPS)
def spots_to_value(s: Situation, incident: SpotsToValue, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    explain(r, s.total, settled)
    settlement.decide_spots(s, r, settled, wrong)
    settle(r, s, settled)


@rule(PrizeTraced, CRAPS)
def prize_traced(s: Situation, incident: PrizeTraced, r: Reasoning) -> None:
    settled = outcomes(r.book, s)
    right = settlement.traced(settled, incident)
    explain_one(r, s.total, right)
    settlement.decide_traced(s, r, settled, right)
    settle(r, s, settled)


def _paid(draw: Draw, book: Rulebook, difficulty: int, family: Family) -> Situation:
    """A throw on which a bet of the family wins, for one of the incidents."""
    how = draw.pick(HOW)
    crowd = CROWDS if how == "pay" else FEW
    facts = thrown(draw, book, difficulty, family, crowd=crowd[difficulty], fates=("wins",))
    if how == "trace":
        return _traced(book, facts, family.chance)
    return Situation(**facts, incident=ThrowToPay() if how == "pay" else SpotsToValue())


def _traced(book: Rulebook, facts: dict[str, Any], chance: str) -> Situation:
    """Trace the prize of a bet on this chance. The spots are valued instead if another bet earns as much, or if the
    player has odds whose price a house may read otherwise (Q28)."""
    point, bar, dice = facts["point"], facts["bar"], facts["dice"]
    earned = {bet: outcome(book, bet, dice=dice, point=point, bar=bar).prize for bet in facts["bets"]}
    target = next(bet for bet in facts["bets"] if bet.chance == chance and earned[bet] > 0)
    mine = [prize for bet, prize in earned.items() if bet.player == target.player]
    disputed = any(bet.player == target.player and bet.chance in AGAINST_ODDS for bet in facts["bets"])
    if mine.count(earned[target]) > 1 or len(mine) == 1 or disputed:
        return Situation(**facts, incident=SpotsToValue())
    return Situation(**facts, incident=PrizeTraced(player=target.player, prize=earned[target]))


case_table(
    "payout",
    *(variant(f"{one.name}_paid", {CRAPS: one.cites[:1]}, family=one) for one in FAMILIES if "wins" in one.fates),
)(_paid)


def _picture(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """A table at any moment of a series, and a throw that usually decides a bet."""
    point = draw.pick(BOXES) if draw.chance(0.75) else None
    facts = picture(draw, book, difficulty, point=point)
    return facts | {"dice": any_throw(draw, book, facts, 0.9)}


@case("payout", {CRAPS: ("VI 10.1 s2", "VI 12 1", "VI 13.1 s2")})
def whole_cloth_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_picture(draw, book, difficulty), incident=ThrowToPay())


@case("payout", {CRAPS: ("VI 13.3 a",)})
def line_called_and_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """There are only bets on the line and its odds, so the announcement covers all that wins and loses."""
    point = draw.pick(BOXES) if draw.chance(0.5) else None
    chances: tuple[Chance, ...] = ("pass", "dont-pass", "pass-odds")
    must: tuple[Put, ...] = (("pass", 0), ("dont-pass", 0))
    facts = picture(draw, book, difficulty, must=must[: 1 + difficulty // 3], among=chances, point=point)
    facts |= {"dice": line_throw(draw, point), "shooter": facts["bets"][0].player}
    return Situation(**facts, incident=CalledAndPaid())


@case("payout", {CRAPS: ("VI 13.3 a", "VI 13.3 a-line")})
def whole_cloth_called_and_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    point = draw.pick(BOXES) if draw.chance(0.5) else None
    facts = picture(draw, book, difficulty, point=point)
    shooter = draw.pick(facts["bets"]).player
    return Situation(**facts, dice=line_throw(draw, point), shooter=shooter, incident=CalledAndPaid())
