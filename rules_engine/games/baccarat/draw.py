"""Chance with cards that count as at baccarat."""

from collections import Counter

from rules_engine import draw
from rules_engine.equipment.cards import PACK, SUITS
from rules_engine.games.baccarat.cards import VALUES

BY_VALUE = {value: tuple(card for card in PACK if VALUES[card] == value) for value in range(10)}
FEWEST_PACKS = 6  # no text plays with fewer, so facts drawn from so many can be at any of their tables


class Draw(draw.Draw):
    """Draws cards too. They come from a real shoe: never more copies than packs."""

    def __init__(self, *seed: object) -> None:
        super().__init__(*seed)
        self._out: Counter[str] = Counter()

    def card(self, *values: int) -> str:
        """A card, worth one of the given values where any are given."""
        pool = BY_VALUE[self.pick(values)] if values else PACK
        return self._take([card for card in pool if self._out[card] < FEWEST_PACKS])

    def rank(self, *ranks: str) -> str:
        """A card of one of the given ranks."""
        return self._take([r + suit for r in ranks for suit in SUITS if self._out[r + suit] < FEWEST_PACKS])

    def _take(self, left: list[str]) -> str:
        card = self.pick(left)
        self._out[card] += 1
        return card

    def hand(self, score: int, cards: int = 2) -> tuple[str, ...]:
        """Cards that make a score. The last one is chosen to fit the others."""
        first = [self.card() for _ in range(cards - 1)]
        missing = (score - sum(VALUES[card] for card in first)) % 10
        return (*first, self.card(missing))
