"""Cards and where they are: in hands and other heaps, out of the shoe, or still in it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from rules_engine.equipment.places import Seated
from rules_engine.errors import ImpossibleFacts
from rules_engine.situation import Sentence

if TYPE_CHECKING:
    from rules_engine.ruling import After

RANKS = "A23456789TJQK"
SUITS = "shdc"
LOOSE, NEXT = "loose", "next"
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)

# The length is checked as well, because in Python `$` also matches before a final newline.
Card = Annotated[
    str, Meta(pattern="^[A2-9TJQK][shdc]$", max_length=2, description="rank then suit: Th is the ten of hearts")
]


class CardTable(Seated, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table with cards. They lie in heaps, in the order in which they were drawn; a game names its own heaps.

    `loose` cards are out of the shoe and belong to nobody yet, `next` is what the shoe would give. `hidden` names cards
    that are face down. A card is named by its heap and its number there: `ponto.3`, `loose.1`.
    """

    # The heaps by the name that references use, and the fact that holds each; `next`, still in the shoe, comes last.
    heap_facts: ClassVar[Mapping[str, str]] = {LOOSE: "loose", NEXT: "next"}

    loose: tuple[Card, ...] = ()
    next: tuple[Card, ...] = ()
    hidden: tuple[str, ...] = ()

    def heaps(self) -> Mapping[str, tuple[Card, ...]]:
        return {name: getattr(self, fact) for name, fact in self.heap_facts.items()}

    def heap(self, name: str) -> tuple[Card, ...]:
        return self.heaps()[name]

    def card(self, ref: str) -> Card:
        heap, _, number = ref.partition(".")
        return self.heap(heap)[int(number) - 1]

    def plain_facts(self) -> set[str]:
        found = super().plain_facts()
        for name, heap in self.heaps().items():
            found |= {name} if heap else set()
            found |= {f"{name}.{number}" for number in range(1, len(heap) + 1)}
        return found | {"hidden"} if self.hidden else found

    def every(self, stem: str) -> Sequence[str]:
        """`fate.loose.` stands for every card of that heap."""
        heap = stem.strip(".").rpartition(".")[2]
        return [str(number) for number in range(1, len(self.heap(heap)) + 1)]

    def about(self, name: str, ref: str) -> Sentence:
        """Questions about one card share a sentence that names it, or where it lies face down."""
        if name != "fate" or not ref:
            return super().about(name, ref)
        if ref in self.hidden:
            heap, _, number = ref.partition(".")
            return "question.fate_hidden", {"heap": heap, "number": number}
        return "question.fate", {"card": self.card(ref), "ref": ref}

    def left(self, after: "After") -> dict[str, Any]:
        """Every card where the ruling puts it. A card that went back is the next one, a card kept for a later coup
        belongs to nobody yet, and burned or discarded cards are gone. A card that was face down stays so unless it
        moved."""
        if not after.heaps:
            return {}
        lying = {name: after.heap(name) for name in self.heap_facts if name not in (LOOSE, NEXT)}
        lying |= {LOOSE: after.heap(LOOSE) + after.heap("next_coup"), NEXT: after.heap("shoe")}
        return {fact: lying[name] for name, fact in self.heap_facts.items()} | {"hidden": self._still_hidden(after)}

    def _still_hidden(self, after: "After") -> tuple[str, ...]:
        heaps = self.heaps()
        return tuple(ref for ref in self.hidden if after.heap(name := ref.partition(".")[0]) == heaps.get(name))

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        if kind in ("card", "cards"):
            return self._lying((value,) if isinstance(value, str) else tuple(value or ()))
        return super().pointed(name, kind, value)

    def _lying(self, cards: tuple[str, ...]) -> list[str]:
        """Where these cards lie: together if they are a whole heap, otherwise where each is first found."""
        for name, heap in self.heaps().items():
            if heap and cards == heap:
                return [f"{name}.{number}" for number in range(1, len(heap) + 1)]
        lying = [(f"{name}.{n}", card) for name, heap in self.heaps().items() for n, card in enumerate(heap, start=1)]
        found: list[str] = []
        for card in cards:
            found += [ref for ref, other in lying if other == card and ref not in found][:1]
        return found


def check_cards(table: CardTable, packs: int) -> None:
    """Check that there are no more copies of a card than packs, and that every card referred to exists."""
    heaps = table.heaps()
    check_copies(sum(heaps.values(), ()), packs)
    for ref in table.hidden:
        heap, _, number = ref.partition(".")
        lying = range(1, len(heaps.get(heap, ())) + 1) if heap != "next" else ()
        if number not in map(str, lying):
            raise ImpossibleFacts("hidden", "there is no card {ref:lying}", ref=ref)


def check_copies(cards: Collection[str], packs: int) -> None:
    # With so few repeated cards, no card can occur too often.
    if len(cards) - len(set(cards)) < packs:
        return
    for card, copies in Counter(cards).items():
        if copies > packs:
            raise ImpossibleFacts(
                "cards", "{copies} copies of {card:card} in {packs} packs", copies=copies, card=card, packs=packs
            )
