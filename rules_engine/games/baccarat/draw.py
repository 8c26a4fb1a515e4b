"""Draws cards by their value at baccarat."""

from typing import ClassVar

from rules_engine.authoring import PACK
from rules_engine.equipment import shoe
from rules_engine.games.baccarat.cards import VALUES

BY_VALUE = {value: tuple(card for card in PACK if VALUES[card] == value) for value in range(10)}


class Draw(shoe.Draw):
    packs: ClassVar[int] = 6  # the least in any text, so the facts drawn are possible at every table

    def card(self, *values: int) -> str:
        """A card of one of the given values, or any card if none are given."""
        return self.of(BY_VALUE[self.pick(values)] if values else PACK)

    def hand(self, score: int, cards: int = 2) -> tuple[str, ...]:
        """Cards that make a score. The last one is chosen to fit the others."""
        first = [self.card() for _ in range(cards - 1)]
        missing = (score - sum([VALUES[card] for card in first])) % 10
        return (*first, self.card(missing))
