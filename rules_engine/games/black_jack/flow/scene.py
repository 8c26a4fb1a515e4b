"""The black jack table as everybody sees it while a coup is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.black_jack.last_coup import CoupToBegin
from rules_engine.games.black_jack.table import BANK, Bet, Hand, Situation
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Heaps, Piles, Scene, since_coup

SEAT = "seat"
ACTS = (
    DealerAct("goes_to", "place", gives=True, others=(*map(str, range(1, 8)), BANK)),
    DealerAct("asked", "place"),
    DealerAct("bank_draws", "number"),
)
# What of the lasting facts everybody can see.
SEEN = ("seats", "places", "packs")


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The bets as they were put down and the cards as they were seen."""
    hands = [f"{SEAT}{seat}" for seat in range(1, base["places"] + 1)]
    heaps, piles = Heaps(BANK, "loose", *hands), Piles()
    for event in since_coup(events):
        if event.what == "card":
            heaps.see(event)
        elif event.what in ("chips", "put_right"):
            piles.moved(event)
    bets = [stack for stack in piles.stacks() if stack.spot in hands]
    situation = Situation(
        seats=tuple(base["seats"]),
        places=base["places"],
        packs=base["packs"],
        minimum=book.table.minimum,
        hands=tuple(Hand(seat=_seat(name), cards=heaps.heap(name)) for name in hands if heaps.cards[name]),
        bets=tuple(Bet(player=one.player, seat=_seat(one.spot), amount=one.amount) for one in bets),
        bank_cards=heaps.heap(BANK),
        loose=heaps.heap("loose"),
        hidden=heaps.hidden((BANK, "loose")),
        incident=CoupToBegin(moment="not_out"),
    )
    return Scene(situation, piles.stacks(), HOUSE)


def _seat(name: str) -> int:
    return int(name.removeprefix(SEAT))
