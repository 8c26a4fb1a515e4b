"""Cards on a table, legible on a phone, and the heaps they lie in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape

from training.drawing.geometry import Box
from training.drawing.primitives import Label, Part, Rect, at, head, render
from training.drawing.texts import width

CARD_WIDE, CARD_HIGH = 34, 46
COURTS, RED = "KQJ", "hd"
SHADOW = f'<rect class="card-shadow" x="1" y="2" width="{CARD_WIDE}" height="{CARD_HIGH}" rx="3"/>'
LABEL = 15.5  # the font size of a label


@dataclass(frozen=True, slots=True)
class Card:
    """A card at its top left corner. A card face down has no rank and no suit.

    `was` is its reference before the ruling, which identifies the same card in both pictures.
    """

    ref: str
    x: int
    y: int
    rank: str = ""
    suit: str = ""
    lit: bool = False
    kind: str = "playing-card"
    was: str = ""

    @property
    def hidden(self) -> bool:
        return not self.rank

    def svg(self) -> str:
        named = head(self.kind, f"card:{self.ref}", lit=self.lit, id=f"card:{self.was or self.ref}")
        return f"<g {named}{at(self.x, self.y)}>{self._face()}</g>"

    def _face(self) -> str:
        if self.hidden:
            return f'{SHADOW}<use href="#card-back" width="{CARD_WIDE}" height="{CARD_HIGH}"/>'
        narrow = ' textLength="17" lengthAdjust="spacingAndGlyphs"' if len(self.rank) > 1 else ""
        return (
            f'{SHADOW}<rect class="card-edge" width="{CARD_WIDE}" height="{CARD_HIGH}" rx="3"/>'
            f'<g class="suit-{self.suit}">{self._emblem()}'
            f'<text class="rank" x="10" y="18"{narrow}>{escape(self.rank)}</text>'
            f'<use href="#suit-{self.suit}" x="4" y="21" width="12" height="12"/></g>'
        )

    def _emblem(self) -> str:
        """A bust on court cards, else the suit once more."""
        if self.rank in COURTS:
            colour = "red" if self.suit in RED else "black"
            return f'<use href="#court-{self.rank}-{colour}" x="11" y="22" width="23" height="23"/>'
        return f'<use href="#suit-{self.suit}" x="14" y="25" width="18" height="18"/>'


@dataclass(frozen=True, slots=True)
class Thing:
    """Something the size of a card that is not one of the cards in the facts: the warning card, an unknown card."""

    name: str
    x: int
    y: int
    lit: bool = False

    def svg(self) -> str:
        named = head("playing-card", f"card:{self.name}", lit=self.lit, id=f"card:{self.name}")
        return f'<g {named}{at(self.x, self.y)}><use href="#{self.name}" width="{CARD_WIDE}" height="{CARD_HIGH}"/></g>'


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that lie together under a label, or the outline of their place if there are none."""

    name: str
    labels: Sequence[Label]
    x: int
    y: int
    cards: Sequence[Card | Thing]

    @property
    def parts(self) -> Sequence[Part]:
        place = Rect("heap-place", self.x, self.y, CARD_WIDE, CARD_HIGH, 4)
        return (*self.labels, *(self.cards or (place,)))

    def svg(self) -> str:
        return f'<g class="heap" data-group="{escape(self.name)}">{render(self.parts)}</g>'


def faced(card: str) -> tuple[str, str]:
    """The printed rank and suit of a card; both empty for a card face down."""
    return ("10" if card[0] == "T" else card[0], card[1]) if card else ("", "")


def same(ref: str, card: str, before: list[tuple[str, str]]) -> str:
    """Find the reference a card had before and remove it from `before`; empty if there is none.

    Prefers the same reference, then one in the same heap, then any card of the same value.
    """
    heap = ref.partition(".")[0]
    found = [one for one, value in before if value == card]
    if not found:
        return ""
    best = min(found, key=lambda one: (one != ref, one.partition(".")[0] != heap))
    before.remove((best, card))
    return best


def boxes(heaps: Collection[Heap]) -> list[Box]:
    """The boxes of the cards and their labels."""
    found = []
    for heap in heaps:
        cards = heap.cards or (Thing("", heap.x, heap.y),)
        found.append(
            Box(
                min(card.x for card in cards),
                min(card.y for card in cards),
                max(card.x for card in cards) + CARD_WIDE,
                max(card.y for card in cards) + CARD_HIGH,
            )
        )
        found += [label_box(label, LABEL) for label in heap.labels]
    return found


def label_box(label: Label, size: float) -> Box:
    wide = label.wide or width(label.text, size)
    left = {"start": label.x, "end": label.x - wide}.get(label.anchor or "", label.x - wide // 2)
    return Box(left, label.y - 12, left + wide, label.y + 3)
