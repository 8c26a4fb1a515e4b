"""What the hands count: V 1 a, 6 s1 to s3, 20 s2, 32."""

from collections.abc import Sequence
from typing import Any

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import BOOK, VALUED, Draw, Ranks
from rules_engine.games.black_jack.game import case, domain, rule
from rules_engine.games.black_jack.hands import (
    explain_bank,
    explain_held,
    is_black_jack,
    is_held,
    low,
    makes_black_jack,
    points,
    total,
)
from rules_engine.games.black_jack.setting import OVER, STANDS, own_bets, table, twice
from rules_engine.games.black_jack.table import ACE, Bet, Hand, Incident, Situation, check_bank, lying

domain("black_jack", "yes", "no")
TOTALS = (*range(12, 22),)


class HandsToCount(Incident, frozen=True, tag="hands_to_count"):
    """All cards lie open and the bank has drawn what it must; the hands are to be counted."""

    def check(self, situation: Situation) -> None:
        check_bank(situation, 2)
        if not situation.hands:
            raise ImpossibleFacts("hands", "no hand is dealt")


@rule(HandsToCount, BJ)
def hands_to_count(s: Situation, incident: HandsToCount, r: Reasoning) -> None:
    if points(r.book, s.bank_cards) < r.book.number("bank_stands_from"):
        raise ImpossibleFacts("bank_cards", "the bank has not drawn what it must")
    for name, hand in s.names().items():
        _explain(s, r, name, hand)
    explain_bank(r, s.bank_cards, pivot=True)
    for name, hand in s.names().items():
        found = total(r.book, hand)
        r.number(f"total.{name}", found, tempting=_wrong(r.book, hand.cards))
    for name, hand in s.names().items():
        r.choice(f"black_jack.{name}", "yes" if is_black_jack(s, hand, r.book) else "no")
    r.number("bank_total", points(r.book, s.bank_cards), tempting=_wrong(r.book, s.bank_cards))
    r.after(lying(s))


def _wrong(book: Rulebook, cards: tuple[str, ...]) -> list[int]:
    """An ace counted the other way, a figure miscounted, a card left out."""
    small, best = low(book, cards), points(book, cards)
    return [small, small + 10, best + 1, best - 1]


def _explain(s: Situation, r: Reasoning, name: str, hand: Hand) -> None:
    at, found = s.named(name), total(r.book, hand)
    if is_held(r.book, hand):
        explain_held(r, hand, at)
    elif is_black_jack(s, hand, r.book):
        r.pivot("1 a", "is_black_jack", **at)
    elif makes_black_jack(r.book, hand.cards):
        r.pivot("20 s2", "split_twenty_one", **at)
    elif any(card[0] == ACE for card in hand.cards):
        high = found != low(r.book, hand.cards)
        r.pivot("6 s1", "ace_high" if high else "ace_low", total=found, **at)
    else:
        r.pivot("6 s3", "adds_up", cards=hand.cards, total=found, **at)


def _bank(draw: Draw, difficulty: int, hands: Sequence[Hand]) -> tuple[str, ...]:
    """A bank's hand. Beside black jack it shows an ace or a ten, because otherwise the black jack was paid already."""
    if difficulty >= 3 and draw.chance(0.2):
        return draw.black_jack()
    return draw.bank(draw.pick((*STANDS, *(OVER if difficulty >= 2 else ()))), opened=_opened(hands))


def _opened(hands: Sequence[Hand]) -> str:
    return "AT" if any(makes_black_jack(BOOK, hand.cards) for hand in hands) else VALUED


def _counted(draw: Draw, facts: dict[str, Any], difficulty: int, first: tuple[Hand, ...]) -> Situation:
    """These hands, and as many more as the difficulty asks for, each at its seat with a bet."""
    seats = facts["seats"]
    own = first[0].seat
    rest = [seat for seat in seats if seat != own][: difficulty - 1]
    others = [Hand(seat=seat, cards=_some(draw, difficulty)) for seat in rest]
    hands = tuple(sorted([*first, *others], key=lambda hand: hand.seat))
    bets = own_bets(draw, facts, sorted({hand.seat for hand in hands}))
    bets = [twice(bet) if first[0].doubled and bet.seat == own else bet for bet in bets]
    staked = next(bet.amount for bet in bets if bet.seat == own)
    bets += [Bet(player=str(own), seat=own, hand=number, amount=staked) for number in range(2, len(first) + 1)]
    return Situation(
        **facts, hands=hands, bets=tuple(bets), bank_cards=_bank(draw, difficulty, hands), incident=HandsToCount()
    )


def _some(draw: Draw, difficulty: int) -> tuple[str, ...]:
    return draw.black_jack() if draw.chance(0.3) else draw.hand(draw.pick(TOTALS), (2, 3, 4)[: 1 + difficulty // 2])


@case("hands", {BJ: "6 s1"})
def ace_counts(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """High and low aces; harder with more cards."""
    facts = table(draw, book, difficulty)
    counts = (2,) if difficulty == 1 else (2, 3) if difficulty <= 3 else (3, 4)
    cards = draw.hand(draw.pick(TOTALS[1:]), counts, ace=True)
    return _counted(draw, facts, difficulty, (Hand(seat=draw.pick(facts["seats"]), cards=cards),))


@case("hands", {BJ: "6 s3"})
def figures_count(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    cards: tuple[str, ...] = (draw.rank("J", "Q", "K"), draw.card("23456789"))
    if difficulty >= 3 and points(book, cards) <= 16:
        cards = (*cards, draw.card("2345"))
    return _counted(draw, facts, difficulty, (Hand(seat=draw.pick(facts["seats"]), cards=cards),))


@case("hands", {BJ: "1 a"})
def black_jack_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Black jack; harder: beside a 21 of more than two cards."""
    facts = table(draw, book, difficulty, least=2)
    seat, other = draw.sample(facts["seats"], 2)
    first = (Hand(seat=seat, cards=draw.black_jack()),)
    if difficulty < 3:
        return _counted(draw, facts, difficulty, first)
    facts["seats"] = tuple(sorted({*facts["seats"]} - {other}))
    made = _counted(draw, facts, difficulty - 1, first)
    hands = (*made.hands, Hand(seat=other, cards=draw.hand(21, (3,))))
    return Situation(
        **facts | {"seats": tuple(sorted((*facts["seats"], other)))},
        hands=tuple(sorted(hands, key=lambda hand: hand.seat)),
        bets=(*made.bets, *own_bets(draw, facts, (other,))),
        bank_cards=made.bank_cards,
        incident=HandsToCount(),
    )


@case("hands", {BJ: "20 s2"})
def twenty_one_after_split(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A pair of aces or tens was split, and one hand or both made ace and ten."""
    facts = table(draw, book, difficulty)
    seat = draw.pick(facts["seats"])
    kept, fit = draw.pick((("A", "T"), ("T", "A")))
    first = Hand(seat=seat, cards=(draw.card(kept), draw.card(fit)))
    second = Hand(seat=seat, cards=(draw.card(kept), draw.card(fit if draw.chance(0.3) else "56789")))
    return _counted(draw, facts, max(1, difficulty - 1), tuple(draw.shuffled((first, second))))


@case("hands", {BJ: "6 s2"})
def bank_with_ace(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bank's ace counts as eleven, or as one."""
    facts = table(draw, book, difficulty)
    made = _counted(draw, facts, difficulty, (Hand(seat=draw.pick(facts["seats"]), cards=_some(draw, difficulty)),))
    high: tuple[Ranks, ...] = (("A", "6"), ("A", "7"), ("A", "8"), ("A", "9"))
    # Some aces have to count as one, some do not.
    mixed: tuple[Ranks, ...] = (
        ("A", "5", "T", "9"),
        ("A", "2", "T", "6"),
        ("6", "T", "A"),
        ("A", "4", "3"),
        ("2", "A", "4"),
    )
    opened = _opened(made.hands)
    bank = draw.cards(draw.pick([ranks for ranks in (high if difficulty <= 2 else mixed) if ranks[0] in opened]))
    return Situation(**facts, hands=made.hands, bets=made.bets, bank_cards=bank, incident=HandsToCount())


@case("hands", {BJ: "32"})
def ace_held_when_doubled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """An ace with eight or nine was doubled as 9 or 10, and a third card came."""
    facts = table(draw, book, difficulty)
    first = draw.shuffled((draw.card("A"), draw.card("89")))
    hand = Hand(
        seat=draw.pick(facts["seats"]), cards=(*first, draw.card("23456T" if difficulty < 3 else "23T")), doubled=True
    )
    return _counted(draw, facts, difficulty, (hand,))
