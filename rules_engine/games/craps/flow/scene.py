"""The craps table as everybody sees it while a throw is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert

from rules_engine.authoring import Rulebook
from rules_engine.games.craps.dice import DiceHandled
from rules_engine.games.craps.layout import BOXES, SPOTS
from rules_engine.games.craps.setting import in_order
from rules_engine.games.craps.table import Bet, Incident, Situation
from rules_engine.games.craps.void_throw import DiceThrown
from rules_engine.games.layout_bets.live import VOIDED
from rules_engine.games.layout_bets.seen import Chips
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Scene, since_coup, with_facts

ACTS = (
    DealerAct("shooter", "place", gives=True),
    DealerAct("dice_act", "choice", choices=("check", "present")),
    DealerAct("marker", "choice"),
    DealerAct("dice_go", "choice"),
)
# What of the lasting facts everybody can see.
SEEN = ("seats", "bar", "point", "shooter", "bets")


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The chips where they were seen to be put, the dice, who was given them, and where the dealer put the marker."""
    seen = _Seen(base)
    for event in since_coup(events):
        seen.read(event)
    situation = Situation(
        seats=tuple(base["seats"]),
        minimum=book.table.minimum,
        bar=base["bar"],
        shooter=seen.shooter,
        dice=seen.dice,
        incident=seen.incident,
    )
    bets = in_order(seen.chips.bets(_bet))
    return Scene(with_facts(situation, point=seen.point, bets=bets), seen.chips.stacks(), HOUSE)


class _Seen:
    """What was seen so far in a throw."""

    def __init__(self, base: Mapping[str, Any]) -> None:
        self.chips = Chips(SPOTS, convert(base["bets"], tuple[Bet, ...]))
        self.people = {str(seat) for seat in base["seats"]}
        self.point: int | None = base["point"]
        self.shooter: str | None = base["shooter"]
        self.dice: tuple[int, ...] = ()
        self.incident: Incident = DiceHandled(done="taken_up")

    def read(self, event: Event) -> None:
        if event.what == "dice":
            self.dice = tuple(event.values["dice"])
            if lies := event.values.get("lies"):
                self.incident = convert(lies, DiceThrown)
        elif event.says == VOIDED:
            self.dice, self.incident = (), DiceHandled(done="taken_up")
        elif event.what in ("chips", "put_right"):
            self.chips.moved(event)
        elif event.says == "marker":
            value = str(event.values.get("value"))
            self.point = int(value) if value.isdecimal() and int(value) in BOXES else None
        elif event.says == "shooter" and event.to in self.people:
            self.shooter = event.to


def _bet(player: str, spot: str, count: int, value: int) -> Bet:
    place = SPOTS[spot]
    return Bet(player=player, chance=place.chance, number=sum(place.numbers), count=count, value=value)
