"""The bank's own cards: V 6 s2, 19 s1, 19 s2, 19 s3."""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, case_table, domain, rule
from rules_engine.games.black_jack.hands import FIRST, bank_play, explain_bank, low, points, total
from rules_engine.games.black_jack.setting import DEALT, OVER, STANDS, dealt
from rules_engine.games.black_jack.table import ACE, BANK, Hand, Incident, Situation, check_bank, check_played, lying

domain("fate", "bank", "discard")


class BankToPlay(Incident, frozen=True, tag="bank_to_play"):
    """All hands are finished and the bank's second card is turned. `next` is what the shoe would give."""

    def check(self, situation: Situation) -> None:
        check_bank(situation, FIRST)
        if len(situation.bank_cards) != FIRST:
            raise ImpossibleFacts("bank_cards", "the bank must have its first two cards")
        check_played(situation)


class BankCardDrawn(Incident, frozen=True, tag="bank_card_drawn"):
    """The bank's cards are open, and the dealer has drawn one more for it."""

    def check(self, situation: Situation) -> None:
        check_bank(situation, FIRST)
        if len(situation.loose) != 1:
            raise ImpossibleFacts("loose", "exactly one card must be drawn")


@rule(BankToPlay, BJ)
def bank_to_play(s: Situation, incident: BankToPlay, r: Reasoning) -> None:
    if all(total(r.book, hand) > r.book.number("best") for hand in s.hands):
        raise NotRegulated("art. 19 does not say whether the bank draws when no hand is left")
    drawn = bank_play(r.book, s.bank_cards, s.next)
    first, cards = points(r.book, s.bank_cards), (*s.bank_cards, *drawn)
    explain_bank(r, cards, pivot=any(card[0] == ACE for card in cards))
    if drawn:
        r.pivot("19 s3", "bank_draws", total=first, count=len(drawn))
    else:
        r.pivot("19 s1", "bank_stands", total=first)
    r.number("bank_draws", len(drawn), tempting=[0, 1, 2, 3])
    found = points(r.book, cards)
    r.number("bank_total", found, tempting=[first, low(r.book, cards), found + 10, found + 1])
    r.after(lying(s, {BANK: cards}, shoe=s.next[len(drawn) :]))


@rule(BankCardDrawn, BJ)
def bank_card_drawn(s: Situation, incident: BankCardDrawn, r: Reasoning) -> None:
    stands, found = r.book.number("bank_stands_from"), points(r.book, s.bank_cards)
    explain_bank(r, s.bank_cards, pivot=any(card[0] == ACE for card in s.bank_cards))
    if found < stands:
        r.pivot("19 s3", "bank_card_counts", total=found)
        cards = (*s.bank_cards, *s.loose)
        r.fate("loose.1", "bank")
        r.after(lying(s, {BANK: cards, "loose": ()}))
    elif len(s.bank_cards) > FIRST:
        raise NotRegulated("art. 19 speaks of a card too many only for a bank with two cards")
    else:
        r.pivot("19 s2", "bank_card_void", total=found)
        cards = s.bank_cards
        r.fate("loose.1", "discard")
        r.after(lying(s, {"loose": ()}, discard=s.loose))
    now, wrong = points(r.book, cards), points(r.book, (*s.bank_cards, *s.loose))
    r.number("bank_total", now, tempting=[wrong, found, low(r.book, cards), now + 10])


def _table(draw: Draw, book: Rulebook, difficulty: int, bank: tuple[str, ...], shoe: tuple[str, ...]) -> Situation:
    facts = dealt(draw, book, difficulty)
    seats = facts["seats"][: DEALT[difficulty]]
    return Situation(
        **facts | {"bets": tuple(bet for bet in facts["bets"] if bet.seat in seats)},
        hands=tuple(Hand(seat=seat, cards=draw.hand(draw.number(12, 20))) for seat in seats),
        bank_cards=bank,
        next=shoe,
        incident=BankToPlay(),
    )


def _after_two(draw: Draw, cards: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A bank's hand split into its first two cards and what the shoe gives, with more to come."""
    return cards[:FIRST], (*cards[FIRST:], *(draw.card() for _ in range(5 - len(cards))))


@case("bank", {BJ: "19 s1"})
def bank_stands(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Seventeen or more on two cards; harder: with an ace counted as eleven."""
    cards = draw.bank(draw.pick(STANDS[:-1]), cards=(2,), ace=difficulty >= 3)
    return _table(draw, book, difficulty, *_after_two(draw, cards))


@case("bank", {BJ: "19 s3"})
def bank_draws(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """One card is enough; harder: two."""
    cards = draw.bank(draw.pick((*STANDS, *OVER)), cards=(3,) if difficulty < 3 else (4,))
    return _table(draw, book, difficulty, *_after_two(draw, cards))


@case("bank", {BJ: "6 s2"})
def bank_ace(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """An ace counted as eleven stops the bank from seventeen on; above 21 it counts as one and the bank goes on."""
    cards = draw.bank(draw.pick(STANDS), cards=(3,) if difficulty < 3 else (3, 4), ace=True)
    return _table(draw, book, difficulty, *_after_two(draw, cards))


def _drawn(draw: Draw, book: Rulebook, difficulty: int, bank: tuple[str, ...]) -> Situation:
    facts = dealt(draw, book, difficulty)
    hands = tuple(Hand(seat=seat, cards=draw.hand(draw.number(12, 20))) for seat in facts["seats"])
    return Situation(**facts, hands=hands, bank_cards=bank, loose=(draw.card(),), incident=BankCardDrawn())


@case_table("faults", variant("bank_card_too_many", {BJ: "19 s2"}))
def _too_many(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two cards of seventeen or more; harder: seventeen with an ace."""
    totals = STANDS if difficulty <= 2 else STANDS[:2]
    ace = difficulty >= 3 or (difficulty == 2 and draw.chance(0.5))
    return _drawn(draw, book, difficulty, draw.bank(*totals, cards=(2,), ace=ace))


@case_table("faults", variant("bank_card_needed", {BJ: "19 s3"}))
def _needed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    totals = (12, 13, 14) if difficulty <= 2 else (15, 16)
    cards = draw.two(draw.pick(totals))
    if difficulty >= 4:
        cards = (draw.card("A"), draw.card("5"))
    return _drawn(draw, book, difficulty, cards)


@case("bank", {BJ: ("19 s2", "19 s3")})
def one_card_more(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The dealer has drawn a card for the bank that it needed, or that it may not have."""
    return _too_many(draw, book, difficulty) if draw.chance(0.5) else _needed(draw, book, difficulty)
