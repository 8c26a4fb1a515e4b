"""What lies on a live table, put together from what everybody has seen: nothing else goes into the picture.

A game folds the events of a coup into a situation that can be drawn. Cards that nobody has seen are face down, whatever
they are: the picture has others in their place.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any, Literal, TypeVar

from msgspec import Struct, structs

from rules_engine.live.model import Event

# What lies face down in a picture: never the real card.
BLANK = ("2c", "3c", "4c", "5c", "6c", "7c")


Keeper = Literal["house", "bank"]
HOUSE: Keeper = "house"
BANK: Keeper = "bank"


class Stack(Struct, frozen=True, omit_defaults=True):
    """Chips of one player that lie on the table."""

    player: str
    amount: int
    spot: str = ""


class Scene(Struct, frozen=True):
    """A picture of the table. `keeper` is who takes lost stakes and pays won ones: the `house` or the `bank`."""

    situation: Any
    stacks: tuple[Stack, ...]
    keeper: Keeper


class DealerAct(Struct, frozen=True):
    """Something that a dealer can do at any time besides speaking and paying. `key` is that of the decision, `gives`
    tells passing something to somebody; the value is a `place` (of somebody at the table unless `others_only`, or one
    of `others`), a `number`, or one of the options of the question (`choices`: of these alone)."""

    key: str
    value: Literal["place", "number", "choice"]
    gives: bool = False
    others: tuple[str, ...] = ()
    others_only: bool = False
    choices: tuple[str, ...] = ()


class Piles:
    """Chips by owner and spot, while events are read."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], int] = {}

    def add(self, player: str, spot: str, amount: int) -> None:
        self.found[player, spot] = self.found.get((player, spot), 0) + amount

    def take(self, player: str, spot: str, amount: int) -> None:
        left = self.found.pop((player, spot), 0) - amount
        if left > 0:
            self.found[player, spot] = left

    def moved(self, event: Event) -> None:
        """Chips are put down, moved, taken back or collected. What the house pays does not lie on the cloth."""
        amount = event.amount or 0
        if event.to == HOUSE:
            self.take(event.by, str(event.values.get("spot", "")), amount)
        elif event.by != HOUSE:
            if gone := event.values.get("from"):
                self.take(event.by, str(gone), amount)
            if event.to:
                self.add(event.by, event.to, amount)

    def stacks(self) -> tuple[Stack, ...]:
        return tuple(Stack(player, amount, spot) for (player, spot), amount in self.found.items())


class Heaps:
    """Cards by heap, while events are read. A reference without a number is the next card of its heap."""

    def __init__(self, *names: str) -> None:
        self.cards: dict[str, list[str]] = {name: [] for name in names}

    def see(self, event: Event) -> None:
        name, _, number = event.to.partition(".")
        if name not in self.cards:
            return
        heap = self.cards[name]
        at = int(number) if number.isdecimal() else len(heap) + 1
        heap += [""] * (at - len(heap))
        heap[at - 1] = event.card or heap[at - 1]

    def heap(self, name: str) -> tuple[str, ...]:
        """Its cards, with others in place of those that nobody has seen."""
        return tuple(card or BLANK[at % len(BLANK)] for at, card in enumerate(self.cards[name]))

    def hidden(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{name}.{at}" for name in names for at, card in enumerate(self.cards[name], start=1) if not card)


def handed_back(events: Sequence[Event]) -> list[Event]:
    """The chips that players put down, moved or took with these events go back to where they were."""
    return [_reversed(event) for event in events if event.what == "chips"]


def _reversed(event: Event) -> Event:
    """`from` is where chips lay before; without it they came from the player's own."""
    counted = {name: value for name, value in event.values.items() if name == "count"}
    gone = {"from": event.to} if event.to else {}
    return structs.replace(event, to=str(event.values.get("from", "")), values=counted | gone)


S = TypeVar("S", bound=Struct)


def with_facts(situation: S, **facts: Any) -> S:
    """A picture with facts that the checks of a situation would refuse: at a running table chips may lie where they
    must not, and a dealer may put a marker anywhere."""
    found = copy(situation)
    for name, value in facts.items():
        structs.force_setattr(found, name, value)
    return found


def since_coup(events: Sequence[Event]) -> Sequence[Event]:
    """The events of the coup that is being played."""
    begun = max((at for at, event in enumerate(events) if event.what == "coup"), default=0)
    return events[begun:]
