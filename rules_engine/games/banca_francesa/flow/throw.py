"""A coup of banca francesa in the making: the cloth, the throws until one decides, and the phases of a coup."""

from typing import Any

from msgspec import structs

from rules_engine.authoring import Payment, throws
from rules_engine.games.banca_francesa.null_throw import ThrowEnds
from rules_engine.games.banca_francesa.payout import DiceDown
from rules_engine.games.banca_francesa.reading import DiceAtRest
from rules_engine.games.banca_francesa.setting import any_chance, in_order, picture
from rules_engine.games.banca_francesa.settlement import NONE, PRIZE_CLAUSES, chance_of
from rules_engine.games.banca_francesa.table import DICE, Bet, Situation
from rules_engine.games.layout_bets.live import VOIDED, DiceCloth, chips_down, dice_seen, renamed, settled
from rules_engine.live.duties import owed
from rules_engine.live.flow import plain
from rules_engine.live.model import Event
from rules_engine.live.transplant import fitted
from rules_engine.ruling import Ruling

# With fewer players than at this level there would often be no bet.
LEAST_BUSY = 2
# The clause that makes a throw void for which not all dice were in the cup.
SHORT = "IV 8 c"


class Coup(DiceCloth):
    """The facts of a coup while it is planned. `idle` are the throws that decide nothing."""

    situation = Situation

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.idle: list[tuple[int, ...]] = []
        self._throw()

    def _throw(self) -> None:
        """The dice are thrown until a chance comes out."""
        self.idle = []
        while chance_of(self.book, dice := self.draw.pick(throws(DICE))) == NONE:
            self.idle.append(dice)
        self.dice = dice

    def faces(self, s: Situation) -> tuple[int, ...]:
        return s.incident.flat(self.dice)

    def throw_again(self) -> None:
        self._throw()
        waiting(self)
        throwing(self)


def some_bets(c: Coup) -> tuple[Bet, ...]:
    """Bets as at a generated table, of the people here."""
    busy = max(c.busy, LEAST_BUSY)
    bets: tuple[Bet, ...] = picture(c.draw, c.book, busy, chance=any_chance(c.draw, busy))["bets"]
    places = fitted(sorted({bet.player for bet in bets})[: len(c.people)], c.people, c.draw)
    return in_order(renamed(bet, places) for bet in bets if bet.player in places)


def placing(c: Coup) -> None:
    """The players place their bets."""
    c.moment(*(chips_down(bet) for bet in c.bets))


def waiting(c: Coup) -> None:
    """Throws that decide nothing: no chance is announced, and the dice are thrown again."""
    for dice in c.idle:
        c.moment(dice_seen(dice, by="thrower"))


def without_one(c: Coup) -> None:
    """A throw with a die that was never in the cup: the inspector declares it void."""
    lies = ThrowEnds(happened=("not_in_cup",))
    dice = c.draw.pick(throws(DICE))
    seen = dice_seen(dice, by="thrower")
    c.moment(structs.replace(seen, values=seen.values | {"lies": plain(lies), "seen": list(lies.flat(dice))}))
    c.moment(Event("told", says=VOIDED), settles=True, void=SHORT)


def throwing(c: Coup) -> None:
    """The throw that decides."""
    c.moment(dice_seen(c.dice, by="thrower"))


def announcing(c: Coup) -> None:
    """The chance is announced before the dice are lifted."""
    c.moment(duties=owed(c.rule(DiceAtRest(), out=True), "announcement"))


def settling(c: Coup, ruling: Ruling | None = None) -> None:
    """Losing bets are collected and winning bets paid. The last moment carries the table of the next coup."""
    found = ruling or (c.rule(DiceDown(), out=True) if c.bets else None)
    settled(c, found, _clause, first="aces")
    c.moment(Event("number", amount=sum(c.dice)), table=plain(c.table))


def _clause(payment: Payment) -> str:
    """The clause of a payment: the prize of its chance, the half that a line loses, or the loss of the bet."""
    bet = Bet(player="1", spot=payment.spot, count=1, value=1)
    if payment.payer == "house":
        return PRIZE_CLAUSES[bet.chance]
    return "IV 11 s1" if bet.halved else "IV 12"
