"""A card drawn against a player's wish: V 18 s4, 18 s5."""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Seat, Sentence, one_of, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, rule
from rules_engine.games.black_jack.hands import points
from rules_engine.games.black_jack.setting import dealt
from rules_engine.games.black_jack.table import BANK, Hand, Incident, Situation, check_bank, check_seat, lying

NOBODY = "nobody"
BELOW = (12, 13, 14, 15, 16)  # totals with which the bank must draw


class CardUnwanted(Incident, frozen=True, tag="card_unwanted"):
    """The player of a seat stood, and the dealer drew a card for him; it is loose. `asking` are later seats that want
    cards."""

    seat: Seat
    asking: tuple[Seat, ...] = ()

    def check(self, situation: Situation) -> None:
        check_seat(situation, self.seat, 1)
        check_bank(situation, 2)
        if len(situation.loose) != 1:
            raise ImpossibleFacts("loose", "exactly one card must be drawn")
        if list(self.asking) != sorted(set(self.asking)):
            raise ImpossibleFacts("incident.asking", "they must be listed in the order of the seats")
        for seat in self.asking:
            if seat <= self.seat or not situation.of_seat(seat):
                raise ImpossibleFacts("incident.asking", "seat {seat} has no hand that comes after", seat=seat)

    def narration(self) -> list[Sentence]:
        asking = tuple(map(str, self.asking))
        form = {0: "incident.later_stand", 1: "incident.later_ask_one"}.get(len(asking), "incident.later_ask")
        return [(form, {"asking": asking})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        """If nobody else asks, the bank may have turned its second card."""
        how = "unseen" if "loose.1" in situation.hidden else "seen"
        drawn: Sentence = (f"incident.card_unwanted_{how}", {"seat": self.seat})
        turned = not self.asking and "bank.2" not in situation.hidden
        return [drawn, *self.narration(), *([("incident.bank_turned", {})] if turned else [])]


@rule(CardUnwanted, BJ)
def card_unwanted(s: Situation, incident: CardUnwanted, r: Reasoning) -> None:
    card, seats = s.loose, sorted({hand.seat for hand in s.hands})
    if "loose.1" not in s.hidden:
        r.pivot("18 s5", "seen_is_void", card=card[0])
        goes = NOBODY
        r.after(lying(s, {"loose": ()}, discard=card))
    elif incident.asking:
        first = incident.asking[0]
        if s.is_split(first):
            raise NotRegulated("art. 18 does not say which hand of a split the card is for")
        passed = any(incident.seat < seat < first for seat in seats)
        r.step("18 s3", "next_in_turn", seat=first, pivot=passed)
        r.pivot("18 s4", "unseen_to_next", seat=first)
        goes = str(first)
        name = check_seat(s, first)
        r.after(lying(s, {"loose": (), name: (*s.heap(name), *card)}))
    else:
        goes = _to_the_bank(s, r)
        kept = {BANK: (*s.bank_cards, *card)} if goes == BANK else {}
        r.after(lying(s, {"loose": (), **kept}, discard=() if kept else card))
    later = [str(seat) for seat in seats if seat > incident.seat][:1]
    r.player("goes_to", goes, tempting=(str(incident.seat), *later, BANK, NOBODY), critical=True)


def _to_the_bank(s: Situation, r: Reasoning) -> str:
    """V 18 s4 gives the bank the card that nobody asks for; V 19 forbids it a card from seventeen on."""
    found = points(r.book, s.bank_cards)
    r.pivot("18 s4", "unseen_to_bank")
    if found < r.book.number("bank_stands_from"):
        r.pivot("19 s3", "bank_needs_it", total=found)
        return BANK
    takes = r.book.reads("V19", "bank")
    r.pivot("19 s2-unseen", "bank_takes_it" if takes else "bank_may_not_have_it", total=found)
    return BANK if takes else NOBODY


@case_table(
    "faults",
    variant("unseen_card", {BJ: "18 s4"}, seen=False, asking=one_of(0, 1, 1, 2)),
    variant("seen_card", {BJ: "18 s5"}, seen=True, asking=one_of(0, 1, 2)),
    variant("unseen_card_and_the_bank_stands", {BJ: "19 s2-unseen"}, seen=False, asking=0, bank=(17, 18, 19, 20)),
)
def _drawn(
    draw: Draw, book: Rulebook, difficulty: int, *, seen: bool, asking: int, bank: tuple[int, ...] = BELOW
) -> Situation:
    """Harder: more players after him, and the next of them does not ask for a card. If nobody asks, the bank has turned
    its second card."""
    facts = dealt(draw, book, difficulty, least=3)
    seats = list(facts["seats"])
    index = draw.number(0, max(0, len(seats) - 1 - max(1, asking)))
    later = seats[index + 1 :]
    if difficulty >= 2 and len(later) > asking:
        later = later[1:]
    chosen = tuple(sorted(draw.sample(later, min(asking, len(later)))))
    hands = tuple(
        Hand(seat=seat, cards=draw.two(draw.pick((12, 13, 14) if seat in chosen else (17, 18, 19)))) for seat in seats
    )
    face_down = (*(["bank.2"] if chosen else []), *([] if seen else ["loose.1"]))
    return Situation(
        **facts,
        hands=hands,
        bank_cards=draw.two(draw.pick(bank)),
        loose=(draw.card(),),
        hidden=face_down,
        incident=CardUnwanted(seat=seats[index], asking=chosen),
    )
