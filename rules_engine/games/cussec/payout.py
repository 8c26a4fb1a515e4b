"""The dice are seen: what is announced, what every player and every zone is paid, and whose the winning stake is.

VII 5, VII 8, VII 9, VII 10.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, SpotKey
from rules_engine.games.cussec.books import CUSSEC
from rules_engine.games.cussec.game import case, rule
from rules_engine.games.cussec.multiples import CLAUSES
from rules_engine.games.cussec.result import announce
from rules_engine.games.cussec.setting import CROWDS, TRIPLES, Crowd, any_dice, chips, in_order, paid_by, picture
from rules_engine.games.cussec.settlement import (
    EVEN,
    Outcome,
    explain,
    explain_loss,
    explain_prize,
    outcomes,
    paid_on,
    prize,
    settle,
    times,
)
from rules_engine.games.cussec.table import (
    Bet,
    Incident,
    Prize,
    Situation,
    check_bets,
    check_shown,
    check_spot,
    named,
    on_board,
)

Wish = Literal["take", "move"]
# Zones valued one by one: fewer of them, for each is a question.
FEW_ZONES = {
    1: Crowd((1, 1), (1, 1), (1, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (1, 1), (1, 5)),
    3: Crowd((2, 2), (2, 2), (1, 2), (1, 6)),
    4: Crowd((2, 3), (2, 3), (1, 2), (1, 8)),
    5: Crowd((3, 4), (3, 4), (1, 2), (1, 9)),
}
# Several prizes of one player, to find one among.
OWN_ZONES = {level: Crowd((1, 1), (2 + level // 2,) * 2, (max(1, level - 1),) * 2, (1, 2 * level)) for level in CROWDS}


class ResultOut(Incident, frozen=True, tag="result_out"):
    """The dome is lifted; the result is to be announced and the bets are to be collected and paid."""

    def check(self, situation: Situation) -> None:
        check_shown(situation)
        check_bets(situation)


class ZonesToValue(Incident, frozen=True, tag="zones_to_value"):
    """The result is announced; the dealer values the board zone by zone, whoever the chips belong to."""

    def check(self, situation: Situation) -> None:
        check_shown(situation)
        check_bets(situation)


class PrizeTraced(Incident, frozen=True, tag="prize_traced"):
    """Among the prizes of a player there is this one."""

    player: Place
    prize: Prize

    def check(self, situation: Situation) -> None:
        check_shown(situation)
        check_bets(situation)


class StakeTouched(Incident, frozen=True, tag="stake_touched"):
    """The result is announced. A player wants to take his stake back or move it."""

    player: Place
    spot: SpotKey
    wish: Wish

    def check(self, situation: Situation) -> None:
        check_shown(situation)
        check_spot(self.spot, "incident.spot")
        if not any(bet.player == self.player for bet in situation.on(self.spot)):
            raise ImpossibleFacts(
                "incident.player",
                "{player:player} has no bet on {name:spot}{at}",
                player=self.player,
                **named(self.spot),
            )

    def narration(self) -> list[Sentence]:
        return [(f"incident.stake_touched_{self.wish}", {"player": self.player, **named(self.spot)})]


@rule(ResultOut, CUSSEC)
def result_out(s: Situation, incident: ResultOut, r: Reasoning) -> None:
    dice = check_shown(s)
    settled = outcomes(r.book, s.bets, dice)
    r.step("VII 5 s2", "announce_first")
    announce(r, dice)
    explain(s, r, dice, settled)
    for player in s.every("prize."):
        mine = [one for one in settled if one.bet.player == player]
        r.amount(f"prize.{player}", paid_on(mine), tempting=_wrong(mine), critical=True)
    paid, taken = paid_on(settled), -sum(one.prize for one in settled if one.prize < 0)
    kept = sum(one.bet.amount for one in settled if one.prize > 0)
    r.amount("total", paid, tempting=_wrong(settled))
    r.amount("collected", taken, tempting=[taken + kept, kept, abs(paid - taken), paid, 0])
    settle(r, dice, settled)


def _wrong(settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: stakes with the prizes, a bet forgotten, one that lost. As many in any case."""
    prizes = [one.prize for one in settled if one.prize > 0]
    paid, kept = sum(prizes), sum(one.bet.amount for one in settled if one.prize > 0)
    whole = sum(one.bet.amount for one in settled)
    return [paid + kept, paid - min(prizes, default=0), whole, 0, 5 * whole, 10 * whole]


@rule(ZonesToValue, CUSSEC)
def zones_to_value(s: Situation, incident: ZonesToValue, r: Reasoning) -> None:
    dice = check_shown(s)
    settled = outcomes(r.book, s.bets, dice)
    explain(s, r, dice, settled)
    for spot in s.every("pays."):
        there = [one for one in settled if one.spot == spot]
        r.amount(f"pays.{spot}", paid_on(there), tempting=_wrong(there), critical=True)
    r.amount("total", paid_on(settled), tempting=_wrong(settled))
    settle(r, dice, settled)


@rule(PrizeTraced, CUSSEC)
def prize_traced(s: Situation, incident: PrizeTraced, r: Reasoning) -> None:
    dice = check_shown(s)
    settled = outcomes(r.book, s.bets, dice)
    mine = [one for one in settled if one.bet.player == incident.player]
    paid = [one for one in mine if one.prize == incident.prize]
    if len(paid) != 1:
        raise ImpossibleFacts(
            "incident.prize",
            "not one bet of {player:player} earns {prize:amount}",
            player=incident.player,
            prize=incident.prize,
        )
    explain_prize(r, paid[0], dice)
    right = paid[0].spot
    others = on_board({one.spot for one in mine} - {right})
    r.order("paid_spot", [right], tempting=[(spot,) for spot in others])
    settle(r, dice, settled)


@rule(StakeTouched, CUSSEC)
def stake_touched(s: Situation, incident: StakeTouched, r: Reasoning) -> None:
    dice = check_shown(s)
    settled = outcomes(r.book, s.bets, dice)
    mine = [one for one in settled if one.bet.player == incident.player and one.spot == incident.spot]
    won = bool(times(r.book, incident.spot, dice))
    if won:
        r.pivot("VII 10", "stake_is_his", by=incident.player, **named(incident.spot))
        for one in mine:
            explain_prize(r, one, dice, pivot=False)
    else:
        explain_loss(r, incident.spot, dice)
        r.pivot("VII 10", "stake_is_lost", by=incident.player, **named(incident.spot))
    r.choice("allowed", "allowed" if won else "refused", critical=True)
    r.amount("bet_prize", paid_on(mine), tempting=_wrong(mine))
    settle(r, dice, settled)


def _around(
    draw: Draw, book: Rulebook, difficulty: int, clause: str, crowds: dict[int, Crowd] = CROWDS
) -> dict[str, Any]:
    """Dice, and a board on which a zone wins whose prize this clause fixes."""
    spots = paid_by(clause)
    dice = any_dice(draw, book, difficulty, spots)
    return picture(draw, book, difficulty, dice=dice, must=spots, crowd=crowds[difficulty])


def _paid(clause: str) -> None:
    """For every clause of VII 8 a case of each kind of picture in which it decides."""

    def out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        return Situation(**_around(draw, book, difficulty, clause), incident=ResultOut())

    def valued(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        return Situation(**_around(draw, book, difficulty, clause, FEW_ZONES), incident=ZonesToValue())

    def traced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        """Other bets of the player may earn more or less, none of them as much."""
        facts = _around(draw, book, max(2, difficulty), clause, OWN_ZONES)
        dice = facts["dice"]
        target = next(bet for bet in facts["bets"] if bet.spot in paid_by(clause) and times(book, bet.spot, dice))
        earned = prize(book, target, dice)
        facts["bets"] = tuple(bet for bet in facts["bets"] if bet == target or prize(book, bet, dice) != earned)
        return Situation(**facts, incident=PrizeTraced(player=target.player, prize=earned))

    for make in (out, valued, traced):
        make.__name__ = f"paid_{clause.removeprefix('VII 8 ').replace('-', '_')}_{make.__name__}"
        case("payout", {CUSSEC: (clause,)})(make)


for _clause in CLAUSES:
    _paid(_clause)


def _with_triple(draw: Draw, book: Rulebook, difficulty: int, crowd: Crowd) -> dict[str, Any]:
    """Three dice alike, and at least one bet on small or big."""
    facts = picture(draw, book, max(2, difficulty), dice=draw.pick(TRIPLES), crowd=crowd)
    bets = facts["bets"]
    if not any(bet.chance in EVEN for bet in bets):
        player = draw.pick(bets).player
        bets = in_order([*bets, chips(draw, player, draw.pick(EVEN), [bets[0].value], crowd.chips)])
    return facts | {"bets": bets}


@case("payout", {CUSSEC: ("VII 9",)})
def triple_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_with_triple(draw, book, difficulty, CROWDS[difficulty]), incident=ResultOut())


@case("payout", {CUSSEC: ("VII 9",)})
def triple_valued(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_with_triple(draw, book, difficulty, FEW_ZONES[difficulty]), incident=ZonesToValue())


@case("payout", {CUSSEC: tuple(f"VII 7 {letter}" for letter in "cdefgh")})
def everything_lost(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """All chips lie beside what the dice show."""
    facts = picture(draw, book, max(2, difficulty), dice=any_dice(draw, book, difficulty), crowd=CROWDS[5])
    lost = tuple(bet for bet in facts["bets"] if not times(book, bet.spot, facts["dice"]))
    return Situation(**facts | {"bets": lost[: 2 * difficulty]}, incident=ResultOut())


def _touched(draw: Draw, facts: dict[str, Any], bets: list[Bet]) -> Situation:
    wish: Wish = draw.pick(("take", "move"))
    bet = draw.pick(bets)
    return Situation(**facts, incident=StakeTouched(player=bet.player, spot=bet.spot, wish=wish))


@case("payout", {CUSSEC: ("VII 10",)})
def winner_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = picture(draw, book, difficulty, dice=any_dice(draw, book, difficulty), crowd=FEW_ZONES[difficulty])
    return _touched(draw, facts, [bet for bet in facts["bets"] if times(book, bet.spot, facts["dice"])])


@case("payout", {CUSSEC: ("VII 10",)})
def somebody_touches_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A bet that lost, among others that won; or one of those."""
    facts = picture(draw, book, max(2, difficulty), dice=any_dice(draw, book, difficulty), crowd=FEW_ZONES[difficulty])
    lost = [bet for bet in facts["bets"] if not times(book, bet.spot, facts["dice"])]
    return _touched(draw, facts, lost if draw.chance(0.6) else [bet for bet in facts["bets"] if bet not in lost])


@case("payout", {CUSSEC: ("VII 9", "VII 10")})
def stake_touched_on_triple(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody thinks that small or big has won by the total; or has really won."""
    facts = _with_triple(draw, book, difficulty, FEW_ZONES[difficulty])
    even = draw.chance(0.5)
    bets = [bet for bet in facts["bets"] if bet.chance in EVEN or (not even and times(book, bet.spot, facts["dice"]))]
    return _touched(draw, facts, [bet for bet in bets if even or bet.chance not in EVEN])
