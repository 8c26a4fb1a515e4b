"""The dice are seen: what is announced, what every player and zone is paid, and who owns the winning stake.

VII 5, VII 8, VII 9, VII 10.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, Reasoning, Rulebook, Utterance, variant
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, case_table, rule
from rules_engine.games.cussec.layout import named
from rules_engine.games.cussec.multiples import CLAUSES
from rules_engine.games.cussec.result import announce, results
from rules_engine.games.cussec.setting import CROWDS, TRIPLES, any_dice, chips, in_order, paid_by, picture
from rules_engine.games.cussec.settlement import (
    EVEN,
    Outcome,
    explain,
    explain_loss,
    explain_prize,
    outcomes,
    prize,
    settle,
    times,
)
from rules_engine.games.cussec.table import Bet, Incident, Prize, Situation
from rules_engine.games.layout_bets import incidents, settlement
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.setting import FEW_SPOTS, Crowd

Wish = Literal["take", "move"]
# Several prizes of one player, one of which is to be found.
OWN_ZONES = {level: Crowd((1, 1), (2 + level // 2,) * 2, (max(1, level - 1),) * 2, (1, 2 * level)) for level in CROWDS}


class ResultOut(BetsDecided, Incident, frozen=True, tag="result_out"):
    """The dome is lifted; the result is announced, and the bets are collected and paid."""

    def sayable(self, situation: Situation) -> list[Utterance]:
        return results(situation.result())


class ZonesToValue(BetsDecided, Incident, frozen=True, tag="zones_to_value"):
    """The result is announced; the dealer works out what is due in each zone, for all players."""


class PrizeTraced(incidents.PrizeTraced, Incident, frozen=True, kw_only=True, tag="prize_traced"):
    """A player receives this prize, among others."""

    prize: Prize


class StakeTouched(incidents.StakeTouched, Incident, frozen=True, kw_only=True, tag="stake_touched"):
    """The result is announced. A player wants to take back the stake or move it."""

    wish: Wish


@rule(ResultOut, CUSSEC)
def result_out(s: Situation, incident: ResultOut, r: Reasoning) -> None:
    dice = s.result()
    settled = outcomes(r.book, s.bets, dice)
    r.step("VII 5 s2", "announce_first")
    announce(s, r, dice)
    explain(s, r, dice, settled)
    settlement.decide_prizes(s, r, settled, _wrong)
    settlement.decide_collected(r, settled)
    settle(r, dice, settled)


def _wrong(settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: prizes with the stakes, a bet forgotten, a losing bet paid. Always six."""
    paid, kept, whole = settlement.paid_on(settled), settlement.kept_on(settled), settlement.staked_on(settled)
    return [paid + kept, paid - settlement.least_prize(settled), whole, 0, 5 * whole, 10 * whole]


@rule(ZonesToValue, CUSSEC)
def zones_to_value(s: Situation, incident: ZonesToValue, r: Reasoning) -> None:
    dice = s.result()
    settled = outcomes(r.book, s.bets, dice)
    explain(s, r, dice, settled)
    settlement.decide_spots(s, r, settled, _wrong)
    settle(r, dice, settled)


@rule(PrizeTraced, CUSSEC)
def prize_traced(s: Situation, incident: PrizeTraced, r: Reasoning) -> None:
    dice = s.result()
    settled = outcomes(r.book, s.bets, dice)
    right = settlement.traced(settled, incident)
    explain_prize(r, right, dice)
    settlement.decide_traced(s, r, settled, right)
    settle(r, dice, settled)


@rule(StakeTouched, CUSSEC)
def stake_touched(s: Situation, incident: StakeTouched, r: Reasoning) -> None:
    dice = s.result()
    settled = outcomes(r.book, s.bets, dice)
    mine = settlement.of_player(settled, incident.player, incident.spot)
    won = bool(times(r.book, incident.spot, dice))
    if won:
        r.pivot("VII 10", "stake_is_his", by=incident.player, **named(incident.spot))
        for one in mine:
            explain_prize(r, one, dice, pivot=False)
    else:
        explain_loss(r, incident.spot, dice)
        r.pivot("VII 10", "stake_is_lost", by=incident.player, **named(incident.spot))
    r.choice("allowed", "allowed" if won else "refused", critical=True)
    r.amount("bet_prize", settlement.paid_on(mine), tempting=_wrong(mine))
    settle(r, dice, settled)


def _around(
    draw: Draw, book: Rulebook, difficulty: int, clause: str, crowds: dict[int, Crowd] = CROWDS
) -> dict[str, Any]:
    """A table on which a zone wins whose prize this clause sets."""
    spots = paid_by(clause)
    dice = any_dice(draw, book, difficulty, spots)
    return picture(draw, book, difficulty, dice=dice, must=spots, crowd=crowds[difficulty])


def _out(draw: Draw, book: Rulebook, difficulty: int, clause: str) -> Situation:
    return Situation(**_around(draw, book, difficulty, clause), incident=ResultOut())


def _valued(draw: Draw, book: Rulebook, difficulty: int, clause: str) -> Situation:
    return Situation(**_around(draw, book, difficulty, clause, FEW_SPOTS), incident=ZonesToValue())


def _traced(draw: Draw, book: Rulebook, difficulty: int, clause: str) -> Situation:
    """No other bet of the player earns as much."""
    facts = _around(draw, book, max(2, difficulty), clause, OWN_ZONES)
    dice = facts["dice"]
    target = next(bet for bet in facts["bets"] if bet.spot in paid_by(clause) and times(book, bet.spot, dice))
    earned = prize(book, target, dice)
    facts["bets"] = tuple(bet for bet in facts["bets"] if bet == target or prize(book, bet, dice) != earned)
    return Situation(**facts, incident=PrizeTraced(player=target.player, prize=earned))


# For every clause of VII 8, a case of each kind in which it decides.
for _clause in CLAUSES:
    _name = f"paid_{_clause.removeprefix('VII 8 ').replace('-', '_')}"
    for _suffix, _make in (("out", _out), ("valued", _valued), ("traced", _traced)):
        case_table("payout", variant(f"{_name}_{_suffix}", {CUSSEC: _clause}, clause=_clause))(_make)


def _with_triple(draw: Draw, book: Rulebook, difficulty: int, crowd: Crowd) -> dict[str, Any]:
    """A triple, and at least one bet on small or big."""
    facts = picture(draw, book, max(2, difficulty), dice=draw.pick(TRIPLES), crowd=crowd)
    bets = facts["bets"]
    if not any(bet.chance in EVEN for bet in bets):
        player = draw.pick(bets).player
        bets = in_order([*bets, chips(draw, book, player, draw.pick(EVEN), [bets[0].value], crowd.chips)])
    return facts | {"bets": bets}


@case_table(
    "payout",
    variant("triple_out", {CUSSEC: "VII 9"}, incident=ResultOut(), crowds=CROWDS),
    variant("triple_valued", {CUSSEC: "VII 9"}, incident=ZonesToValue(), crowds=FEW_SPOTS),
)
def _triple(draw: Draw, book: Rulebook, difficulty: int, incident: Incident, crowds: dict[int, Crowd]) -> Situation:
    return Situation(**_with_triple(draw, book, difficulty, crowds[difficulty]), incident=incident)


@case("payout", {CUSSEC: tuple(f"VII 7 {letter}" for letter in "cdefgh")})
def everything_lost(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """No bet wins."""
    facts = picture(draw, book, max(2, difficulty), dice=any_dice(draw, book, difficulty), crowd=CROWDS[5])
    lost = tuple(bet for bet in facts["bets"] if not times(book, bet.spot, facts["dice"]))
    return Situation(**facts | {"bets": lost[: 2 * difficulty]}, incident=ResultOut())


def _touched(draw: Draw, facts: dict[str, Any], bets: list[Bet]) -> Situation:
    wish: Wish = draw.pick(("take", "move"))
    bet = draw.pick(bets)
    return Situation(**facts, incident=StakeTouched(player=bet.player, spot=bet.spot, wish=wish))


@case("payout", {CUSSEC: ("VII 10",)})
def winner_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = picture(draw, book, difficulty, dice=any_dice(draw, book, difficulty), crowd=FEW_SPOTS[difficulty])
    return _touched(draw, facts, [bet for bet in facts["bets"] if times(book, bet.spot, facts["dice"])])


@case("payout", {CUSSEC: ("VII 10",)})
def somebody_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A losing bet among winning ones, or a winning one."""
    facts = picture(draw, book, max(2, difficulty), dice=any_dice(draw, book, difficulty), crowd=FEW_SPOTS[difficulty])
    lost = [bet for bet in facts["bets"] if not times(book, bet.spot, facts["dice"])]
    return _touched(draw, facts, lost if draw.chance(0.6) else [bet for bet in facts["bets"] if bet not in lost])


@case("payout", {CUSSEC: ("VII 9", "VII 10")})
def stake_touched_on_triple(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A player believes that small or big won by its total, or really has a winning bet."""
    facts = _with_triple(draw, book, difficulty, FEW_SPOTS[difficulty])
    even = draw.chance(0.5)
    bets = [bet for bet in facts["bets"] if bet.chance in EVEN or (not even and times(book, bet.spot, facts["dice"]))]
    return _touched(draw, facts, [bet for bet in bets if even or bet.chance not in EVEN])
