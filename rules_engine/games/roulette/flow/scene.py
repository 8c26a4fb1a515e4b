"""The roulette table as everybody sees it while a spin is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.roulette.closing import BetsMade
from rules_engine.games.roulette.layout import SPOTS
from rules_engine.games.roulette.spin import BallComesDown
from rules_engine.games.roulette.table import Bet, ColourChips, Situation, bet_on
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Scene, Stack, since_coup

ACTS = (DealerAct("throw", "choice"), DealerAct("plate_turn", "choice"), DealerAct("marker", "number"))
# What of the lasting facts everybody can see.
SEEN = ("seats", "colours", "last")


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The chips where they were seen to be put, the ball, and the number that the dealer marked."""
    seen = _Seen()
    for event in since_coup(events):
        seen.read(event)
    facts: dict[str, Any] = {
        "seats": tuple(base["seats"]),
        "minimum": book.table.minimum,
        "bets": seen.bets(),
        "previous": base["last"] if seen.ball is None else None,
    }
    if base["colours"]:
        facts |= {"colours": tuple(ColourChips(**one) for one in base["colours"]), "face_value": True}
    if seen.ball is not None and seen.marked is None:
        situation = Situation(**facts, incident=BallComesDown(number=seen.ball, ball="settled"))
    else:
        situation = Situation(**facts, number=seen.marked, incident=BetsMade())
    return Scene(situation, seen.stacks(), HOUSE)


class _Seen:
    """What was seen so far in a spin: how many chips of each value lie where."""

    def __init__(self) -> None:
        self.chips: dict[tuple[str, str, int], int] = {}
        self.ball: int | None = None
        self.marked: int | None = None

    def read(self, event: Event) -> None:
        if event.what == "ball" and event.says == "lies":
            self.ball = int(event.to)
        elif event.what == "number":
            self.chips.clear()
            self.ball = self.marked = event.amount
        elif event.says == "marker" and isinstance(value := event.values.get("value"), int) and 0 <= value <= 36:
            self.marked = value
            self.ball = value if self.ball is None else self.ball
        elif event.what in ("chips", "put_right"):
            self._moved(event)

    def _moved(self, event: Event) -> None:
        amount = event.amount or 0
        if event.by == HOUSE or event.to == HOUSE:
            if event.to == HOUSE:
                self._take(event.by, str(event.values.get("spot", "")), amount)
            return
        if gone := event.values.get("from"):
            self._take(event.by, str(gone), amount)
        count = int(event.values.get("count", 1)) or 1
        if event.to in SPOTS and amount:
            key = event.by, event.to, amount // count
            self.chips[key] = self.chips.get(key, 0) + count

    def _take(self, player: str, spot: str, amount: int) -> None:
        for key in [key for key in self.chips if key[:2] == (player, spot)]:
            gone = min(self.chips[key], -(-amount // key[2]))
            amount -= gone * key[2]
            self.chips[key] -= gone
            if not self.chips[key]:
                del self.chips[key]
            if amount <= 0:
                return

    def bets(self) -> tuple[Bet, ...]:
        return tuple(bet_on(spot, player, count, value) for (player, spot, value), count in self.chips.items())

    def stacks(self) -> tuple[Stack, ...]:
        sums: dict[tuple[str, str], int] = {}
        for (player, spot, value), count in self.chips.items():
            sums[player, spot] = sums.get((player, spot), 0) + count * value
        return tuple(Stack(player, amount, spot) for (player, spot), amount in sums.items())
