"""The cussec table as everybody sees it while a coup is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert

from rules_engine.authoring import Rulebook
from rules_engine.games.cussec.acts import NextAct
from rules_engine.games.cussec.chances import ZonesLit
from rules_engine.games.cussec.layout import LAYOUT
from rules_engine.games.cussec.null_coup import DomeLifted
from rules_engine.games.cussec.setting import in_order
from rules_engine.games.cussec.settlement import winning
from rules_engine.games.cussec.table import Bet, Incident, Situation
from rules_engine.games.layout_bets.live import VOIDED
from rules_engine.games.layout_bets.seen import Chips
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Scene, since_coup, with_facts

# The acts with the hands; what is said and paid is on the other pages of the palette.
ACTS = (
    DealerAct(
        "act", "choice", choices=("cover", "fasten", "press_lever", "ring_bell", "release", "lift", "light_zones")
    ),
)
# What of the lasting facts everybody can see.
SEEN = ("seats",)


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The chips where they were seen to be put, the dome, the dice, and the zones that the dealer has lit."""
    seen = _Seen()
    for event in since_coup(events):
        seen.read(event)
    situation = Situation(seats=tuple(base["seats"]), dice=seen.dice, incident=_moment(seen, book))
    facts: dict[str, Any] = {"bets": in_order(seen.chips.bets(_bet))}
    if seen.lies and not seen.lit:
        facts |= {"dice": (), "incident": seen.lies}
    return Scene(with_facts(situation, **facts), seen.chips.stacks(), HOUSE)


def _moment(seen: "_Seen", book: Rulebook) -> Incident:
    """An incident that is drawn as the apparatus is seen to be."""
    if not seen.dice:
        return NextAct(done="covered" if seen.covered else "paid")
    return ZonesLit(zones=tuple(winning(book, seen.dice)) if seen.lit else ())


class _Seen:
    """What was seen so far in a coup."""

    def __init__(self) -> None:
        self.chips = Chips(LAYOUT.spots)
        self.dice: tuple[int, ...] = ()
        self.covered = self.lit = False
        self.lies: DomeLifted | None = None

    def read(self, event: Event) -> None:
        if event.what == "dice":
            self.dice = tuple(event.values["dice"])
            lies = event.values.get("lies")
            self.lies = convert(lies, DomeLifted) if lies else None
        elif event.says == VOIDED:
            self.dice, self.lies = (), None
        elif event.what == "number":
            self.chips = Chips(LAYOUT.spots)
        elif event.what in ("chips", "put_right"):
            self.chips.moved(event)
        elif event.says == "lights" or event.values.get("value") == "cover":
            self.covered, self.lit, self.dice, self.lies = True, False, (), None
        elif event.values.get("value") == "light_zones":
            self.lit = True


def _bet(player: str, spot: str, count: int, value: int) -> Bet:
    place = LAYOUT.spots[spot]
    return Bet(player=player, chance=place.chance, numbers=place.numbers, count=count, value=value)
