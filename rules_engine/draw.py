"""Chance for generators: the same seed gives the same facts on every machine and Python version.

Only `Random.random()` is promised to stay the same between Python versions, so everything is built on that.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class Draw:
    """Draws numbers and members. A game whose facts come out of a shoe or off a wheel may draw those too."""

    def __init__(self, *seed: object) -> None:
        self._random = Random("|".join(map(str, seed))).random

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


class Drawn:
    """An argument in a case table that is drawn anew for every situation: a function of the draw, the rulebook and the
    level. `one_of`, `between` and `chance` make the usual ones."""

    def __init__(self, value: Callable[[Any, Any, int], Any]) -> None:
        self.value = value


def one_of(*options: Any) -> Drawn:
    return Drawn(lambda draw, book, level: draw.pick(options))


def between(low: int, high: int) -> Drawn:
    """A whole number from low to high, both included."""
    return Drawn(lambda draw, book, level: draw.number(low, high))


def chance(probability: float) -> Drawn:
    """True or False."""
    return Drawn(lambda draw, book, level: draw.chance(probability))
