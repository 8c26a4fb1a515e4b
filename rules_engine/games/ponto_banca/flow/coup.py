"""A coup of ponto e banca in the making: bets and cards so far, and the phases that add moments to them."""

from collections.abc import Iterable
from typing import Any

from msgspec import convert, structs

from rules_engine.authoring import PACK, EngineError, Payment, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.betting import BetPlaced
from rules_engine.games.ponto_banca.books import PB, same
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.closing import BetsMade
from rules_engine.games.ponto_banca.drawing import EXTRA, DealtInOrder, FirstCards, HandsToCount
from rules_engine.games.ponto_banca.handling import CardsToHandle
from rules_engine.games.ponto_banca.house import GAP, kind_of_table
from rules_engine.games.ponto_banca.last_coup import FIRST_FOUR, WarningCardOut
from rules_engine.games.ponto_banca.outcome import Played, paid, prize
from rules_engine.games.ponto_banca.payout import CoupOver
from rules_engine.games.ponto_banca.shoe import KNOWN, CutMade
from rules_engine.games.ponto_banca.table import PAIRS, SIDES, Bet, Incident, Side, Situation
from rules_engine.live.course import Dealt
from rules_engine.live.duties import owed
from rules_engine.live.flow import article, plain
from rules_engine.live.model import Duty, Event, Moment, State
from rules_engine.ruling import Ruling

Facts = dict[str, Any]
OPENED, CLOSED = Call("croupier", "place_bets"), Call("croupier", "closed")
UP_NEXT = 6
FIRST_TWO = 2
NEW_SHOE = {"first": True, "last": False}
# A player with the right to the cards declines them so many times less often than players chatter.
MILD = 2


class Coup(Dealt):
    """The facts of a coup while it is planned. `lapsed`: a slip that nobody noticed, so the cards count as they lie.
    `void`: nobody can say whose the cards are."""

    def __init__(self, state: State, book: Rulebook, draw: Draw) -> None:
        super().__init__(state, book, draw)
        self.bets: tuple[Bet, ...] = ()
        self.hands: dict[Side, tuple[str, ...]] = {"ponto": (), "banker": ()}
        self.hidden: tuple[str, ...] = ()
        self.turned_first: tuple[Duty, ...] = ()
        self.closed = self.burned = self.handled = self.lapsed = self.void = False

    @property
    def dealt(self) -> tuple[str, ...]:
        """The cards of both sides in the order in which they left the shoe, up to the first four."""
        pairs = zip((*self.hands["ponto"][:2], ""), (*self.hands["banker"][:2], ""), strict=False)
        return tuple(card for pair in pairs for card in pair if card)

    def facts(self) -> Facts:
        found: Facts = {
            "seats": tuple(self.table["seats"]),
            "standing": tuple(self.table["standing"]),
            "minimum": self.minimum,
            "table": kind_of_table(self.book.table, self.book),
            "bets": self.bets,
            "calls": (OPENED, CLOSED) if self.closed else (OPENED,),
            "ponto": self.hands["ponto"],
            "banker_cards": self.hands["banker"],
            "hidden": self.hidden,
        }
        return found if self.book.coded_as == PB else found | {"max_gap": self.book.table.limit(GAP).maximum}

    def rule(self, incident: Incident, **other: Any) -> Ruling | None:
        """The ruling on these facts, or None where the text gives none."""
        try:
            return self.book.rule(Situation(**self.facts() | other, incident=incident))
        except EngineError:
            return None

    def may_bet(self, bet: Bet) -> bool:
        """Whether the text allows one more bet."""
        ruling = self.rule(BetPlaced(player=bet.player, on=bet.on, amount=bet.amount))
        return ruling is not None and ruling.get("allowed") == "allowed"

    def lying(self) -> tuple[Bet, ...]:
        """The bets that were left on the cloth after the last coup. One that the others no longer leave room for is not
        among them."""
        before, self.bets = self.bets, ()
        for bet in convert(self.table["lying"], tuple[Bet, ...]):
            self.bets = (*self.bets, bet) if self.may_bet(bet) else self.bets
        found, self.bets = self.bets, before
        return found

    def give(self, side: Side, card: str, *, hidden: bool = False) -> Event:
        """A card goes to a side."""
        self.hands[side] = (*self.hands[side], card)
        ref = f"{side}.{len(self.hands[side])}"
        self.hidden += (ref,) if hidden else ()
        return Event("card", to=ref, card="" if hidden else card)


def duties_of(ruling: Ruling | None, *keys: str, payments: bool = False) -> tuple[Duty, ...]:
    return owed(ruling, *keys, payments=payments) if ruling else ()


def burns(c: Coup) -> int:
    """How many cards are burned before the coup: none before the first one of a shoe, or where no text says so."""
    ruling = c.rule(BetsMade(first_coup=c.table["first"]), next=tuple(c.shoe[:UP_NEXT]))
    return len(ruling.after.heaps.get("burned", ())) if ruling and ruling.after else 0


def new_shoe(c: Coup) -> None:
    """The cards are shuffled and loaded with the warning card, and the first ones are burned."""
    cards = tuple(c.draw.shuffled(PACK * c.book.table.packs))
    c.shoe = list(cards)
    ruling = c.rule(CutMade(), next=cards[:KNOWN])
    burned = c.drawn(len(ruling.after.heaps.get("burned", ()))) if ruling and ruling.after else ()
    events = [Event("shoe", says="shoe_begins"), *(Event("card", to="burned") for _ in burned)]
    c.moment(events[0], duties=duties_of(ruling, "warning_card", "opening_burn"), shuffled=cards)
    c.moment(*events[1:], draws=burned)
    c.first = burned
    c.table |= NEW_SHOE


def placing(c: Coup) -> None:
    """The players place their bets, besides those that lie there since the last coup, or take some of them back."""
    before = {(bet.player, bet.on): bet.amount for bet in convert(c.table["lying"], tuple[Bet, ...])}
    after = {(bet.player, bet.on): bet.amount for bet in c.bets}
    less = [(key, sum - after.get(key, 0)) for key, sum in before.items() if sum > after.get(key, 0)]
    more = [(key, sum - before.get(key, 0)) for key, sum in after.items() if sum > before.get(key, 0)]
    c.moment(
        *(Event("chips", by=player, amount=sum, values={"from": on}) for (player, on), sum in less),
        *(Event("chips", by=player, to=on, amount=sum) for (player, on), sum in more),
    )


def closing(c: Coup) -> None:
    """The end of betting is announced, and then a card burned, where the text says so."""
    announced, c.closed = c.closed, False
    ruling = c.rule(BetsMade(first_coup=c.table["first"]), next=tuple(c.shoe[:UP_NEXT]))
    count = 0 if c.burned else burns(c)
    duties = () if announced else duties_of(ruling, "announcement")
    if ruling and count:
        duties += (Duty("do", article(ruling, "fate.next.1"), "burn_count", value=count),)
    c.moment(duties=duties)
    burned = c.drawn(count)
    c.moment(*(Event("card", to="burned") for _ in burned), draws=burned)
    c.closed = c.burned = True


def _warned(c: Coup, count: int) -> None:
    """If the warning card is among the next cards, this is the last coup of the shoe."""
    if c.table["last"] or len(c.shoe) - count >= c.book.number("warning_card_before_last"):
        return
    c.table["last"] = True
    ruling = c.rule(WarningCardOut(), next=tuple(c.shoe[:UP_NEXT]))
    c.moment(Event("shoe", says="warning_card"), duties=duties_of(ruling, "announcement"))


def _given(ruling: Ruling, ref: str, key: str) -> Duty:
    """A card that is due to a side, as the ruling on the row has it."""
    return Duty("give", article(ruling, key), "goes_to", value=str(ruling[f"fate.{ref}"]))


def deal_due(c: Coup) -> list[Side]:
    """The rest of the first four cards are due, to these sides in turn."""
    out = c.dealt
    missing = FIRST_FOUR - len(out)
    _warned(c, missing)
    row = (*out, *c.shoe[:missing])
    ruling = c.rule(DealtInOrder(), loose=row, next=(), ponto=(), banker_cards=(), hidden=())
    if ruling is None:
        raise RuntimeError("no text says whose the first cards are")
    refs = [f"loose.{number}" for number in range(len(out) + 1, FIRST_FOUR + 1)]
    duties = [_given(ruling, ref, f"fate.{ref}") for ref in refs]
    c.turned_first = owed(ruling, "turned_first")
    c.moment(duties=duties if handled(c) else (*duties, *_first_turned(c)))
    return [SIDES[0] if duty.value == SIDES[0] else SIDES[1] for duty in duties]


def dealing(c: Coup) -> None:
    """The first four cards, in turn: face down, if players will handle them."""
    if len(c.dealt) >= FIRST_FOUR:
        return
    face_down = not c.dealt and handled(c)
    sides = deal_due(c)
    cards = c.drawn(len(sides))
    given = [c.give(side, card, hidden=face_down) for side, card in zip(sides, cards, strict=True)]
    c.moment(*given, draws=cards)


def _first_turned(c: Coup) -> tuple[Duty, ...]:
    """Which hand is turned up first: due once, when players have the cards if they handle them."""
    due, c.turned_first = c.turned_first, ()
    return due


def handled(c: Coup) -> bool:
    """Whether players handle the cards under this text."""
    return _handler(c, ()) is not None


def _handler(c: Coup, declined: tuple[str, ...]) -> Ruling | None:
    return c.rule(CardsToHandle(declined=declined))


def handling(c: Coup, *, may_decline: bool = True) -> None:
    """The cards go to the player with the largest bet on each side; now and then one does not want them."""
    ruling = _handler(c, ()) if c.hidden and not c.handled else None
    if ruling is None:
        return
    right = str(ruling["handler.ponto"])
    declined: tuple[str, ...] = ()
    if may_decline and right.isdigit() and c.draw.chance(c.state.setup.habits.chatter / MILD):
        other = _handler(c, (right,))
        ruling, declined = (other, (right,)) if other else (ruling, ())
    calls = [Event("call", by=player, says="declines") for player in declined]
    c.moment(*calls)
    c.moment(duties=(*owed(ruling, "handler.ponto", "handler.banker"), *_first_turned(c)))
    c.handled = True


def showing(c: Coup, keep: tuple[str, ...] = ()) -> None:
    """The cards that are face down are turned up, the ponto's first, except those to `keep` hidden."""
    for side in SIDES:
        refs = [ref for ref in c.hidden if ref.startswith(side) and ref not in keep]
        c.moment(*(Event("card", to=ref, card=c.hands[side][int(ref[-1]) - 1]) for ref in refs))
    c.hidden = keep


def drawing(c: Coup, most: int = FIRST_FOUR + EXTRA) -> None:
    """The third cards, the ponto's before the bank's; no more than `most` cards in all."""
    ponto, banker = c.hands["ponto"], c.hands["banker"]
    thirds = (*ponto[2:], *banker[2:])
    following = (*thirds, *c.shoe)[:EXTRA]
    ruling = c.rule(FirstCards(), ponto=ponto[:2], banker_cards=banker[:2], next=following, hidden=())
    if ruling is None:
        raise RuntimeError("no text says who draws")
    for number in range(len(thirds) + 1, most - FIRST_FOUR + 1):
        side = next((side for side in SIDES if ruling[f"fate.next.{number}"] == side), None)
        if side is None:
            return
        _warned(c, 1)
        c.moment(duties=(_given(ruling, f"next.{number}", f"{side}_draw"),))
        cards = c.drawn(1)
        c.moment(third_card(side), c.give(side, cards[0]), draws=cards)


def third_card(side: Side) -> Event:
    """To whom a third card goes, rightly or not."""
    return Event("told", says=f"live.third_card_{side}")


def counting(c: Coup) -> None:
    """The scores are read and the winner is named."""
    c.moment(duties=duties_of(c.rule(HandsToCount()), "ponto_score", "banker_score", "winner"))


def settling(c: Coup) -> set[tuple[str, str]]:
    """Losing bets are collected, then the winners are paid. Returns whose bets on what are lost."""
    payments: tuple[Payment, ...] = ()
    if c.lapsed:
        played = Played(c.hands["ponto"], c.hands["banker"], ())
        payments = paid((bet, prize(c.book, bet, played)) for bet in c.bets)
    elif c.bets and not c.void:
        ruling = c.rule(CoupOver())
        payments = ruling.after.payments if ruling and ruling.after else ()
    due = [Duty("pay", _clause(c.book, one), payment=one) for one in payments]
    collected = [duty for duty in due if duty.payment and duty.payment.payee == "house"]
    c.moment(*c.returned, duties=collected, settles=True)
    c.moment(duties=(duty for duty in due if duty not in collected))
    return {(one.payer, one.spot) for one in payments if one.payee == "house"}


def _clause(book: Rulebook, payment: Payment) -> str:
    """The clause of a payment: what the chance pays, or why it lost."""
    lost, on = payment.payee == "house", payment.spot
    if on == "tie":
        return same(book, "17 s1", "premios s3")
    if on in PAIRS:
        return "premios s5" if lost else "premios s6"
    if lost:
        return same(book, "16", "premios s1")
    return same(book, "19", "deducoes") if on == "banker" else same(book, "18", "premios s2")


def finish(c: Coup) -> None:
    """The coup from where it stands to its end."""
    if not c.void and not c.lapsed:
        closing(c)
        dealing(c)
        handling(c)
        showing(c)
        drawing(c)
        counting(c)
    showing(c)
    if c.lapsed:
        counting(c)
    lost = settling(c)
    c.table["first"] = False
    _leaving(c, [bet for bet in c.bets if (bet.player, bet.on) not in lost])


def _leaving(c: Coup, bets: Iterable[Bet]) -> None:
    """Players take back the bets that they have not lost, or leave them for the next coup."""
    leaves = c.state.setup.habits.leaves
    stay = {bet: c.draw.chance(leaves) for bet in bets}
    c.table["lying"] = [bet for bet, stays in stay.items() if stays]
    taken = [bet for bet, stays in stay.items() if not stays]
    c.moment(*(Event("chips", by=bet.player, amount=bet.amount, values={"from": bet.on}) for bet in taken))
    c.moments[-1] = structs.replace(c.moments[-1], table=plain(c.table))


def restored(c: Coup, done: Iterable[Moment]) -> None:
    """The cards as they lie after these moments of the coup, and how far it has come."""
    for moment in done:
        if moment.shuffled:
            c.table |= NEW_SHOE
        seen = [event for event in moment.events if event.what == "card"]
        for event, card in zip(seen, moment.draws, strict=False):
            side = next((side for side in SIDES if event.to.startswith(side)), None)
            if side:
                c.give(side, card, hidden=not event.card)
        shown = {event.to for event in seen if event.card}
        c.hidden = tuple(ref for ref in c.hidden if ref not in shown)
        c.closed = c.closed or any(duty.key in ("announcement", "burn_count") for duty in moment.duties)
        c.burned = c.burned or any(event.to == "burned" for event in seen)
        c.handled = c.handled or any(duty.key.startswith("handler") for duty in moment.duties)


def part_of_deal(c: Coup, s: Situation) -> None:
    """The first cards that an incident in the middle of the deal has."""
    row = (*s.ponto[:1], *s.banker_cards[:1], *s.ponto[1:])
    c.moment(*(c.give(SIDES[n % 2], card) for n, card in enumerate(row)), draws=c.drawn(len(row)))
