"""A wheel: its pockets in order, and which are neighbours."""

from collections.abc import Sequence

from rules_engine.errors import ImpossibleFacts


def index_of(order: Sequence[int], number: int) -> int:
    try:
        return order.index(number)
    except ValueError:
        raise ImpossibleFacts("number", "{number} is not on the wheel", number=number) from None


def beside(order: Sequence[int], number: int, steps: int = 1) -> int:
    """The number so many pockets further round, in the written order; backwards if negative."""
    return order[(index_of(order, number) + steps) % len(order)]


def neighbours(order: Sequence[int], number: int) -> tuple[int, int]:
    """The numbers on both sides: the one before, then the one after."""
    return beside(order, number, -1), beside(order, number)


def stretch(order: Sequence[int], middle: int, reach: int) -> tuple[int, ...]:
    """A number and so many on each side, in the order of the wheel."""
    return tuple(beside(order, middle, step) for step in range(-reach, reach + 1))


def alternating(order: Sequence[int], first: int) -> frozenset[int]:
    """Every second number round the wheel, starting with a given one: those of one colour where colours alternate."""
    start = index_of(order, first)
    return frozenset(order[(start + step) % len(order)] for step in range(0, len(order) - 1, 2))
