"""Randomness for generators: the same seed gives the same facts on every machine and Python version.

Python promises only that `Random.random()` stays the same between versions, so everything is built on it.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class Draw:
    """Draws numbers and members of a list. A game with a shoe or a wheel may extend it."""

    def __init__(self, *seed: object, after: "Draw | None" = None) -> None:
        """From a seed, or a fresh start that goes on with the random numbers of another draw: seeding takes long."""
        self._random: Callable[[], float] = after._random if after else Random("|".join(map(str, seed))).random

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
        pool, random = list(items), self._random
        for last in range(len(pool) - 1, 0, -1):
            other = int(random() * (last + 1))
            pool[last], pool[other] = pool[other], pool[last]
        return pool


class Drawn:
    """An argument in a case table that is drawn anew for every situation, from the draw, the rulebook and the level.
    Usually made by `one_of`, `between` or `chance`."""

    def __init__(self, value: Callable[[Any, Any, int], Any]) -> None:
        self.value = value


def one_of(*options: Any) -> Drawn:
    return Drawn(lambda draw, book, level: draw.pick(options))


def between(low: int, high: int) -> Drawn:
    """A whole number from low to high, both included."""
    return Drawn(lambda draw, book, level: draw.number(low, high))


def chance(probability: float) -> Drawn:
    return Drawn(lambda draw, book, level: draw.chance(probability))
