"""Chips on a cloth as everybody sees them, put together from the events of a live table."""

from collections.abc import Callable, Container, Iterable
from typing import TypeVar

from rules_engine.games.layout_bets.table import Bet
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, Stack

B = TypeVar("B")
Key = tuple[str, str, int]  # owner, spot, worth of a chip


class Chips:
    """How many chips of each worth lie where, while events are read."""

    def __init__(self, spots: Container[str], bets: Iterable[Bet] = ()) -> None:
        self.spots = spots
        self.found: dict[Key, int] = {(bet.player, bet.spot, bet.value): bet.count for bet in bets}

    def moved(self, event: Event) -> None:
        """Chips are put down, moved, taken back or collected. What the house pays does not lie on the cloth."""
        amount = event.amount or 0
        if event.by == HOUSE:
            return
        if event.to == HOUSE:
            self._take(event.by, str(event.values.get("spot", "")), amount)
            return
        count = int(event.values.get("count", 1)) or 1
        if gone := event.values.get("from"):
            self._take(event.by, str(gone), amount, first=amount // count)
        if event.to in self.spots and amount:
            key = event.by, event.to, amount // count
            self.found[key] = self.found.get(key, 0) + count

    def _take(self, player: str, spot: str, amount: int, first: int = 0) -> None:
        """Chips leave a spot, those of one worth before the others."""
        there = [key for key in self.found if key[:2] == (player, spot)]
        for key in sorted(there, key=lambda key: key[2] != first):
            gone = min(self.found[key], -(-amount // key[2]))
            amount -= gone * key[2]
            self.found[key] -= gone
            if not self.found[key]:
                del self.found[key]
            if amount <= 0:
                return

    def bets(self, made: Callable[[str, str, int, int], B]) -> tuple[B, ...]:
        """The bets, each made of its owner, spot, count and worth."""
        return tuple(made(player, spot, count, value) for (player, spot, value), count in self.found.items())

    def stacks(self) -> tuple[Stack, ...]:
        sums: dict[tuple[str, str], int] = {}
        for (player, spot, value), count in self.found.items():
            sums[player, spot] = sums.get((player, spot), 0) + count * value
        return tuple(Stack(player, amount, spot) for (player, spot), amount in sums.items())
