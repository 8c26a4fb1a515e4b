"""A coup of cussec in the making: the board, the dice under the dome, and the phases of a coup."""

from typing import Any

from rules_engine.authoring import EngineError, Payment, throws
from rules_engine.games.cussec.acts import Done, NextAct
from rules_engine.games.cussec.payout import ResultOut
from rules_engine.games.cussec.setting import any_dice, in_order, picture
from rules_engine.games.cussec.settlement import WINS, prize_clause
from rules_engine.games.cussec.table import DICE, Bet, Situation
from rules_engine.games.layout_bets.live import DiceCloth, Facts, chips_down, dice_seen, renamed, settled
from rules_engine.live.duties import owed
from rules_engine.live.flow import plain
from rules_engine.live.model import Duty, Event
from rules_engine.live.transplant import fitted

# What the dealer has done last, before each of his acts in each phase. At level one the board is too empty.
CLOSING: tuple[Done, ...] = ("bets_made", "rung")
OPENING: tuple[Done, ...] = ("closed", "told_opening", "released")
SHOWING: tuple[Done, ...] = ("lifted", "announced")
LEAST_BUSY = 2


class Coup(DiceCloth):
    """The facts of a coup while it is planned."""

    situation = Situation

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.dice = self.draw.pick(throws(DICE))

    def faces(self, s: Situation) -> tuple[int, ...]:
        return s.incident.seen()

    def throw_again(self) -> None:
        self.dice = self.draw.pick(throws(DICE))
        preparing(self)
        closing(self)
        dice_out(self)

    def facts(self, *, out: bool = False) -> Facts:
        return {name: value for name, value in super().facts(out=out).items() if name != "minimum"}


def _after(c: Coup, done: Done, presses: int = 0, *, out: bool = False) -> tuple[Duty, ...]:
    """The next act of the dealer, as words if it is a call."""
    ruling = c.rule(NextAct(done=done, presses=presses), out=out)
    return owed(ruling, "announcement") or owed(ruling, "act")


def preparing(c: Coup) -> None:
    """The dice are covered and shaken, and the panel lights up: bets may be made."""
    duties = [*_after(c, "paid"), *_after(c, "covered"), *_after(c, "fastened")]
    for presses in range(1, c.book.number("lever_presses")):
        duties += _after(c, "pressed", presses)
    c.moment(duties=duties)
    c.moment(Event("call", by="panel", says="lights"))


def some_bets(c: Coup) -> tuple[Bet, ...]:
    """Bets as at a generated table, of the people here, in and around zones that may win."""
    busy = max(c.busy, LEAST_BUSY)
    around = c.dice if c.draw.chance(0.5) else any_dice(c.draw, c.book, busy)
    bets: tuple[Bet, ...] = picture(c.draw, c.book, busy, dice=around)["bets"]
    places = fitted(sorted({bet.player for bet in bets})[: len(c.people)], c.people, c.draw)
    return in_order(renamed(bet, places) for bet in bets if bet.player in places)


def placing(c: Coup) -> None:
    """The players place their bets."""
    c.moment(*(chips_down(bet) for bet in c.bets))


def closing(c: Coup) -> None:
    """The bell and the words that end the betting; then the dome is opened."""
    c.moment(duties=(duty for done in (*CLOSING, *OPENING) for duty in _after(c, done)))


def closed(c: Coup) -> None:
    """The bell and the words that end the betting."""
    c.moment(duties=(duty for done in CLOSING for duty in _after(c, done)))


def opening(c: Coup) -> None:
    """The dome is opened."""
    c.moment(duties=(duty for done in OPENING for duty in _after(c, done)))


def dice_out(c: Coup) -> None:
    """The dome is off."""
    c.moment(dice_seen(c.dice))


def announced(c: Coup) -> None:
    """The result is announced and the winning zones are lit."""
    c.moment(duties=(duty for done in SHOWING for duty in _after(c, done, out=True)))


def lifted(c: Coup) -> None:
    """The dome comes off and the result is announced at once."""
    c.moment(dice_seen(c.dice), duties=(duty for done in SHOWING for duty in _after(c, done, out=True)))


def settling(c: Coup) -> None:
    """Losing bets are collected and winning bets paid. The last moment carries the table of the next coup."""
    settled(c, c.rule(ResultOut(), out=True) if c.bets else None, _clause)
    c.moment(Event("number", amount=sum(c.dice)), table=plain(c.table))


def payable(c: Coup, bets: tuple[Bet, ...]) -> bool:
    try:
        c.rule(ResultOut(), out=True, bets=bets)
    except EngineError:
        return False
    return True


def _clause(payment: Payment) -> str:
    """The clause of a payment: the prize of its zone, or when the zone wins, which it did not."""
    if payment.payer == "house":
        return prize_clause(payment.spot)
    return WINS[Situation.layout.spots[payment.spot].chance]
