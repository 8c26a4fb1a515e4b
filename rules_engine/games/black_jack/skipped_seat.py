"""A seat with a bet that was passed over in the deal. V 17 fixes the order and does not say how to mend a mistake."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from rules_engine.authoring import After, ImpossibleFacts, Reasoning, Rulebook, Seat, Sentence, one_of, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, domain, rule
from rules_engine.games.black_jack.setting import PLAIN, beside, dealt, hidden, in_order
from rules_engine.games.black_jack.stray_card import CARDS, Round, cards_of
from rules_engine.games.black_jack.table import BANK, Hand, Incident, Situation, lying

KIND = "seat_skipped"
RETURNED = "returned"
domain("skipped", "moved", "dealt", "out")


class SeatSkipped(Incident, frozen=True, tag="seat_skipped"):
    """A seat with a bet got no card of the round that is being dealt, and seats after it did.

    `asks`: all cards are dealt, and the dealer has begun to ask; this seat asks for a card. 0 while cards are dealt.
    """

    seat: Seat
    round: Round
    asks: Annotated[int, Meta(ge=0, le=7)] = 0

    def check(self, situation: Situation) -> None:
        order, full = _order(situation), CARDS[self.round]
        own = f"seat{self.seat}"
        if own not in order or len(cards_of(situation, own)) != full - 1:
            raise ImpossibleFacts("incident.seat", "the seat must have a bet and lack a card of this round")
        counts = [len(cards_of(situation, name)) for name in order if name != own]
        served = counts.count(full)
        if counts != [full] * served + [full - 1] * (len(counts) - served) or served <= order.index(own):
            raise ImpossibleFacts("hands", "the cards must be dealt in the order of the seats")
        over = self.round == "second" and served == len(counts)
        if over != bool(self.asks) or (self.asks and f"seat{self.asks}" not in order) or self.asks == self.seat:
            raise ImpossibleFacts("incident.asks", "another seat asks for a card once all are dealt, and only then")

    def narrated(self, situation: Situation) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.skipped_{self.round}", {"seat": self.seat})]
        if self.asks:
            return [*told, ("incident.skipped_asking", {"seat": self.asks})]
        bank = len(cards_of(situation, BANK)) == CARDS[self.round]
        return [*told, ("incident.skipped_bank_served" if bank else "incident.skipped_dealing", {})]


def _order(s: Situation) -> list[str]:
    return [*(f"seat{seat}" for seat in sorted({bet.seat for bet in s.bets})), BANK]


@rule(SeatSkipped, BJ)
def seat_skipped(s: Situation, incident: SeatSkipped, r: Reasoning) -> None:
    own, order, full = f"seat{incident.seat}", _order(s), CARDS[incident.round]
    others = [name for name in order if name != own]
    drawn = [name for name in others if len(cards_of(s, name)) == full]
    late = BANK in drawn if r.procedure == "move" else bool(incident.asks)
    found = "out" if late else "moved" if r.procedure == "move" else "dealt"
    r.pivot(KIND, f"skipped_{found}_{r.procedure}", seat=incident.seat)
    seats = tuple(name.removeprefix("seat") for name in (others if found == "out" else order)[:-1])
    if incident.asks and found == "out":
        then = f"seat{incident.asks}"
    else:
        r.pivot("17", "dealt_in_order", seats=seats)
        then = {"moved": (order * 2)[len(drawn)], "dealt": own, "out": (others * 2)[len(drawn)]}[found]
    bets = sum(bet.amount for bet in s.bets if bet.seat == incident.seat)
    r.choice("skipped", found, critical=True)
    r.player("next_card", then.removeprefix("seat"), tempting=(BANK, *seats, str(incident.seat)))
    r.amount("returned", bets if found == "out" else 0, tempting=[0, bets, bets // 2, 2 * bets])
    r.after(_after(s, found, own, order, drawn))


def _after(s: Situation, found: str, own: str, order: list[str], drawn: list[str]) -> After:
    """The cards of the round where they belong; or the seat without cards, and its chips given back."""
    if found == "dealt":
        return lying(s)
    if found == "out":
        return replace(lying(s, {own: ()}, discard=cards_of(s, own)), marks={RETURNED: own})
    before = len(cards_of(s, own))
    cards = [cards_of(s, name)[-1] for name in drawn]
    kept = {name: cards_of(s, name)[:before] for name in order}
    moved = {name: (*kept[name], card) for name, card in zip(order, cards, strict=False)}
    return lying(s, {**kept, **moved})


@case_table(
    "procedures",
    variant("skipped_while_dealing", {BJ: KIND}, stage=one_of("dealing", "dealing", "dealing", "dealing", "bank")),
    variant("skipped_and_seen_later", {BJ: KIND}, stage=one_of("dealing", "bank", "asking", "asking")),
)
def _skipped(draw: Draw, book: Rulebook, difficulty: int, *, stage: Literal["dealing", "bank", "asking"]) -> Situation:
    """Before the bank has its card, after it, or when players are asked. Harder: others have bet on the seat too."""
    facts = dealt(draw, book, max(2, difficulty), least=4)
    seats: list[int] = list(facts["seats"])
    seat, last = _passed(draw, seats)
    if draw.chance(0.2 * difficulty):
        facts["bets"] = in_order([*facts["bets"], beside(draw, facts, seat)])
    second = stage == "asking" or (stage == "dealing" and difficulty >= 3 and draw.chance(0.5))
    chosen: Round = "second" if second else "first"
    served = {other for other in seats if other != seat and (stage != "dealing" or other <= last)}
    full = CARDS[chosen]
    hands = tuple(
        Hand(seat=other, cards=_cards(draw, count))
        for other in seats
        if (count := full if other in served else full - 1)
    )
    bank = tuple(draw.card() for _ in range(full if stage != "dealing" else full - 1))
    asks = draw.pick([other for other in seats if other != seat]) if stage == "asking" else 0
    incident = SeatSkipped(seat=seat, round=chosen, asks=asks)
    return Situation(**facts, hands=hands, bank_cards=bank, hidden=hidden(bank), incident=incident)


def _passed(draw: Draw, seats: list[int]) -> tuple[int, int]:
    """The seat that is passed over, and the last seat that has got a card. Either is drawn first, so that neither is
    nearly always at the same end of the table."""
    if draw.chance(0.5):
        last = draw.number(1, len(seats) - 1)
        return seats[draw.number(0, last - 1)], seats[last]
    passed = draw.number(0, len(seats) - 2)
    return seats[passed], seats[draw.number(passed + 1, len(seats) - 1)]


def _cards(draw: Draw, count: int) -> tuple[str, ...]:
    return draw.two(draw.pick(PLAIN)) if count > 1 else (draw.card(),)
