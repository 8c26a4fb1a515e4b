"""The table of banca francesa as everybody sees it while a coup is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.banca_francesa.layout import SPOTS
from rules_engine.games.banca_francesa.null_throw import ThrowEnds
from rules_engine.games.banca_francesa.reading import DiceAtRest
from rules_engine.games.banca_francesa.setting import in_order
from rules_engine.games.banca_francesa.table import DICE, Bet, Incident, Situation
from rules_engine.games.banca_francesa.throw import ThrowPrepared
from rules_engine.games.layout_bets.live import VOIDED
from rules_engine.games.layout_bets.seen import Chips
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Scene, since_coup, with_facts

ACTS: tuple[DealerAct, ...] = ()
# What of the lasting facts everybody can see.
SEEN = ("seats",)


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The chips where they were seen to be put, and the dice of the last throw."""
    chips, dice, happened = Chips(SPOTS), tuple[int, ...](), tuple[Any, ...]()
    for event in since_coup(events):
        if event.what == "dice":
            dice = tuple(event.values["dice"])
            happened = tuple(event.values.get("lies", {}).get("happened", ()))
        elif event.says == VOIDED:
            dice, happened = (), ()
        elif event.what == "number":
            chips = Chips(SPOTS)
        elif event.what in ("chips", "put_right"):
            chips.moved(event)
    lies: Incident = ThrowEnds(happened=happened) if happened else DiceAtRest()
    thrown: Incident = lies if dice else ThrowPrepared(in_cup=DICE, through="chute", together=True)
    situation = Situation(
        seats=tuple(base["seats"]),
        minimum=book.table.minimum,
        dice=dice,
        incident=thrown,
    )
    return Scene(with_facts(situation, bets=in_order(chips.bets(_bet))), chips.stacks(), HOUSE)


def _bet(player: str, spot: str, count: int, value: int) -> Bet:
    return Bet(player=player, spot=spot, count=count, value=value)
