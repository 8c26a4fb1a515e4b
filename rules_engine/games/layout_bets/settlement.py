"""How bets are settled: what each one wins or loses, what changes hands, and the questions about what is paid.

A game works out the prize of a bet by its own law and makes an `Outcome`; everything from there on is the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rules_engine.authoring import After, ImpossibleFacts, Payment, Reasoning
from rules_engine.games.layout_bets.incidents import PrizeTraced
from rules_engine.games.layout_bets.table import B, LayoutTable


@dataclass(frozen=True)
class Outcome(Generic[B]):
    """A settled bet. `prize` is what it won besides the stake, negative for what it lost, 0 while it is undecided."""

    bet: B
    prize: int

    @property
    def spot(self) -> str:
        return self.bet.spot


Settled = TypeVar("Settled", bound=Outcome[Any])
# Takes some settled bets and returns sums that a hasty dealer might pay on them.
WrongSums = Callable[[list[Settled]], list[int]]


def whole(price: Any) -> int:
    """A price of the law as a whole multiple of the stake. Raises ValueError for a fraction, which would otherwise
    pay too little."""
    if not isinstance(price, int):
        raise ValueError(f"{price!r} is not a whole multiple of the stake")
    return price


def paid_on(settled: Iterable[Outcome[Any]]) -> int:
    """The sum of the prizes."""
    return sum(one.prize for one in settled if one.prize > 0)


def taken_on(settled: Iterable[Outcome[Any]]) -> int:
    """The sum that the house collects."""
    return -sum(one.prize for one in settled if one.prize < 0)


def kept_on(settled: Iterable[Outcome[Any]]) -> int:
    """The sum of the winning stakes, which the players keep."""
    return sum(one.bet.amount for one in settled if one.prize > 0)


def staked_on(settled: Iterable[Outcome[Any]]) -> int:
    return sum(one.bet.amount for one in settled)


def least_prize(settled: Iterable[Outcome[Any]]) -> int:
    """The smallest prize, which is the easiest to forget; 0 if nothing won."""
    return min((one.prize for one in settled if one.prize > 0), default=0)


def of_player(settled: Iterable[Settled], player: str, spot: str = "") -> list[Settled]:
    """The bets of one player: on one spot, or on all if none is given."""
    return [one for one in settled if one.bet.player == player and spot in ("", one.spot)]


def payment(one: Outcome[Any], spot: str = "") -> Payment:
    """The chips that change hands for one bet. `spot` is given if they did not lie where the bet is now."""
    if one.prize > 0:
        return Payment("house", one.bet.player, one.prize, spot or one.spot)
    return Payment(one.bet.player, "house", -one.prize, spot or one.spot)


def settle(r: Reasoning, settled: Iterable[Outcome[Any]], marks: Mapping[str, str]) -> None:
    """Record how the table ends: losing stakes collected, prizes paid, and the marks of the game."""
    r.after(After(payments=tuple(payment(one) for one in settled if one.prize), marks=dict(marks)))


def decide_prizes(s: LayoutTable[Any], r: Reasoning, settled: list[Settled], wrong: WrongSums[Settled]) -> None:
    """Decide what every player is paid, and what the house pays in total."""
    for player in s.every("prize."):
        mine = of_player(settled, player)
        r.amount(f"prize.{player}", paid_on(mine), tempting=wrong(mine), critical=True)
    r.amount("total", paid_on(settled), tempting=wrong(settled))


def decide_spots(s: LayoutTable[Any], r: Reasoning, settled: list[Settled], wrong: WrongSums[Settled]) -> None:
    """Decide what is paid on every spot, and what the house pays in total."""
    for spot in s.every("pays."):
        there = [one for one in settled if one.spot == spot]
        r.amount(f"pays.{spot}", paid_on(there), tempting=wrong(there), critical=True)
    r.amount("total", paid_on(settled), tempting=wrong(settled))


def decide_collected(r: Reasoning, settled: list[Settled]) -> None:
    """Decide what the house collects."""
    paid, taken, kept = paid_on(settled), taken_on(settled), kept_on(settled)
    r.amount("collected", taken, tempting=[taken + kept, kept, abs(paid - taken), paid, 0])


def traced(settled: Iterable[Settled], incident: PrizeTraced) -> Settled:
    """The one bet that earned the prize. Raises ImpossibleFacts if no bet or more than one did."""
    found = [one for one in of_player(settled, incident.player) if one.prize == incident.prize]
    if len(found) != 1:
        raise ImpossibleFacts(
            "incident.prize",
            "exactly one bet of {player:player} must earn {prize:amount}",
            player=incident.player,
            prize=incident.prize,
        )
    return found[0]


def decide_traced(s: LayoutTable[Any], r: Reasoning, settled: Iterable[Settled], right: Settled) -> None:
    """Decide which spot earned the prize; the other spots of the player are offered as wrong answers."""
    others = s.layout.in_order({one.spot for one in of_player(settled, right.bet.player)} - {right.spot})
    r.order("paid_spot", [right.spot], tempting=[(spot,) for spot in others])
