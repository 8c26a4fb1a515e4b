"""The table of banca francesa as everybody sees it while a coup is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.banca_francesa.layout import SPOTS
from rules_engine.games.banca_francesa.reading import DiceAtRest
from rules_engine.games.banca_francesa.setting import in_order
from rules_engine.games.banca_francesa.table import DICE, Bet, Incident, Situation
from rules_engine.games.banca_francesa.throw import ThrowPrepared
from rules_engine.games.layout_bets.seen import Chips
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Scene, Stack, since_coup

ACTS: tuple[DealerAct, ...] = ()
# What of the lasting facts everybody can see.
SEEN = ("seats",)


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The chips where they were seen to be put, and the dice of the last throw."""
    chips, dice = Chips(SPOTS), tuple[int, ...]()
    for event in since_coup(events):
        if event.what == "dice":
            dice = tuple(event.values["dice"])
        elif event.what == "number":
            chips = Chips(SPOTS)
        elif event.what in ("chips", "put_right"):
            chips.moved(event)
    thrown: Incident = DiceAtRest() if dice else ThrowPrepared(in_cup=DICE, through="chute", together=True)
    situation = Situation(
        seats=tuple(base["seats"]),
        minimum=book.table.minimum,
        bets=in_order(_bet(stack, book.table.minimum) for stack in chips.stacks()),
        dice=dice,
        incident=thrown,
    )
    return Scene(situation, chips.stacks(), HOUSE)


def _bet(stack: Stack, minimum: int) -> Bet:
    """The chips of a player on a spot, counted in least bets if they come out even."""
    value = minimum if stack.amount % minimum == 0 else 1
    return Bet(player=stack.player, spot=stack.spot, count=stack.amount // value, value=value)
