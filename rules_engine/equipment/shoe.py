"""A shoe to draw from: cards for generators, never more copies of one than there are packs."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from rules_engine import draw
from rules_engine.equipment.cards import SUITS


class Draw(draw.Draw):
    """Draws cards too. A game sets the least number of packs at its tables and adds draws by the value of cards."""

    packs: ClassVar[int]

    def __init__(self, *seed: object) -> None:
        super().__init__(*seed)
        self._out: Counter[str] = Counter()

    def of(self, pool: Sequence[str]) -> str:
        """One of these cards that the shoe still has."""
        card = self.pick([card for card in pool if self._out[card] < self.packs])
        self._out[card] += 1
        return card

    def rank(self, *ranks: str) -> str:
        """A card of one of the given ranks."""
        return self.of([rank + suit for rank in ranks for suit in SUITS])
