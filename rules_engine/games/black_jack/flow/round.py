"""A black jack coup in the making: bets, hands and the bank so far, and the phases that add moments to them."""

from typing import Any

from msgspec import structs

from rules_engine.authoring import PACK, EngineError, Rulebook
from rules_engine.games.black_jack.bank import BankToPlay
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.hands import total
from rules_engine.games.black_jack.insurance import InsuranceDue, InsuranceMoment
from rules_engine.games.black_jack.last_coup import WarningCardOut
from rules_engine.games.black_jack.naturals import SecondsDealt
from rules_engine.games.black_jack.payout import CoupOver
from rules_engine.games.black_jack.play import CardGiven, TurnToAsk
from rules_engine.games.black_jack.seating import CardToDeal
from rules_engine.games.black_jack.special import HandsSeen
from rules_engine.games.black_jack.table import BANK, Bet, Hand, Incident, Situation
from rules_engine.live.course import Dealt
from rules_engine.live.duties import owed
from rules_engine.live.flow import article, plain
from rules_engine.live.model import Duty, Event, State
from rules_engine.ruling import Ruling

Facts = dict[str, Any]
UP_NEXT = 12
# A player asks for a card below this total, and a little less often just below it.
STANDS_FROM, WAVERS_FROM = 17, 14


class Round(Dealt):
    """The facts of a coup while it is planned."""

    def __init__(self, state: State, book: Rulebook, draw: Draw) -> None:
        super().__init__(state, book, draw)
        self.bets: tuple[Bet, ...] = ()
        self.hands: tuple[Hand, ...] = ()
        self.bank_cards: tuple[str, ...] = ()
        self.loose: tuple[str, ...] = ()
        self.hidden: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(self.table["seats"])

    def facts(self) -> Facts:
        return {
            "seats": self.seats,
            "places": self.table["places"],
            "packs": self.table["packs"],
            "minimum": self.minimum,
            "bets": self.bets,
            "hands": self.hands,
            "bank_cards": self.bank_cards,
            "loose": self.loose,
            "hidden": self.hidden,
        }

    def situation(self, incident: Incident, **other: Any) -> Situation:
        return Situation(**self.facts() | other, incident=incident)

    def rule(self, incident: Incident, **other: Any) -> Ruling | None:
        """The ruling on these facts, or None where the text gives none."""
        try:
            return self.book.rule(self.situation(incident, **other))
        except EngineError:
            return None

    def apply(self, situation: Situation, ruling: Ruling) -> None:
        """The facts that a ruling leaves."""
        if ruling.after is None:
            return
        left = situation.left(ruling.after)
        for name in ("bets", "hands", "bank_cards", "loose", "hidden"):
            if name in left:
                setattr(self, name, tuple(left[name]))


def new_shoe(c: Round) -> None:
    """The cards are shuffled and loaded, and the first is burned."""
    cards = tuple(c.draw.shuffled(PACK * c.table["packs"]))
    c.shoe = list(cards)
    burned = c.drawn(c.book.number("opening_burn"))
    c.moment(Event("shoe", says="shoe_begins"), Event("card", to="burned"), shuffled=cards, draws=burned)
    c.table["warned"] = False


def placing(c: Round) -> None:
    """The players place their bets."""
    c.moment(*(Event("chips", by=bet.player, to=bet.spot, amount=bet.amount) for bet in c.bets))


def dealing(c: Round) -> None:
    """The first two cards of everybody, seat by seat, then the bank's; its second is face down."""
    if c.hands or c.bank_cards:
        return
    _warned(c, 2 * (len({bet.seat for bet in c.bets}) + 1))
    seats = sorted({bet.seat for bet in c.bets})
    order = [*seats, 0] * 2
    duties: list[Duty] = []
    for number in range(1, len(order) + 1):
        ruling = c.rule(CardToDeal(number=number))
        duties += owed(ruling, "goes_to") if ruling else ()
    c.moment(duties=duties)
    cards = c.drawn(len(order))
    given = list(zip(order, cards, strict=True))
    c.hands = tuple(Hand(seat=seat, cards=tuple(card for to, card in given if to == seat)) for seat in seats)
    c.bank_cards = tuple(card for to, card in given if not to)
    c.hidden = ("bank.2",)
    events = [Event("card", to=f"seat{to}" if to else BANK, card=card) for to, card in given[:-1]]
    c.moment(*events, Event("card", to="bank.2"), draws=cards)


def _warned(c: Round, count: int) -> None:
    """Before the cards of a coup: if the warning card is among the next ones, it is the last coup."""
    from_end = c.book.number("warning_card_from_end")
    if len(c.shoe) - count > from_end or c.table["warned"]:
        return
    c.table["warned"] = True
    ruling = c.rule(WarningCardOut(), hands=(Hand(seat=c.seats[0], cards=(c.shoe[0], c.shoe[1])),))
    c.moment(Event("shoe", says="warning_card"), duties=owed(ruling, "announcement") if ruling else ())


def naturals(c: Round) -> None:
    """Black jacks are paid at once, unless the bank may have one too."""
    situation = c.situation(SecondsDealt(), hidden=("bank.2",))
    ruling = c.rule(SecondsDealt())
    if ruling is None:
        return
    c.moment(duties=owed(ruling, payments=True))
    c.apply(situation, ruling)


def inviting(c: Round) -> bool:
    """The dealer invites the players to insure, or asks the first one. Returns whether insurance is offered."""
    ruling = c.rule(InsuranceMoment()) if c.hands else None
    if ruling:
        c.moment(duties=owed(ruling, "announcement"))
    return ruling is not None and ruling.get("offered") == "yes"


def insuring(c: Round) -> None:
    """Insurance is offered if the bank shows an ace; otherwise the first player is asked."""
    if not inviting(c):
        return
    insuring_as(c, tuple(_insured(bet, bet.amount // 2 if c.draw.chance(0.3) else 0) for bet in c.bets))


def insuring_as(c: Round, bets: tuple[Bet, ...]) -> None:
    """Some players insure their bets."""
    insured = [bet for bet in bets if bet.insurance]
    c.moment(*(Event("chips", by=bet.player, to=bet.line, amount=bet.insurance) for bet in insured))
    c.bets = bets


def _insured(bet: Bet, insurance: int) -> Bet:
    return structs.replace(bet, insurance=insurance)


def asking(c: Round, made: tuple[int, ...] = ()) -> None:
    """Seat after seat takes cards or stands."""
    for seat in sorted({hand.seat for hand in c.hands}):
        if seat not in made:
            turn(c, seat, made)
            _plays(c, seat)
            made = (*made, seat)


def turn(c: Round, seat: int, made: tuple[int, ...]) -> None:
    """It is the turn of a seat, unless its hand can take no card. `made` are the seats already asked."""
    if not any(hand.seat == seat and total(c.book, hand) < c.book.number("best") for hand in c.hands):
        return
    seats = {hand.seat for hand in c.hands}
    ruling = c.rule(TurnToAsk(made=tuple(one for one in made if one in seats)))
    c.moment(duties=owed(ruling, "asked") if ruling else ())


def _plays(c: Round, seat: int) -> None:
    while True:
        hand = next((hand for hand in c.hands if hand.seat == seat), None)
        if hand is None or total(c.book, hand) >= c.book.number("best"):
            return
        held = total(c.book, hand)
        least = c.book.number("must_draw_up_to")
        wants = held <= least or (held < STANDS_FROM and (held < WAVERS_FROM or c.draw.chance(0.5)))
        c.moment(Event("call", by=str(seat), says="card" if wants else "stand"))
        if not wants:
            return
        card_to(c, seat)


def card_to(c: Round, seat: int) -> None:
    """A player gets a card; over 21 his hand and bets are collected. Raises EngineError if the text has no rule."""
    incident = CardGiven(seat=seat)
    situation = c.situation(incident, next=tuple(c.shoe[:1]))
    ruling = c.book.rule(situation)
    card = c.drawn(1)
    duties = owed(ruling, payments=True)
    c.moment(Event("card", to=f"seat{seat}", card=card[0]), duties=duties, draws=card)
    c.apply(situation, ruling)


def bank_plays(c: Round) -> None:
    """Special prizes, the bank's second card, the insurance line, and the cards that the bank takes."""
    if not c.hands:
        return
    special = c.rule(HandsSeen())
    if special and special.after and special.after.payments:
        c.moment(duties=owed(special, payments=True))
    if "bank.2" in c.hidden:
        c.hidden = ()
        c.moment(Event("card", to="bank.2", card=c.bank_cards[1]))
    if any(bet.insurance for bet in c.bets):
        situation, ruling = c.situation(InsuranceDue()), c.rule(InsuranceDue())
        if ruling:
            c.moment(duties=owed(ruling, payments=True))
            c.apply(situation, ruling)
            c.bets = tuple(_insured(bet, 0) for bet in c.bets)
    ruling = c.rule(BankToPlay(), next=tuple(c.shoe[:UP_NEXT]))
    count = ruling.get("bank_draws") if ruling else 0
    if isinstance(count, int) and count:
        cards = c.drawn(count)
        c.bank_cards += cards
        events = [Event("card", to=BANK, card=card) for card in cards]
        c.moment(*events, duties=owed(ruling, "bank_draws") if ruling else (), draws=cards)


def settling(c: Round) -> None:
    """The bets are paid and collected."""
    ruling = c.rule(CoupOver()) if c.hands else None
    c.moment(*c.returned, duties=paid_for(ruling) if ruling else (), settles=True)


def paid_for(ruling: Ruling) -> tuple[Duty, ...]:
    """The payments of a coup, each with the clause on the result of its hand."""
    return tuple(
        structs.replace(duty, cite=article(ruling, f"result.{duty.payment.spot}"))
        if duty.payment and ruling.get(f"result.{duty.payment.spot}") is not None
        else duty
        for duty in owed(ruling, payments=True)
    )


def ended(c: Round) -> None:
    """The last moment carries the table of the next coup."""
    c.moments[-1] = structs.replace(c.moments[-1], table=plain(c.table))
