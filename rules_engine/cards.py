"""Cards and how they count: the part that every baccarat rulebook shares."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

RANKS = "A23456789TJQK"
SUITS = "shdc"
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)

Card = Annotated[str, Meta(pattern="^[A2-9TJQK][shdc]$", description="rank then suit: Th is the ten of hearts")]

# A ten shows ten pips; it scores nothing because only the last digit of a sum counts.
PIPS = {rank: index + 1 for index, rank in enumerate(RANKS[:10])} | {"J": 0, "Q": 0, "K": 0}
VALUES = {card: PIPS[card[0]] % 10 for card in PACK}


def value(card: str) -> int:
    """What one card adds to a score: 0 to 9."""
    return VALUES[card]


def score(cards: Iterable[str]) -> int:
    """The score of some cards: the last digit of the sum of their values."""
    return sum(VALUES[card] for card in cards) % 10


def is_natural(cards: tuple[str, ...]) -> bool:
    """Eight or nine on the first two cards."""
    return len(cards) == 2 and score(cards) >= 8
