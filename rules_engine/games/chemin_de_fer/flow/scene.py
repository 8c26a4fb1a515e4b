"""The chemin de fer table as everybody sees it while a coup is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.chemin_de_fer.settlement.hand_calls import HandMoment
from rules_engine.games.chemin_de_fer.table import Situation, Stake
from rules_engine.live.model import Event
from rules_engine.live.scene import BANK, DealerAct, Heaps, Piles, Scene, since_coup

HEAPS = ("ponto", "banker", "loose")
ACTS = (
    DealerAct("cards_to", "place", gives=True),
    DealerAct("bank_to", "place", gives=True),
    DealerAct("burn_count", "number"),
    DealerAct("cagnotte", "number"),
    DealerAct("into_chips", "number"),
)
# What of the lasting facts everybody can see.
SEEN = ("seats", "standing", "banker")


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The bank and the stakes as they were put up, the cards as they were seen, and who was given the cards."""
    seen = _Seen(base["banker"])
    for event in since_coup(events):
        seen.read(event)
    people = {*map(str, base["seats"]), *base["standing"]}
    stakes = tuple(
        Stake(stack.player, stack.amount, stack.player in seen.lines)
        for stack in seen.piles.stacks()
        if stack.player in people and stack.player != base["banker"]
    )
    situation = Situation(
        seats=tuple(base["seats"]),
        standing=tuple(base["standing"]),
        banker=base["banker"],
        bank=max(0, seen.bank),
        stakes=stakes,
        holder=seen.holder if seen.holder in people else None,
        ponto=seen.heaps.heap("ponto"),
        banker_cards=seen.heaps.heap("banker"),
        loose=seen.heaps.heap("loose"),
        hidden=seen.heaps.hidden(HEAPS),
        incident=HandMoment(event="shoe_begins"),
    )
    return Scene(situation, seen.piles.stacks(), BANK)


class _Seen:
    """What was seen so far in a coup."""

    def __init__(self, banker: str) -> None:
        self.banker, self.bank, self.holder = banker, 0, ""
        self.piles, self.heaps = Piles(), Heaps(*HEAPS)
        self.lines: set[str] = set()

    def read(self, event: Event) -> None:
        if event.what == "card":
            self.heaps.see(event)
        elif event.what in ("chips", "put_right"):
            self._moved(event, event.amount or 0)
        elif event.by == "croupier" and event.says == "cards_to" and event.to != self.banker:
            self.holder = event.to

    def _moved(self, event: Event, amount: int) -> None:
        if event.to == BANK and event.by in (BANK, self.banker):
            self.bank = amount
        elif event.to == BANK:
            self.piles.take(event.by, "", amount)
            self.bank += amount
        elif event.by == BANK:
            self.bank -= amount
        elif not event.to:
            self.piles.take(event.by, "", amount)
        elif event.to in (event.by, "line"):
            self.piles.add(event.by, "", amount)
            self.lines |= {event.by} if event.to == "line" else set()
