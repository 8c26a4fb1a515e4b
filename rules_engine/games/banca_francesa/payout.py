"""A throw decides: what is announced, what every player and every spot is paid, what is collected, whose the bet is.

IV 11 s1, IV 13, IV 14; throws that decide nothing, IV 9.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Sentence, SpotKey
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case, rule
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
    paid_on,
    prize_of,
    settle,
    taken_on,
)
from rules_engine.games.banca_francesa.table import (
    Bet,
    Incident,
    Situation,
    check_bets,
    check_spot,
    check_thrown,
)

Wish = Literal["take", "move", "half"]


class DiceDown(Incident, frozen=True, tag="dice_down"):
    """The dice lie still and apart; the dealer announces, collects and pays."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)
        check_bets(situation)


class SpotsToValue(Incident, frozen=True, tag="spots_to_value"):
    """The chance is announced; the dealer values the cloth spot by spot, whoever the chips belong to."""

    def check(self, situation: Situation) -> None:
        check_thrown(situation)
        check_bets(situation)


class StakeTouched(Incident, frozen=True, tag="stake_touched"):
    """The chance is announced. A player wants to take his chips back, move them, or have half of them returned."""

    player: Place
    spot: SpotKey
    wish: Wish

    def check(self, situation: Situation) -> None:
        check_thrown(situation)
        check_spot(self.spot, "incident.spot")
        if not any(bet.player == self.player for bet in situation.on(self.spot)):
            raise ImpossibleFacts(
                "incident.player", "{player:player} has no bet on {spot:spot}", player=self.player, spot=self.spot
            )

    def narration(self) -> list[Sentence]:
        return [(f"incident.stake_touched_{self.wish}", {"player": self.player, "spot": self.spot})]


@rule(DiceDown, BANCA)
def dice_down(s: Situation, incident: DiceDown, r: Reasoning) -> None:
    dice = check_thrown(s)
    chance = chance_of(r.book, dice)
    settled = outcomes(r.book, s.bets, chance)
    explain_chance(r, dice, pivot=not paid_on(settled))
    announce(r, chance, dice)
    explain(r, settled)
    decide_sums(s, r, settled)
    settle(r, chance, settled)


def decide_sums(s: Situation, r: Reasoning, settled: list[Outcome]) -> None:
    """What is collected, what each player is paid, and what the house pays in all."""
    taken, chips = taken_on(settled), sum(one.bet.amount for one in settled)
    whole = sum(one.bet.amount for one in settled if one.prize < 0)
    r.amount("collected", taken, tempting=[whole, chips, chips - whole, 0, paid_on(settled)])
    for player in s.every("prize."):
        mine = [one for one in settled if one.bet.player == player]
        r.amount(f"prize.{player}", paid_on(mine), tempting=wrong_sums(r, mine), critical=True)
    r.amount("total", paid_on(settled), tempting=wrong_sums(r, settled))


def wrong_sums(r: Reasoning, settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: a line in full, bets with the prizes, a bet that lost. As many in any case."""
    would = [prize_of(r.book, one.bet.chance, one.stake) for one in settled]
    whole = [prize_of(r.book, one.bet.chance, one.bet.amount) for one in settled]
    kept = sum(one.bet.amount for one in settled if one.prize > 0)
    full = sum(prize for prize, one in zip(whole, settled, strict=True) if one.prize > 0)
    return [full, paid_on(settled) + kept, sum(would), max(would), 0, sum(whole), sum(would) + sum(whole)]


@rule(SpotsToValue, BANCA)
def spots_to_value(s: Situation, incident: SpotsToValue, r: Reasoning) -> None:
    dice = check_thrown(s)
    chance = chance_of(r.book, dice)
    settled = outcomes(r.book, s.bets, chance)
    explain_chance(r, dice, pivot=not paid_on(settled))
    explain(r, settled)
    for spot in s.every("pays."):
        there = [one for one in settled if one.bet.spot == spot]
        r.amount(f"pays.{spot}", paid_on(there), tempting=wrong_sums(r, there), critical=True)
    r.amount("total", paid_on(settled), tempting=wrong_sums(r, settled))
    settle(r, chance, settled)


@rule(StakeTouched, BANCA)
def stake_touched(s: Situation, incident: StakeTouched, r: Reasoning) -> None:
    dice = check_thrown(s)
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


def _paid(chance: str) -> None:
    """For every prize of 13 a case of each kind of picture in which it decides."""

    def down(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        facts = picture(draw, book, difficulty, chance=chance, must=(chance,))
        return Situation(**facts, incident=DiceDown())

    def valued(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        facts = picture(draw, book, difficulty, chance=chance, must=(chance,))
        return Situation(**facts, incident=SpotsToValue())

    for make in (down, valued):
        make.__name__ = f"{chance}_{make.__name__}"
        case("payout", {BANCA: (PRIZE_CLAUSES[chance],)})(make)


for _chance in CHANCES:
    _paid(_chance)


def _with_line(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """Small or big is out, with chips on the line that wins, the one that loses, or both."""
    chance = draw.pick(tuple(LINES))
    lines = draw.pick(((LINES["small"],), (LINES["big"],), tuple(LINES.values())))
    return picture(draw, book, difficulty, chance=chance, must=lines if difficulty >= 2 else lines[:1])


@case("payout", {BANCA: ("IV 11 s1",)})
def line_down(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_with_line(draw, book, difficulty), incident=DiceDown())


@case("payout", {BANCA: ("IV 11 s1",)})
def line_valued(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_with_line(draw, book, difficulty), incident=SpotsToValue())


@case("payout", {BANCA: ("IV 11 s1",)})
def aces_take_the_lines(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Aces are out: everything else loses, of the lines one half."""
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
    """A line that won: all of its chips are his, and half of them are paid for."""
    chance = draw.pick(tuple(LINES))
    facts = picture(draw, book, difficulty, chance=chance, must=(LINES[chance],))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.spot == LINES[chance]), "take", "move")


@case("payout", {BANCA: ("IV 9 b", "IV 9 c")})
def loser_touches_bet(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A field that lost: nothing of it comes back, whatever half a line would have brought."""
    chance, other = draw.pick((("small", "big"), ("big", "small")))
    facts = picture(draw, book, difficulty, chance=chance, must=(other,))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.spot == other), "take", "move", "half")


@case("payout", {BANCA: ("IV 11 s1",)})
def line_touched(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A line that lost: half of the chips were never bet."""
    chance = draw.pick(tuple(LINES))
    line = LINES["big" if chance == "small" else "small"]
    facts = picture(draw, book, difficulty, chance=chance, must=(line,))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.spot == line), "half", "half", "take", "move")
