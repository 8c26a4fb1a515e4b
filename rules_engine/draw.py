"""Chance for generators: the same seed gives the same facts on every machine and Python version.

Only `Random.random()` is promised to stay the same between Python versions, so everything is built on that.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from rules_engine.cards import PACK, SUITS, VALUES

T = TypeVar("T")
BY_VALUE = {value: tuple(card for card in PACK if VALUES[card] == value) for value in range(10)}


class Draw:
    """Draws numbers, members and cards. Cards come from a real shoe: never more copies than packs."""

    def __init__(self, *seed: object, decks: int = 6) -> None:
        self._random = Random("|".join(map(str, seed))).random
        self._decks = decks
        self._out: Counter[str] = Counter()

    def number(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random() * len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        return self.shuffled(items)[:count]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        pool = list(items)
        for last in range(len(pool) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            pool[last], pool[other] = pool[other], pool[last]
        return pool

    def card(self, *values: int) -> str:
        """A card, worth one of the given values where any are given."""
        pool = BY_VALUE[self.pick(values)] if values else PACK
        left = [card for card in pool if self._out[card] < self._decks]
        card = self.pick(left)
        self._out[card] += 1
        return card

    def rank(self, *ranks: str) -> str:
        """A card of one of the given ranks."""
        left = [r + suit for r in ranks for suit in SUITS if self._out[r + suit] < self._decks]
        card = self.pick(left)
        self._out[card] += 1
        return card

    def hand(self, score: int, cards: int = 2) -> tuple[str, ...]:
        """Cards that make a score. The last one is chosen to fit the others."""
        first = [self.card() for _ in range(cards - 1)]
        missing = (score - sum(VALUES[card] for card in first)) % 10
        return (*first, self.card(missing))
