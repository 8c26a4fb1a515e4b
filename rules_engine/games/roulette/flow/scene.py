"""The roulette table as everybody sees it while a spin is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.layout_bets.seen import Chips
from rules_engine.games.roulette.closing import BetsMade
from rules_engine.games.roulette.layout import SPOTS
from rules_engine.games.roulette.spin import BallComesDown
from rules_engine.games.roulette.table import Bet, ColourChips, Situation, bet_on
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Scene, since_coup

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
        "bets": seen.chips.bets(_bet),
        "previous": base["last"] if seen.ball is None else None,
    }
    if base["colours"]:
        facts |= {"colours": tuple(ColourChips(**one) for one in base["colours"]), "face_value": True}
    if seen.ball is not None and seen.marked is None:
        situation = Situation(**facts, incident=BallComesDown(number=seen.ball, ball="settled"))
    else:
        situation = Situation(**facts, number=seen.marked, incident=BetsMade())
    return Scene(situation, seen.chips.stacks(), HOUSE)


class _Seen:
    """What was seen so far in a spin."""

    def __init__(self) -> None:
        self.chips = Chips(SPOTS)
        self.ball: int | None = None
        self.marked: int | None = None

    def read(self, event: Event) -> None:
        if event.what == "ball" and event.says == "lies":
            self.ball = int(event.to)
        elif event.what == "number":
            self.chips = Chips(SPOTS)
            self.ball = self.marked = event.amount
        elif event.says == "marker" and isinstance(value := event.values.get("value"), int) and 0 <= value <= 36:
            self.marked = value
            self.ball = value if self.ball is None else self.ball
        elif event.what in ("chips", "put_right"):
            self.chips.moved(event)


def _bet(player: str, spot: str, count: int, value: int) -> Bet:
    return bet_on(spot, player, count, value)
