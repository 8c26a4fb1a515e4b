"""What cards count at black jack: V 1, V 6, V 20 and V 32."""

from typing import Any

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook
from rules_engine.games.black_jack.table import ACE, Hand, Situation

FIGURES = "JQK"
TEN = "T"
PIPS = {rank: number for number, rank in enumerate("23456789T", start=2)}  # as printed on the card
FIRST = 2  # cards dealt to every hand


def worth(book: Rulebook, card: str) -> int:
    """What a card counts, an ace at its low value."""
    return low(book, (card,))


def low(book: Rulebook, cards: tuple[str, ...]) -> int:
    """The sum with every ace at its low value."""
    total = 0
    for card in cards:
        rank = card[0]
        total += PIPS.get(rank) or (book.param("ace")["low"] if rank == ACE else book.number("figure"))
    return total


def points(book: Rulebook, cards: tuple[str, ...], *, held: bool = False) -> int:
    """The best total: an ace counts high if the total stays within 21. `held`: not an ace among the first two cards or,
    by the other reading of V 32, none at all."""
    total = low(book, cards)
    free = cards if not held else () if book.reads("V32", "low") else cards[FIRST:]
    if any(card[0] == ACE for card in free):
        ace = book.param("ace")
        high = total + ace["high"] - ace["low"]
        return int(high) if high <= book.number("best") else total
    return total


def makes_black_jack(book: Rulebook, cards: tuple[str, ...]) -> bool:
    """Whether the first two cards are an ace and a ten or figure, even if they come from a split."""
    if len(cards) != FIRST:
        return False
    ranks = {cards[0][0], cards[1][0]}
    return ACE in ranks and bool(ranks & {TEN, *FIGURES})


def is_black_jack(s: Situation, hand: Hand, book: Rulebook) -> bool:
    """V 1 a; V 20 s2: never after a split."""
    return makes_black_jack(book, hand.cards) and not s.is_split(hand.seat)


def is_held(book: Rulebook, hand: Hand) -> bool:
    """V 32: whether the ace of a doubled hand stays at one."""
    if not hand.doubled:
        return False
    first = hand.cards[:FIRST]
    return any(card[0] == ACE for card in first) and low(book, first) in book.param("ace_stays_low")


def explain_held(r: Reasoning, hand: Hand, at: dict[str, Any]) -> None:
    """V 32: the ace stays at one, and what that means for another ace."""
    found, another = total(r.book, hand), any(card[0] == ACE for card in hand.cards[FIRST:])
    r.pivot("32", "ace_of_two_stays_low" if another else "ace_stays_low", total=found, **at)
    if another:
        text = "another_ace_low" if r.book.reads("V32", "low") else "another_ace_free"
        r.pivot("32 another-ace", text, total=found, **at)


def total(book: Rulebook, hand: Hand) -> int:
    return points(book, hand.cards, held=is_held(book, hand))


def bank_play(book: Rulebook, bank: tuple[str, ...], shoe: tuple[str, ...]) -> tuple[str, ...]:
    """The cards that the bank takes (V 19). The last one decides, so the shoe must contain it."""
    drawn = bank
    for card in shoe:
        if points(book, drawn) >= book.number("bank_stands_from"):
            break
        drawn = (*drawn, card)
    if points(book, drawn) < book.number("bank_stands_from"):
        raise ImpossibleFacts("next", "the shoe has too few cards for the bank")
    return drawn[len(bank) :]


def explain_bank(r: Reasoning, cards: tuple[str, ...], *, pivot: bool = False) -> None:
    """How the bank's cards count."""
    found, stands = points(r.book, cards), r.book.number("bank_stands_from")
    if makes_black_jack(r.book, cards):
        r.step("1 a", "bank_black_jack", cards=cards, pivot=pivot)
    elif any(card[0] == ACE for card in cards):
        high = found != low(r.book, cards)
        text = "bank_ace_low" if not high else "bank_ace_high" if found >= stands else "bank_ace_short"
        r.step("6 s2", text, cards=cards, total=found, stands=stands, pivot=pivot)
    else:
        r.step("6 s3", "bank_total", cards=cards, total=found, pivot=pivot)
