"""Dice: what they show, and every possible throw."""

from functools import cache
from itertools import product
from typing import Annotated

from msgspec import Meta

FACES = range(1, 7)
Face = Annotated[int, Meta(ge=1, le=6, description="what a die shows")]
Throw = tuple[int, ...]


@cache
def throws(dice: int) -> tuple[Throw, ...]:
    """Every throw of so many dice, all equally likely."""
    return tuple(product(FACES, repeat=dice))


def alike(throw: Throw) -> int:
    """How many dice of a throw show its most frequent face."""
    return max(map(throw.count, throw))
