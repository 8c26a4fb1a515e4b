"""A printed layout: its spots in the order of the cloth, and how facts and sentences name them."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from rules_engine.authoring import ImpossibleFacts, Spot

S = TypeVar("S", bound=Spot)


class Layout(Generic[S]):
    """The spots of one cloth, in printed order. `spots` has them by key, `keys` has the key by chance and numbers."""

    def __init__(self, spots: Iterable[S]) -> None:
        self.spots = {spot.key: spot for spot in spots}
        self.keys: dict[tuple[str, tuple[int, ...]], str] = {
            (spot.chance, spot.numbers): spot.key for spot in self.spots.values()
        }
        self._order = {key: index for index, key in enumerate(self.spots)}

    def find(self, chance: str, numbers: tuple[int, ...]) -> str | None:
        """The key of the spot for a bet; None if the cloth has no such spot. The numbers may come in any order."""
        return self.keys.get((chance, numbers)) or self.keys.get((chance, tuple(sorted(numbers))))

    def of_chance(self, *chances: str) -> tuple[S, ...]:
        """The spots that take bets on these chances."""
        return tuple(spot for spot in self.spots.values() if spot.chance in chances)

    def order(self, key: str) -> int:
        """The position of a spot in printed order."""
        return self._order[key]

    def in_order(self, keys: Iterable[str]) -> list[str]:
        """Sort keys in printed order."""
        return sorted(keys, key=self._order.__getitem__)

    def check(self, key: str, fact: str) -> None:
        """Raise ImpossibleFacts if the cloth has no such spot."""
        if key not in self.spots:
            raise ImpossibleFacts(fact, "the layout has no spot {spot}", spot=key)

    def named(self, key: str) -> dict[str, Any]:
        """The values that name a spot in a sentence: `{name:spot}{at}`."""
        name, _, numbers = key.partition(".")
        return {"spot": key, "name": name, "at": f" {numbers}" if numbers else ""}
