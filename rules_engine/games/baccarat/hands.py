"""A table with a ponto's hand and a banker's, where a ruling leaves their cards, and what can be decided about them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rules_engine.authoring import After, Card, CardTable, Game, Payment, Pointer, Sentence

Unknown = Mapping[str, Mapping[str, tuple[str, ...]]]

SIDES = ("ponto", "banker")
# A fate is given to the card pointed at; pointing at a hand says that it wins.
POINTING: Mapping[str, Pointer] = {"fate": "card", "winner": "heap"}
BOUND_KEYS = {"t": "must_draw", "f": "must_stand"}
FREE_KEYS = {**BOUND_KEYS, "o": "may_choose"}
KEYS = {"banker_draw": FREE_KEYS, "ponto_draw": FREE_KEYS}


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

    def about(self, name: str, ref: str) -> Sentence:
        """Where two cards have the same name, the question says where the one it means lies."""
        sentence, values = super().about(name, ref)
        if sentence == "question.fate":
            shown = [self.card(other) for other in self._refs() if other not in self.hidden]
            if shown.count(values["card"]) > 1:
                heap, _, number = ref.partition(".")
                return "question.fate_of_two", {"card": values["card"], "heap": heap, "number": number}
        return sentence, values

    def _refs(self) -> list[str]:
        return [f"{name}.{number}" for name, heap in self.heaps().items() for number in range(1, len(heap) + 1)]

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
    heaps: dict[str, tuple[str, ...]] = {}
    if ponto:
        heaps["ponto"] = ponto
    if banker:
        heaps["banker"] = banker
    if burned:
        heaps["burned"] = burned
    if next_coup:
        heaps["next_coup"] = next_coup
    if shoe:
        heaps["shoe"] = shoe
    return After(heaps=heaps, payments=payments)


def declare(game: Game[Any], *, bound: bool = False, unknown: Unknown | None = None) -> None:
    """Declare the options of both games. `bound`: nobody may choose whether to draw, and no card is kept for another
    coup.

    `unknown` lists, by question and rulebook, the options that a text does not know.
    """
    strange = unknown or {}
    free, kept = ((), ()) if bound else (("may_choose",), ("next_coup",))
    game.domain("coup", "stands", "restored", "annulled", unknown=strange.get("coup"))
    game.domain("winner", "ponto", "banker", "tie", "nobody", unknown=strange.get("winner"))
    game.domain("banker_draw", "must_draw", "must_stand", *free, unknown=strange.get("banker_draw"))
    game.domain("ponto_draw", "must_draw", "must_stand", *free)
    game.domain("fate", "ponto", "banker", "burned", *kept, "shoe", unknown=strange.get("fate"))
