"""Sums paid in chips: how such a payment is written, and whether it takes more chips than needed."""

import re
from collections.abc import Iterable

# Chips of one value: how many, and their value. `3×100 + 2×5` is a payment of 310.
STACK = r"\d{1,4}\s*[×x*]\s*\d{1,8}"
PAYMENT = re.compile(rf"\s*{STACK}(?:\s*\+\s*{STACK})*\s*")
Chips = dict[int, int]


def chips_in(text: str) -> Chips | None:
    """The chips of a payment written as `3×100 + 2×5`, as counts by value; None if it is not written like that."""
    if not PAYMENT.fullmatch(text):
        return None
    found: Chips = {}
    for stack in text.split("+"):
        count, value = map(int, re.split("[×x*]", stack))
        found[value] = found.get(value, 0) + count
    return found


def could_pay(chips: Chips, values: Iterable[int]) -> bool:
    """Whether a table with these chips has all of them; where the values are not known, whether they are usual ones.
    Otherwise `35×15` would have the sum worked out for whoever writes it."""
    known = frozenset(values)
    return all(value in known if known else str(value).rstrip("0") in ("1", "2", "5") for value in chips)


def worth(chips: Chips) -> int:
    return sum(value * count for value, count in chips.items())


def usual(amount: int, values: Iterable[int]) -> Chips:
    """An amount in the chips of a table as a dealer pays it: as many of the largest as go in, then of the next."""
    found: Chips = {}
    for value in sorted(values, reverse=True):
        count, amount = divmod(amount, value)
        if count:
            found[value] = count
    return found


def awkward(chips: Chips, values: Iterable[int]) -> Chips:
    """The usual payment if it takes fewer chips than these, else nothing."""
    better = usual(worth(chips), values)
    return better if worth(better) == worth(chips) and sum(better.values()) < sum(chips.values()) else {}
