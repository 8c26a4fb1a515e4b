"""The ponto e banca table as everybody sees it while a coup is played."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from rules_engine.authoring import Rulebook
from rules_engine.games.ponto_banca.handling import CardsToHandle
from rules_engine.games.ponto_banca.house import kind_of_table
from rules_engine.games.ponto_banca.setting import by_place
from rules_engine.games.ponto_banca.table import SIDES, Bet, Chance, Situation
from rules_engine.live.model import Event
from rules_engine.live.scene import HOUSE, DealerAct, Heaps, Piles, Scene, since_coup, with_facts

HEAPS = (*SIDES, "loose")
CHANCES = get_args(Chance)
SCORES = tuple(map(str, range(10)))
ACTS = (
    DealerAct("goes_to", "place", gives=True, others=SIDES, others_only=True),
    DealerAct("turned_first", "choice"),
    DealerAct("ponto_score", "number", choices=SCORES),
    DealerAct("banker_score", "number", choices=SCORES),
    DealerAct("winner", "choice"),
    DealerAct("handler.ponto", "place", gives=True, others=("croupier",)),
    DealerAct("handler.banker", "place", gives=True, others=("croupier",)),
    DealerAct("burn_count", "number"),
    DealerAct("warning_card", "number"),
    DealerAct("opening_burn", "number"),
)
# What of the lasting facts everybody can see.
SEEN = ("seats", "standing", "lying")


def scene(base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
    """The bets as they were put down and the cards as they were seen."""
    heaps, piles = Heaps(*HEAPS), Piles()
    for bet in base["lying"]:
        piles.add(bet["player"], bet["on"], bet["amount"])
    for event in since_coup(events):
        if event.what == "card":
            heaps.see(event)
        elif event.what in ("chips", "put_right"):
            piles.moved(event)
    situation = Situation(
        seats=tuple(base["seats"]),
        standing=tuple(base["standing"]),
        minimum=book.table.minimum,
        table=kind_of_table(book.table, book),
        incident=CardsToHandle(),
    )
    picture = with_facts(
        situation,
        bets=by_place(Bet(one.player, one.spot, one.amount) for one in piles.stacks() if one.spot in CHANCES),  # type: ignore[arg-type]
        ponto=heaps.heap("ponto"),
        banker_cards=heaps.heap("banker"),
        loose=heaps.heap("loose"),
        hidden=heaps.hidden(HEAPS),
    )
    return Scene(picture, piles.stacks(), HOUSE)
