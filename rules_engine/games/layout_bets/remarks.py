"""What is odd but possible about chips on a layout, for the author."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules_engine.authoring import Remark
from rules_engine.games.layout_bets.table import LayoutTable


def below_minimum(s: LayoutTable[Any], minimum: int) -> Iterator[Remark]:
    """Bets of less than the least bet of the table."""
    staked: Counter[tuple[str, str]] = Counter()
    for bet in s.bets:
        staked[bet.player, bet.spot] += bet.amount
    for index, bet in enumerate(s.bets):
        amount = staked[bet.player, bet.spot]
        if amount < minimum:
            values = {"player": bet.player, "amount": amount, "minimum": minimum, **s.layout.named(bet.spot)}
            yield Remark("bet_below_minimum", f"bets[{index}]", values)
