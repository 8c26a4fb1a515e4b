"""A number is out: what every player and every spot is paid, and whose the winning stake is.

X 20, X 21, X 22 s1. American: IX 1.
"""

from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, SpotKey
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import AMERICAN, FRENCH
from rules_engine.games.roulette.game import case, rule
from rules_engine.games.roulette.setting import CROWDS, Crowd, any_number, chips, in_order, picture, winning
from rules_engine.games.roulette.settlement import (
    INSIDE,
    PRIZE_CLAUSES,
    SIMPLE,
    Outcome,
    explain,
    explain_prize,
    french_rules,
    outcomes,
    prize,
    prize_of,
    settle,
    winners,
    wins,
)
from rules_engine.games.roulette.table import (
    Bet,
    Incident,
    Situation,
    Worth,
    check_out,
    check_spot,
    in_layout,
    named,
)

Wish = Literal["take", "move", "half"]
# Spots valued one by one: fewer of them, for each is a question.
FEW_SPOTS = {
    1: Crowd((1, 1), (1, 1), (1, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (1, 1), (1, 5)),
    3: Crowd((2, 2), (2, 2), (1, 2), (1, 6)),
    4: Crowd((2, 3), (2, 3), (1, 2), (1, 8)),
    5: Crowd((3, 4), (3, 4), (1, 2), (1, 9)),
}
# Several prizes of one player, to find one among.
OWN_SPOTS = {
    level: Crowd((1, 1), (min(2 + level, 6),) * 2, (max(1, level - 2),) * 2, (1, 2 * level)) for level in range(1, 6)
}


class NumberOut(Incident, frozen=True, tag="number_out"):
    """The number is announced and marked; the bets are to be collected and paid."""

    def check(self, situation: Situation) -> None:
        _check_bets(situation)


class SpotsToValue(Incident, frozen=True, tag="spots_to_value"):
    """The number is announced and marked; the dealer values the cloth spot by spot, whoever the chips belong to."""

    def check(self, situation: Situation) -> None:
        _check_bets(situation)


class PrizeTraced(Incident, frozen=True, tag="prize_traced"):
    """Among the prizes of a player there is this one."""

    player: Place
    prize: Worth

    def check(self, situation: Situation) -> None:
        _check_bets(situation)


class StakeTouched(Incident, frozen=True, tag="stake_touched"):
    """The number is out. A player wants to take his stake back, move it, or have half of it returned."""

    player: Place
    spot: SpotKey
    wish: Wish

    def check(self, situation: Situation) -> None:
        check_out(situation)
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


def _check_bets(situation: Situation) -> None:
    check_out(situation)
    if not situation.bets:
        raise ImpossibleFacts("bets", "nobody has bet")


@rule(NumberOut, FRENCH)
def number_out(s: Situation, incident: NumberOut, r: Reasoning) -> None:
    number = check_out(s)
    settled = outcomes(r.book, s.bets, number)
    explain(s, r, number, settled)
    for player in s.every("prize."):
        mine = [one for one in settled if one.bet.player == player]
        r.amount(f"prize.{player}", paid_on(mine), tempting=_wrong(r, mine), critical=True)
    paid, taken = paid_on(settled), -sum(one.prize for one in settled if one.prize < 0)
    kept = sum(one.bet.amount for one in settled if one.prize > 0)
    r.amount("total", paid, tempting=_wrong(r, settled))
    r.amount("collected", taken, tempting=[taken + kept, kept, abs(paid - taken), paid, 0])
    settle(r, number, settled)


def paid_on(settled: list[Outcome]) -> int:
    return sum(one.prize for one in settled if one.prize > 0)


def _wrong(r: Reasoning, settled: list[Outcome]) -> list[int]:
    """Sums that a hasty dealer pays: stakes with the prizes, a bet forgotten, one that lost. As many in any case."""
    prizes = [one.prize for one in settled if one.prize > 0]
    paid, kept = sum(prizes), sum(one.bet.amount for one in settled if one.prize > 0)
    would = max(prize_of(r.book, one.bet.chance, one.bet.amount) for one in settled)
    whole = sum(one.bet.amount for one in settled)
    return [paid + kept, paid - min(prizes, default=0), would, whole, 0, would + whole, 2 * would]


@rule(SpotsToValue, FRENCH)
def spots_to_value(s: Situation, incident: SpotsToValue, r: Reasoning) -> None:
    number = check_out(s)
    settled = outcomes(r.book, s.bets, number)
    explain(s, r, number, settled)
    for spot in s.every("pays."):
        there = [one for one in settled if one.spot == spot]
        r.amount(f"pays.{spot}", paid_on(there), tempting=_wrong(r, there), critical=True)
    r.amount("total", paid_on(settled), tempting=_wrong(r, settled))
    settle(r, number, settled)


@rule(PrizeTraced, FRENCH)
def prize_traced(s: Situation, incident: PrizeTraced, r: Reasoning) -> None:
    number = check_out(s)
    settled = outcomes(r.book, s.bets, number)
    mine = [one for one in settled if one.bet.player == incident.player]
    paid = [one for one in mine if one.prize == incident.prize]
    if len(paid) != 1:
        raise ImpossibleFacts(
            "incident.prize",
            "not one bet of {player:player} earns {prize:amount}",
            player=incident.player,
            prize=incident.prize,
        )
    explain_prize(r, paid[0])
    right = paid[0].spot
    others = in_layout({one.spot for one in mine} - {right})
    r.order("paid_spot", [right], tempting=[(spot,) for spot in others])
    settle(r, number, settled)


@rule(StakeTouched, FRENCH)
def stake_touched(s: Situation, incident: StakeTouched, r: Reasoning) -> None:
    number = check_out(s)
    settled = outcomes(r.book, s.bets, number)
    mine = [one for one in settled if one.bet.player == incident.player and one.spot == incident.spot]
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
    stake = sum(one.bet.amount for one in mine)
    r.amount("bet_prize", paid_on(mine), tempting=[*_wrong(r, mine), stake // 2])
    settle(r, number, settled)


def _around(
    draw: Draw, book: Rulebook, difficulty: int, chances: tuple[str, ...], crowds: dict[int, Crowd] = CROWDS
) -> tuple[str, dict[str, Any]]:
    """A number out and a cloth on which one of these chances wins; which one, and the facts."""
    with_zero = chances[0] in INSIDE[:4]
    number = any_number(draw, difficulty if with_zero else min(difficulty, 4))
    must = draw.pick([chance for chance in chances if winning(book, number, chance)])
    return must, picture(draw, book, difficulty, number=number, must=(must,), crowd=crowds[difficulty])


def _paid(name: str, cite: str, chances: tuple[str, ...]) -> None:
    """For every clause of 20 a case of each kind of picture in which it decides."""

    def out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        _, facts = _around(draw, book, difficulty, chances)
        return Situation(**facts, incident=NumberOut())

    def valued(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        _, facts = _around(draw, book, difficulty, chances, FEW_SPOTS)
        return Situation(**facts, incident=SpotsToValue())

    def traced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        """Other bets of the player may earn more or less, none of them as much."""
        must, facts = _around(draw, book, difficulty, chances, OWN_SPOTS)
        number = facts["number"]
        target = next(bet for bet in facts["bets"] if bet.chance == must and wins(book, bet.spot, number))
        earned = prize(book, target, number)
        facts["bets"] = tuple(b for b in facts["bets"] if b == target or prize(book, b, number) != earned)
        return Situation(**facts, incident=PrizeTraced(player=target.player, prize=earned))

    for make in (out, valued, traced):
        make.__name__ = f"{name}_{make.__name__}"
        case("payout", {FRENCH: (cite,)})(make)


for _chance in (*INSIDE, "dozen", "column"):
    _paid(_chance, PRIZE_CLAUSES[_chance], (_chance,))
_paid("two_thirds", "X 20 a-cav24", ("dozens", "columns"))
_paid("even_chance", "X 20 b", SIMPLE)


def _with_zero(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """Zero is out: chips on and round it, and at least one bet that it takes."""
    facts = picture(draw, book, difficulty, number=0)
    player = facts["bets"][0].player
    value = facts["minimum"] if "colours" not in facts else facts["colours"][0].value
    taken = draw.pick([spot for spot in layout.SPOTS.values() if spot.chance not in INSIDE])
    bet = chips(draw, book, facts, player=player, spot=taken.key, value=value, most=CROWDS[difficulty].chips)
    others = [b for b in facts["bets"] if (b.player, b.spot) != (player, taken.key)]
    return facts | {"bets": in_order([*others, bet])}


@case("payout", {FRENCH: ("X 21",), AMERICAN: ("X 21", "IX 1")})
def zero_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_with_zero(draw, book, difficulty), incident=NumberOut())


@case("payout", {FRENCH: ("X 21",), AMERICAN: ("X 21", "IX 1")})
def zero_valued(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_with_zero(draw, book, min(difficulty, 3)), incident=SpotsToValue())


@case("payout", {FRENCH: ("X 22 s1",)})
def everything_lost(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """All chips lie beside the number."""
    number = any_number(draw, min(difficulty, 4))
    facts = picture(draw, book, difficulty, number=number)
    lost = tuple(bet for bet in facts["bets"] if not wins(book, bet.spot, number))
    if not lost:
        beside = chips(
            draw,
            book,
            facts,
            player=facts["bets"][0].player,
            spot=str(number - 1 or 3),
            value=facts["minimum"],
            most=(1, 3),
        )
        lost = (beside,)
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
    """The chips lie right beside the number, or on another third or even chance."""
    number = draw.number(4, 33)
    facts = picture(draw, book, difficulty, number=number, crowd=FEW_SPOTS[difficulty])
    lost = [bet for bet in facts["bets"] if not wins(book, bet.spot, number)]
    return _touched(draw, facts, draw.pick(lost), "take", "move", "half")


@case("payout", {FRENCH: ("X 21",), AMERICAN: ("X 21", "IX 1")})
def half_asked_on_zero(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A player knows other houses, where zero takes half of an even chance."""
    facts = _with_zero(draw, book, min(difficulty, 3))
    return _touched(draw, facts, next(bet for bet in facts["bets"] if bet.chance not in INSIDE), "half", "take")
