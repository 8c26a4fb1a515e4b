"""A throw decides: what is announced, collected and paid to every player and spot, and who owns the bet.

IV 11 s1, IV 13, IV 14; throws that decide nothing, IV 9.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, case_table, rule
from rules_engine.games.banca_francesa.layout import CHANCES, LINES
from rules_engine.games.banca_francesa.reading import announce
from rules_engine.games.banca_francesa.setting import any_chance, picture
from rules_engine.games.banca_francesa.settlement import (
    NONE,
    PRIZE_CLAUSES,
    Outcome,
    chance_of,
    explain,
    explain_chance,
    explain_lines,
    explain_prize,
    outcomes,
    prize_of,
    settle,
)
from rules_engine.games.banca_francesa.table import Bet, Incident, Situation
from rules_engine.games.layout_bets import incidents
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.settlement import decide_prizes, decide_spots, kept_on, paid_on, staked_on, taken_on

Wish = Literal["take", "move", "half"]


class DiceDown(BetsDecided, Incident, frozen=True, tag="dice_down"):
    """The dice lie still and apart; the dealer announces, collects and pays."""


class SpotsToValue(BetsDecided, Incident, frozen=True, tag="spots_to_value"):
    """The chance is announced; the dealer works out what is due on each spot, for all players."""


class StakeTouched(incidents.StakeTouched, Incident, frozen=True, kw_only=True, tag="stake_touched"):
    """The chance is announced. A player wants to take back chips, move them, or get half of them back."""

    wish: Wish


@rule(DiceDown, BANCA)
def dice_down(s: Situation, incident: DiceDown, r: Reasoning) -> None:
    dice = s.result()
    chance = chance_of(r.book, dice)
    settled = outcomes(r.book, s.bets, chance)
    explain_chance(r, dice, pivot=not paid_on(settled))
    announce(r, chance, dice)
    explain(r, settled)
    decide_sums(s, r, settled)
    settle(r, chance, settled)


def decide_sums(s: Situation, r: Reasoning, settled: list[Outcome]) -> None:
    """Decide what is collected, what each player is paid, and what the house pays in total."""
    taken, chips = taken_on(settled), staked_on(settled)
    whole = sum(one.bet.amount for one in settled if one.prize < 0)
    r.amount("collected", taken, tempting=[whole, chips, chips - whole, 0, paid_on(settled)])
    decide_prizes(s, r, settled, lambda some: wrong_sums(r, some))


def wrong_sums(r: Reasoning, settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: a line in full, prizes with the bets, a losing bet paid. Always seven."""
    would = [prize_of(r.book, one.bet.chance, one.stake) for one in settled]
    whole = [prize_of(r.book, one.bet.chance, one.bet.amount) for one in settled]
    full = sum(prize for prize, one in zip(whole, settled, strict=True) if one.prize > 0)
    with_bets = paid_on(settled) + kept_on(settled)
    return [full, with_bets, sum(would), max(would), 0, sum(whole), sum(would) + sum(whole)]


@rule(SpotsToValue, BANCA)
def spots_to_value(s: Situation, incident: SpotsToValue, r: Reasoning) -> None:
    dice = s.result()
    chance = chance_of(r.book, dice)
    settled = outcomes(r.book, s.bets, chance)
    explain_chance(r, dice, pivot=not paid_on(settled))
    explain(r, settled)
    decide_spots(s, r, settled, lambda some: wrong_sums(r, some))
    settle(r, chance, settled)


@rule(StakeTouched, BANCA)
def stake_touched(s: Situation, incident: StakeTouched, r: Reasoning) -> None:
    dice = s.result()
    chance = chance_of(r.book, dice)
    if chance == NONE:
        raise NotRegulated("art. IV 9 does not say what a player may do with a bet that is not decided")
    settled = outcomes(r.book, s.bets, chance)
    (one,) = (one for one in settled if (one.bet.player, one.bet.spot) == (incident.player, incident.spot))
    won, half = one.prize > 0, one.bet.halved and incident.wish == "half"
    if won and incident.wish == "half":
        raise ImpossibleFacts("incident.wish", "nobody asks for half of a bet that has won")
    explain_chance(r, dice, pivot=not won and not one.bet.halved)
    explain_lines(r, [one])
    if won:
        explain_prize(r, one, pivot=False)
        r.pivot("IV 14", "bet_is_his", by=incident.player, spot=incident.spot)
    elif one.bet.halved:
        r.pivot("IV 11 s1", "half_is_lost", by=incident.player, spot=incident.spot, stake=one.stake)
    else:
        r.step("IV 12", "bet_is_lost", by=incident.player, spot=incident.spot)
    left = one.bet.amount if won else one.bet.amount - one.stake
    r.choice("allowed", "allowed" if won or half else "refused", critical=True)
    r.amount("bet_prize", max(one.prize, 0), tempting=[*wrong_sums(r, [one]), one.bet.amount, one.bet.amount // 2])
    r.amount("stays_his", left, tempting=[one.bet.amount, one.bet.amount - one.stake, one.bet.amount // 2, 0])
    settle(r, chance, settled)


def _won(draw: Draw, book: Rulebook, difficulty: int, chance: str, incident: Incident) -> Situation:
    facts = picture(draw, book, difficulty, chance=chance, must=(chance,))
    return Situation(**facts, incident=incident)


# For every prize of IV 13, a case of each kind in which it decides.
for _chance in CHANCES:
    for _suffix, _incident in (("down", DiceDown()), ("valued", SpotsToValue())):
        _row = ({BANCA: (PRIZE_CLAUSES[_chance],)}, {"chance": _chance, "incident": _incident})
        case_table("payout", variant(f"{_chance}_{_suffix}", _row[0], **_row[1]))(_won)


@case_table(
    "payout",
    variant("line_down", {BANCA: "IV 11 s1"}, incident=DiceDown()),
    variant("line_valued", {BANCA: "IV 11 s1"}, incident=SpotsToValue()),
)
def _with_line(draw: Draw, book: Rulebook, difficulty: int, incident: Incident) -> Situation:
    """Small or big wins, with chips on the winning line, the losing line, or both."""
    chance = draw.pick(tuple(LINES))
    lines = draw.pick(((LINES["small"],), (LINES["big"],), tuple(LINES.values())))
    facts = picture(draw, book, difficulty, chance=chance, must=lines if difficulty >= 2 else lines[:1])
    return Situation(**facts, incident=incident)


@case("payout", {BANCA: ("IV 11 s1",)})
def aces_take_the_lines(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Aces win: everything else loses, half of it on lines."""
    must = draw.sample((*LINES.values(), "small", "big"), min(difficulty + 1, 4))
    must = [*must, LINES["small"]] if not set(must) & set(LINES.values()) else must
    return Situation(**picture(draw, book, difficulty, chance="aces", must=must), incident=DiceDown())


@case("payout", {BANCA: ("IV 9 a", "IV 9 b", "IV 9 c")})
def everything_lost(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chance = draw.pick(CHANCES)
    others = [spot for spot in CHANCES if spot != chance]
    facts = picture(draw, book, difficulty, chance=chance, must=(draw.pick(others),))
    facts["bets"] = tuple(bet for bet in facts["bets"] if bet.chance != chance)
    return Situation(**facts, incident=DiceDown())


@case("payout", {BANCA: ("IV 9 none",)})
def nothing_decided(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = picture(draw, book, difficulty, chance=NONE, must=(draw.pick(CHANCES),))
    return Situation(**facts, incident=DiceDown())


def _touched(draw: Draw, facts: dict[str, Any], bet: Bet, *wishes: Wish) -> Situation:
    return Situation(**facts, incident=StakeTouched(player=bet.player, spot=bet.spot, wish=draw.pick(wishes)))


@case("payout", {BANCA: ("IV 14",)})
def winner_touches_bet(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    chance = any_chance(draw, difficulty)
    facts = picture(draw, book, difficulty, chance=chance, must=(chance,))
    return _touched(draw, facts, draw.pick([bet for bet in facts["bets"] if bet.chance == chance]), "take", "move")


@case("payout", {BANCA: ("IV 11 s1", "IV 14")})
def winning_line_touched(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A winning line: the player owns all its chips, and half of them are paid."""
    chance = draw.pick(tuple(LINES))
    facts = picture(draw, book, difficulty, chance=chance, must=(LINES[chance],))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.spot == LINES[chance]), "take", "move")


@case("payout", {BANCA: ("IV 9 b", "IV 9 c")})
def loser_touches_bet(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A losing field: nothing comes back, unlike on a line."""
    chance, other = draw.pick((("small", "big"), ("big", "small")))
    facts = picture(draw, book, difficulty, chance=chance, must=(other,))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.spot == other), "take", "move", "half")


@case("payout", {BANCA: ("IV 11 s1",)})
def line_touched(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A losing line: half of the chips were never bet."""
    chance = draw.pick(tuple(LINES))
    line = LINES["big" if chance == "small" else "small"]
    facts = picture(draw, book, difficulty, chance=chance, must=(line,))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.spot == line), "half", "half", "take", "move")
