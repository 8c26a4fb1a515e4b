"""A card dealt to a seat where nobody has bet. V 17 gives cards only to those who have, and does not provide for it."""

from typing import Any, Literal

from rules_engine.authoring import After, ImpossibleFacts, Reasoning, Rulebook, Seat, Sentence, one_of, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, rule
from rules_engine.games.black_jack.setting import dealt
from rules_engine.games.black_jack.table import BANK, Hand, Incident, Situation, lying

KIND = "card_to_empty_seat"
NOBODY = "nobody"
Round = Literal["first", "second"]
CARDS: dict[Round, int] = {"first": 1, "second": 2}


class CardToEmptySeat(Incident, frozen=True, tag="card_to_empty_seat"):
    """While the first cards are dealt, or the second ones, a seat without a bet has got one; it lies face up."""

    seat: Seat
    round: Round

    def check(self, situation: Situation) -> None:
        if any(bet.seat == self.seat for bet in situation.bets) or not situation.bets:
            raise ImpossibleFacts("incident.seat", "nobody has bet on this seat")
        if len(cards_of(situation, f"seat{self.seat}")) != 1:
            raise ImpossibleFacts("incident.seat", "this seat must have exactly one card")
        counts = [len(cards_of(situation, name)) for name in _order(situation, self)]
        counts[_order(situation, self).index(f"seat{self.seat}")] += CARDS[self.round] - 1
        full = CARDS[self.round]
        served = counts.count(full)
        if counts != [full] * served + [full - 1] * (len(counts) - served) or len(situation.hands) > len(counts):
            raise ImpossibleFacts("hands", "the cards must be dealt in the order of the seats")
        if counts == [CARDS["second"]] * len(counts):
            raise ImpossibleFacts("bank_cards", "the deal must not be over")

    def narrated(self, situation: Situation) -> list[Sentence]:
        since = _since(situation, self)
        form = "last" if not since else "one_since" if since == 1 else "since"
        return [
            (f"incident.stray_{self.round}", {"seat": self.seat}),
            (f"incident.stray_{form}", {"count": since}),
        ]


def cards_of(s: Situation, name: str) -> tuple[str, ...]:
    """The cards of a heap; none if nothing has been dealt there."""
    return s.heaps().get(name, ())


def _order(s: Situation, incident: CardToEmptySeat) -> list[str]:
    """The heaps in the order in which cards were dealt: the seats with bets and the one without, then the bank."""
    seats = sorted({bet.seat for bet in s.bets} | {incident.seat})
    return [*(f"seat{seat}" for seat in seats), BANK]


def _served(s: Situation, incident: CardToEmptySeat) -> list[str]:
    """Those who have a card of this round, the seat without a bet among them."""
    full, stray = CARDS[incident.round], f"seat{incident.seat}"
    return [name for name in _order(s, incident) if name == stray or len(cards_of(s, name)) == full]


def _since(s: Situation, incident: CardToEmptySeat) -> int:
    """How many cards have been dealt since."""
    served = _served(s, incident)
    return len(served) - served.index(f"seat{incident.seat}") - 1


@rule(CardToEmptySeat, BJ)
def card_to_empty_seat(s: Situation, incident: CardToEmptySeat, r: Reasoning) -> None:
    stray, served = f"seat{incident.seat}", _served(s, incident)
    proper = [name for name in _order(s, incident) if name != stray]
    due = proper[served.index(stray)]
    moved = _moves(s, incident, r.procedure)
    if moved and incident.round == "second" and len(served) == len(proper):
        r.pivot(KIND, "stray_for_the_bank", seat=incident.seat)
        r.pivot("17", "bank_second_down")
        moved = False
    else:
        r.pivot(KIND, f"stray_{r.procedure}_{'moved' if moved else 'late'}", seat=incident.seat)
    seats = tuple(name.removeprefix("seat") for name in proper[:-1])
    r.pivot("17", "dealt_in_order", seats=seats)
    # If the card is kept, every card of this round goes to the one whose turn it was.
    count = len(served) if moved else len(served) - 1
    then = (proper * 2)[count]
    r.player("goes_to", _named(due) if moved else NOBODY, tempting=(_named(due), str(incident.seat)), critical=True)
    r.player("next_card", _named(then), tempting=(BANK, *seats))
    r.after(_after(s, incident, served, proper, kept=moved))


def _moves(s: Situation, incident: CardToEmptySeat, procedure: str) -> bool:
    """Whether the card goes to the one whose turn it was, by the procedure of the house."""
    return not _since(s, incident) if procedure == "last_card" else BANK not in _served(s, incident)


def _named(heap: str) -> str:
    return heap.removeprefix("seat")


def _after(s: Situation, incident: CardToEmptySeat, served: list[str], proper: list[str], *, kept: bool) -> After:
    stray = f"seat{incident.seat}"
    if not kept:
        return lying(s, {stray: ()}, discard=cards_of(s, stray))
    drawn = [cards_of(s, name)[-1] for name in served]
    before = CARDS[incident.round] - 1
    heaps = {name: (*cards_of(s, name)[:before], card) for name, card in zip(proper, drawn, strict=False)}
    return lying(s, {stray: (), **heaps})


@case_table(
    "procedures",
    variant("stray_card_last", {BJ: KIND}, since=0),
    variant("stray_card_then_others", {BJ: KIND}, since=one_of(1, 1, 1, 2)),
)
def _strayed(draw: Draw, book: Rulebook, difficulty: int, *, since: int) -> Situation:
    """Nothing dealt since, cards for players, or cards up to the bank. Harder: more seats, and in the second round."""
    facts = dealt(draw, book, max(2, difficulty), least=4)
    seats = list(facts["seats"])
    if len(seats) == facts["places"]:
        gone = draw.pick(seats)
        seats.remove(gone)
        facts |= {"seats": tuple(seats), "bets": tuple(bet for bet in facts["bets"] if bet.seat != gone)}
    free = [seat for seat in range(1, facts["places"] + 1) if seat not in seats]
    before_last = [seat for seat in free if seat < seats[-1]]
    stray = draw.pick(before_last or free) if since == 1 or draw.chance(0.8) else draw.pick(free)
    chosen: Round = "second" if difficulty >= 3 and since < 2 and draw.chance(0.6) else "first"
    order = sorted([*seats, stray])
    at, whole = order.index(stray), len(order)
    later = whole - at - 1
    served = at + 1 if not since or not later else at + 1 + draw.number(1, later) if since == 1 else whole + 1
    return _dealt_so_far(draw, facts, CardToEmptySeat(seat=stray, round=chosen), order, served)


def _dealt_so_far(
    draw: Draw, facts: dict[str, Any], incident: CardToEmptySeat, order: list[int], served: int
) -> Situation:
    """The hands when so many places have been dealt to in this round."""
    full = CARDS[incident.round]
    counts = {seat: full if index < served else full - 1 for index, seat in enumerate(order)} | {incident.seat: 1}
    hands = tuple(
        Hand(seat=seat, cards=tuple(draw.card() for _ in range(count))) for seat, count in counts.items() if count
    )
    bank = tuple(draw.card() for _ in range(full if served > len(order) else full - 1))
    face_down = ("bank.2",) if len(bank) > 1 else ()
    return Situation(**facts, hands=hands, bank_cards=bank, hidden=face_down, incident=incident)
