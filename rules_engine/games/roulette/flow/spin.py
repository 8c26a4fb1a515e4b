"""A spin in the making: the cloth, the log of calls and the moments so far, and the phases that add to them."""

from typing import Any

from msgspec import structs

from rules_engine.authoring import EngineError
from rules_engine.games.layout_bets.live import Cloth, Facts, chips_down
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.closing import CLOSED, OPENED, ORDERED, THROWN, BetsMade
from rules_engine.games.roulette.paying import PaymentToAnnounce
from rules_engine.games.roulette.payout import NumberOut
from rules_engine.games.roulette.setting import CROWDS, chips, in_order, lost_spots, won_spots
from rules_engine.games.roulette.settlement import INSIDE, PRIZE_CLAUSES, group
from rules_engine.games.roulette.spin import OPPOSITE, BallComesDown, ThrowPrepared
from rules_engine.games.roulette.table import Bet, Call, ColourChips, Situation
from rules_engine.live.duties import owed
from rules_engine.live.flow import plain
from rules_engine.live.model import Duty, Event

NUMBERS = 37


class Spin(Cloth):
    """The facts of a spin while it is planned."""

    situation = Situation

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.calls: list[Call] = [OPENED]
        self.number = self.draw.number(0, NUMBERS - 1)

    @property
    def colours(self) -> tuple[ColourChips, ...]:
        return tuple(ColourChips(**one) for one in self.table["colours"])

    def worth(self, player: str) -> int:
        """What a chip of a player is worth."""
        return int(self.table["worths"][player])

    def facts(self, *, out: bool = False) -> Facts:
        found: Facts = {
            "seats": tuple(self.table["seats"]),
            "minimum": self.book.table.minimum,
            "bets": self.bets,
            "calls": tuple(self.calls),
            "previous": self.table["last"],
        }
        if self.table["colours"]:
            found |= {"colours": self.colours, "face_value": True}
        return found | ({"number": self.number, "previous": None} if out else {})


def some_bets(c: Spin) -> tuple[Bet, ...]:
    """Chips on and around some number, which may be the one that comes out."""
    crowd = CROWDS[c.busy]
    around = c.number if c.draw.chance(0.5) else c.draw.number(0, NUMBERS - 1)
    spots = won_spots(c.draw, c.book, c.busy, number=around, must=(), count=c.draw.number(*crowd.won))
    spots += lost_spots(c.draw, c.book, around, spots, c.draw.number(*crowd.lost), c.busy)
    facts = {"minimum": c.book.table.minimum}
    made = {}
    for spot in spots:
        player = c.draw.pick(c.people)
        made[player, spot] = chips(
            c.draw, c.book, facts, player=player, spot=spot, value=c.worth(player), most=crowd.chips
        )
    return in_order(list(made.values()))


def placing(c: Spin) -> None:
    """The players place their bets, one after the other."""
    c.moment(*(chips_down(bet) for bet in c.bets))


def throwing(c: Spin) -> None:
    """The dealer throws against the direction of the last throw, while the plate turns the other way."""
    last = c.table["direction"]
    ball = OPPOSITE[last]
    ruling = c.rule(ThrowPrepared(last=last, ball=ball, plate=OPPOSITE[ball]))
    c.moment(Event("ball", says="ready"), duties=owed(ruling, "throw", "plate_turn"))
    c.calls.append(THROWN)
    c.table["direction"] = ball


def closing(c: Spin) -> None:
    """The inspector orders the end of betting, and the dealer announces it."""
    c.calls.append(ORDERED)
    ruling = c.rule(BetsMade())
    c.moment(Event("call", by="inspector", says="close_order"), duties=owed(ruling, "announcement"))
    c.calls.append(CLOSED)


def number_out(c: Spin) -> None:
    """The ball lies still: number and colour are announced and the number is marked."""
    ruling = c.rule(BallComesDown(number=c.number, ball="settled"))
    c.moment(Event("ball", says="lies", to=str(c.number)), duties=owed(ruling, "announcement", "marker"))


def settling(c: Spin) -> None:
    """Losing chips are collected, then the winners are paid; where chips have a colour, each payment is announced."""
    found = c.rule(NumberOut(), out=True) if c.bets else None
    due = tuple(_cited(c, duty) for duty in owed(found, payments=True)) if found else ()
    collected = tuple(duty for duty in due if duty.payment and duty.payment.payee == "house")
    won = sorted((duty for duty in due if duty not in collected), key=lambda duty: _turn(c, duty))
    paid = [part for duty in won for part in (*_announced(c, duty), duty)]
    c.moment(*c.returned, duties=collected, settles=True)
    c.moment(duties=tuple(paid))


def _turn(c: Spin, duty: Duty) -> int:
    """When a prize is paid (X 22). Two dozens or columns, which the text does not place, come with the single ones."""
    order: list[str] = c.book.param("payment_order")
    if duty.payment is None or duty.payment.spot not in layout.SPOTS:
        return len(order)
    return order.index(group(layout.chance(duty.payment.spot)).removesuffix("s"))


def _cited(c: Spin, duty: Duty) -> Duty:
    """A payment with the clause of its own bet: its prize, the loss of the stake, or what zero takes."""
    payment = duty.payment
    if payment is None or payment.spot not in layout.SPOTS:
        return duty
    chance = layout.chance(payment.spot)
    lost = "X 22 s1" if c.number or chance in INSIDE else "X 21"
    return structs.replace(duty, cite=lost if payment.payee == "house" else PRIZE_CLAUSES[group(chance)])


def _announced(c: Spin, duty: Duty) -> tuple[Duty, ...]:
    payment = duty.payment
    if payment is None or not c.table["colours"] or payment.spot not in layout.SPOTS:
        return ()
    try:
        ruling = c.rule(PaymentToAnnounce(player=payment.payee, spot=payment.spot), out=True)
    except EngineError:
        return ()
    return owed(ruling, "announcement")


def ended(c: Spin) -> None:
    """Winners take their stakes back. The last moment carries the table of the next spin."""
    c.table["last"] = c.number
    c.moment(Event("number", amount=c.number), table=plain(c.table))
