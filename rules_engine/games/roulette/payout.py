"""A number comes out: what every player and every spot is paid, and who owns the winning stake.

X 20, X 21, X 22 s1. American: IX 1.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, variant
from rules_engine.games.layout_bets import incidents, settlement
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.setting import FEW_SPOTS, Crowd
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.game import case, case_table, rule
from rules_engine.games.roulette.layout import named
from rules_engine.games.roulette.setting import CROWDS, any_number, chips, face_values, in_order, picture, winning
from rules_engine.games.roulette.settlement import (
    INSIDE,
    PRIZE_CLAUSES,
    SIMPLE,
    Outcome,
    explain,
    explain_prize,
    french_rules,
    group,
    outcomes,
    prize,
    prize_of,
    settle,
    winners,
    wins,
)
from rules_engine.games.roulette.table import Bet, Incident, Situation

Wish = Literal["take", "move", "half"]
# Several prizes of one player, one of which is to be found.
OWN_SPOTS = {
    level: Crowd((1, 1), (min(2 + level, 6),) * 2, (max(1, level - 2),) * 2, (1, 2 * level)) for level in range(1, 6)
}


class NumberOut(BetsDecided, Incident, frozen=True, tag="number_out"):
    """The number is announced and marked; now the bets are collected and paid."""


class SpotsToValue(BetsDecided, Incident, frozen=True, tag="spots_to_value"):
    """The number is announced and marked; the dealer works out what is due on each spot, for all players."""


class PrizeTraced(incidents.PrizeTraced, Incident, frozen=True, tag="prize_traced"):
    """A player receives this prize, among others."""


class StakeTouched(incidents.StakeTouched, Incident, frozen=True, kw_only=True, tag="stake_touched"):
    """The number is known. A player wants to take back the stake, move it, or get half of it back."""

    wish: Wish


@rule(NumberOut, FRENCH)
def number_out(s: Situation, incident: NumberOut, r: Reasoning) -> None:
    settled = _explained(s, r)
    settlement.decide_prizes(s, r, settled, lambda some: _wrong(r, some))
    settlement.decide_collected(r, settled)
    settle(r, s.result(), settled)


@rule(SpotsToValue, FRENCH)
def spots_to_value(s: Situation, incident: SpotsToValue, r: Reasoning) -> None:
    settled = _explained(s, r)
    settlement.decide_spots(s, r, settled, lambda some: _wrong(r, some))
    settle(r, s.result(), settled)


def _explained(s: Situation, r: Reasoning) -> list[Outcome]:
    settled = outcomes(r.book, s.bets, s.result())
    explain(s, r, s.result(), settled)
    return settled


def _wrong(r: Reasoning, settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: prizes with the stakes, a bet forgotten, a losing bet paid. Always seven."""
    paid, kept, whole = settlement.paid_on(settled), settlement.kept_on(settled), settlement.staked_on(settled)
    would = max(prize_of(r.book, one.bet.chance, one.bet.amount) for one in settled)
    return [paid + kept, paid - settlement.least_prize(settled), would, whole, 0, would + whole, 2 * would]


@rule(PrizeTraced, FRENCH)
def prize_traced(s: Situation, incident: PrizeTraced, r: Reasoning) -> None:
    settled = outcomes(r.book, s.bets, s.result())
    right = settlement.traced(settled, incident)
    explain_prize(r, right)
    settlement.decide_traced(s, r, settled, right)
    settle(r, s.result(), settled)


@rule(StakeTouched, FRENCH)
def stake_touched(s: Situation, incident: StakeTouched, r: Reasoning) -> None:
    number = s.result()
    settled = outcomes(r.book, s.bets, number)
    mine = settlement.of_player(settled, incident.player, incident.spot)
    won = mine[0].prize > 0
    if won and incident.wish == "half":
        raise ImpossibleFacts("incident.wish", "nobody asks for half of a stake that has won")
    by_zero = not number and mine[0].bet.chance not in INSIDE
    french_rules(r, pivot=by_zero)
    if won:
        r.pivot("X 20 s0", "stake_is_his", by=incident.player, **named(incident.spot))
        for one in mine:
            explain_prize(r, one, pivot=False)
    elif by_zero:
        r.pivot("X 21", "zero_takes")
    else:
        r.pivot("X 22 s1", "stake_is_lost", by=incident.player, number=number, **named(incident.spot))
    r.choice("allowed", "allowed" if won else "refused", critical=True)
    r.amount("bet_prize", settlement.paid_on(mine), tempting=[*_wrong(r, mine), settlement.staked_on(mine) // 2])
    settle(r, number, settled)


def _around(
    draw: Draw, book: Rulebook, difficulty: int, chances: tuple[str, ...], crowds: dict[int, Crowd] = CROWDS
) -> tuple[str, dict[str, Any]]:
    """One of these chances, and the facts of a table on which it wins."""
    with_zero = chances[0] in INSIDE[:4]
    number = any_number(draw, difficulty if with_zero else min(difficulty, 4))
    must = draw.pick([chance for chance in chances if winning(book, number, chance)])
    return must, picture(draw, book, difficulty, number=number, must=(must,), crowd=crowds[difficulty])


def _out(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[str, ...]) -> Situation:
    _, facts = _around(draw, book, difficulty, chances)
    return Situation(**facts, incident=NumberOut())


def _valued(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[str, ...]) -> Situation:
    _, facts = _around(draw, book, difficulty, chances, FEW_SPOTS)
    return Situation(**facts, incident=SpotsToValue())


def _traced(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[str, ...]) -> Situation:
    """No other bet of the player earns as much."""
    must, facts = _around(draw, book, difficulty, chances, OWN_SPOTS)
    number = facts["number"]
    target = next(bet for bet in facts["bets"] if bet.chance == must and wins(book, bet.spot, number))
    earned = prize(book, target, number)
    facts["bets"] = tuple(b for b in facts["bets"] if b == target or prize(book, b, number) != earned)
    return Situation(**facts, incident=PrizeTraced(player=target.player, prize=earned))


# For every clause of X 20, a case of each kind in which it decides.
for _name, _chances in (
    *((_chance, (_chance,)) for _chance in (*INSIDE, "dozen", "column")),
    ("two_thirds", ("dozens", "columns")),
    ("even_chance", SIMPLE),
):
    _turns_on = {FRENCH: (PRIZE_CLAUSES[group(_chances[0])],)}
    for _suffix, _make in (("out", _out), ("valued", _valued), ("traced", _traced)):
        case_table("payout", variant(f"{_name}_{_suffix}", _turns_on, chances=_chances))(_make)


def _with_zero(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """Zero comes out, with chips on and around it, and at least one bet that loses to it."""
    facts = picture(draw, book, difficulty, number=0)
    player = facts["bets"][0].player
    value = face_values(book)[0] if "colours" not in facts else facts["colours"][0].value
    taken = draw.pick([spot for spot in layout.SPOTS.values() if spot.chance not in INSIDE])
    bet = chips(draw, book, facts, player=player, spot=taken.key, value=value, most=CROWDS[difficulty].chips)
    others = [b for b in facts["bets"] if (b.player, b.spot) != (player, taken.key)]
    return facts | {"bets": in_order([*others, bet])}


ZERO_LAW = {FRENCH: ("X 21",), AMERICAN: ("X 21", "IX 1")}


@case_table(
    "payout",
    variant("zero_out", ZERO_LAW, incident=NumberOut(), hardest=5),
    variant("zero_valued", ZERO_LAW, incident=SpotsToValue(), hardest=3),
)
def _zero(draw: Draw, book: Rulebook, difficulty: int, incident: Incident, hardest: int) -> Situation:
    return Situation(**_with_zero(draw, book, min(difficulty, hardest)), incident=incident)


@case("payout", {FRENCH: ("X 22 s1",)})
def everything_lost(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """No bet covers the number."""
    number = any_number(draw, min(difficulty, 4))
    facts = picture(draw, book, difficulty, number=number)
    lost = tuple(bet for bet in facts["bets"] if not wins(book, bet.spot, number))
    if not lost:
        player, spot = facts["bets"][0].player, str(number - 1 or 3)
        lost = (chips(draw, book, facts, player=player, spot=spot, value=face_values(book)[0], most=(1, 3)),)
    return Situation(**facts | {"bets": lost}, incident=NumberOut())


def _touched(draw: Draw, facts: dict[str, Any], bet: Bet, *wishes: Wish) -> Situation:
    return Situation(**facts, incident=StakeTouched(player=bet.player, spot=bet.spot, wish=draw.pick(wishes)))


@case("payout", {FRENCH: ("X 20 s0",)})
def winner_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    number = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=number, crowd=FEW_SPOTS[difficulty])
    return _touched(draw, facts, draw.pick(winners(book, facts["bets"], number)), "take", "move")


@case("payout", {FRENCH: ("X 20 s0",)})
def winner_on_zero_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _with_zero(draw, book, min(difficulty, 3))
    return _touched(draw, facts, draw.pick(winners(book, facts["bets"], 0)), "take", "move")


@case("payout", {FRENCH: ("X 22 s1",)})
def loser_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The losing chips lie right beside the number, or on another dozen, column or even chance."""
    number = draw.number(4, 33)
    facts = picture(draw, book, difficulty, number=number, crowd=FEW_SPOTS[difficulty])
    lost = [bet for bet in facts["bets"] if not wins(book, bet.spot, number)]
    return _touched(draw, facts, draw.pick(lost), "take", "move", "half")


@case("payout", ZERO_LAW)
def half_asked_on_zero(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """In other houses zero only takes half of a bet on an even chance."""
    facts = _with_zero(draw, book, min(difficulty, 3))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.chance not in INSIDE), "half", "take")
