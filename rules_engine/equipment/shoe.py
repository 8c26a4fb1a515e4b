"""A shoe to draw from: cards for generators, never more copies of one than there are packs."""

from collections.abc import Sequence
from typing import ClassVar

from rules_engine import draw
from rules_engine.equipment.cards import SUITS


class Draw(draw.Draw):
    """Draws cards too. A game sets the least number of packs at its tables and adds draws by the value of cards."""

    packs: ClassVar[int]

    def __init__(self, *seed: object, after: draw.Draw | None = None) -> None:
        super().__init__(*seed, after=after)
        self._drawn: dict[str, int] = {}
        self._gone: set[str] = set()

    def of(self, pool: Sequence[str]) -> str:
        """One of these cards that the shoe still has."""
        card = self.pick([card for card in pool if card not in self._gone] if self._gone else pool)
        drawn = self._drawn[card] = self._drawn.get(card, 0) + 1
        if drawn == self.packs:
            self._gone.add(card)
        return card

    def rank(self, *ranks: str) -> str:
        """A card of one of the given ranks."""
        return self.of([rank + suit for rank in ranks for suit in SUITS])
