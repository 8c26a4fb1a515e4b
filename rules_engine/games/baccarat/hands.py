"""A table with a ponto's hand and a banker's, how a ruling leaves their cards, and what can be decided about them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rules_engine.equipment.cards import Card, CardTable
from rules_engine.game import Game
from rules_engine.ruling import After, Payment
from rules_engine.situation import Pointer

SIDES = ("ponto", "banker")
# A fate is given to the card pointed at; pointing at a hand says that it wins.
POINTING: Mapping[str, Pointer] = {"fate": "card", "winner": "heap"}
DRAW_KEYS = {"t": "must_draw", "f": "must_stand", "o": "may_choose"}
KEYS = {"banker_draw": DRAW_KEYS, "ponto_draw": DRAW_KEYS}


class TwoHands(CardTable, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Two hands on the cloth, besides what is loose or still in the shoe."""

    heap_facts: ClassVar[Mapping[str, str]] = {
        "ponto": "ponto",
        "banker": "banker_cards",
        "loose": "loose",
        "next": "next",
    }

    ponto: tuple[Card, ...] = ()
    banker_cards: tuple[Card, ...] = ()

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """A score names the whole hand that makes it."""
        if name in SIDES and isinstance(value, int) and kind in ("score", ""):
            return [f"{name}.{number}" for number in range(1, len(self.heap(name)) + 1)]
        return super().pointed(name, kind, value)


def lying(
    *,
    ponto: tuple[str, ...] = (),
    banker: tuple[str, ...] = (),
    burned: tuple[str, ...] = (),
    next_coup: tuple[str, ...] = (),
    shoe: tuple[str, ...] = (),
    payments: tuple[Payment, ...] = (),
) -> After:
    """Where every card lies when the coup is over, and the chips that changed hands."""
    heaps = {"ponto": ponto, "banker": banker, "burned": burned, "next_coup": next_coup, "shoe": shoe}
    return After(heaps={name: cards for name, cards in heaps.items() if cards}, payments=payments)


def declare(game: Game[Any]) -> None:
    """What is decided in the same words at both games."""
    game.domain("coup", "stands", "restored", "annulled")
    game.domain("winner", "ponto", "banker", "tie", "nobody")
    game.domain("banker_draw", "must_draw", "must_stand", "may_choose")
    game.domain("ponto_draw", "must_draw", "must_stand", "may_choose")
    game.domain("fate", "ponto", "banker", "burned", "next_coup", "shoe")
