"""What both baccarat tables share: an oval cloth with the croupier at its rim, two hands and the heaps beside them.

The value of a card that lies face down is left out of what is computed here, so it cannot reach the browser. The cards
that the shoe would give next are told to the trainee, who needs them to say how the coup ends.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from training.drawing import words
from training.drawing.geometry import Oval
from training.drawing.primitives import (
    CARD_HIGH,
    CARD_WIDE,
    Anchor,
    Card,
    Croupier,
    Ellipse,
    Heap,
    Label,
    Part,
    Symbol,
    Thing,
)
from training.drawing.scene import Scene

CARD_STEP = 36
APART = 10  # from the middle of the table to the first card of a hand
HAND_WIDE, ROW_WIDE = 130, 280
ONE_ROW = 8  # more cards than this are laid in two rows, so that every rank can be read
HANDS = ("ponto", "banker")
DEALT = (*HANDS, "loose", "next")
ENDS = (*HANDS, "burned", "next_coup")
WARNING = "warning_card"
SHOE_WIDE, SHOE_HIGH = 72, 48


class Lying(NamedTuple):
    """A heap: each card by its reference; a card face down has no value, one that is no fact no reference either."""

    name: str
    cards: list[tuple[str, str]]


def lying(scene: Scene) -> list[Lying]:
    """Both hands, if the coup has any card in them, and whatever lies elsewhere."""
    if scene.after is None:
        heaps = _as_it_is(scene)
        dealt = any(scene.situation.heap(name) for name in HANDS)
    else:
        ends = scene.heaps_after
        heaps = {name: [(f"{name}.{n}", card) for n, card in enumerate(ends.get(name, ()), start=1)] for name in ENDS}
        dealt = any(heaps.get(name) for name in HANDS)
    return [Lying(name, cards) for name, cards in heaps.items() if cards or (dealt and name in HANDS)]


def _as_it_is(scene: Scene) -> dict[str, list[tuple[str, str]]]:
    heaps: dict[str, list[tuple[str, str]]] = {
        name: [] for name in (*HANDS, "loose", "basket", "used", "floor", WARNING, "next")
    }
    situation = scene.situation
    elsewhere = situation.incident.elsewhere()
    for name in DEALT:
        for number, card in enumerate(situation.heap(name), start=1):
            ref = f"{name}.{number}"
            heaps[elsewhere.get(ref, name)].append((ref, "" if ref in situation.hidden else card))
    if WARNING in situation.incident.marks():
        heaps[WARNING].append((WARNING, ""))
    return heaps


# ---------- the cloth ----------


def oval(cloth: Oval) -> list[Part]:
    return [
        Ellipse("rail", cloth.width + 10, cloth.height + 10),
        Ellipse("cloth", cloth.width, cloth.height),
    ]


def croupier(cloth: Oval) -> list[Part]:
    """At the bottom, looking up, with the basket for the cards at his right hand."""
    return [Croupier(0, cloth.height, _("Croupier")), Symbol("discard", 78, cloth.height - 2, 44, 28)]


def shoe(left: int, top: int) -> Symbol:
    return Symbol("shoe", left, top, SHOE_WIDE, SHOE_HIGH)


# ---------- where the cards lie ----------


def arrange(
    heaps: list[Lying], *, hand_y: int, spare_y: int, spare_wide: int, lit: Collection[str], labels: Mapping[str, str]
) -> list[Heap]:
    """Both hands side by side and below them what lies elsewhere; without hands, that takes their row.

    `labels` names the two sides as the game does.
    """
    hands = [heap for heap in heaps if heap.name in HANDS]
    spares = [heap for heap in heaps if heap.name not in HANDS]
    if hands:
        drawn = [_beside(heap, labels[heap.name], hand_y, lit, left=heap.name == "ponto") for heap in hands]
        if len(spares) == 2:
            sides = [_beside(heap, _label(heap), spare_y, lit, left=heap is spares[0]) for heap in spares]
            return drawn + sides
        return drawn + _row(spares, spare_y, spare_wide, lit)
    if len(spares) == 1 and len(spares[0].cards) > ONE_ROW:
        return [_two_rows(spares[0], hand_y, lit)]
    return _row(spares[:1], hand_y, ROW_WIDE, lit) + _row(spares[1:], spare_y, spare_wide, lit)


def _row(heaps: list[Lying], top: int, wide: int, lit: Collection[str]) -> list[Heap]:
    """Heaps in equal parts of a row, each centred in its own."""
    room = wide // max(1, len(heaps))
    first = -room * (len(heaps) - 1) // 2
    drawn = []
    for index, heap in enumerate(heaps):
        middle = first + room * index
        x = middle - _width(len(heap.cards), room) // 2
        cards = _drawn(heap.name, heap.cards, x, top, room, lit)
        drawn.append(Heap(heap.name, _over(middle, top, _label(heap), "middle"), x, top, cards))
    return drawn


def _beside(heap: Lying, label: str, top: int, lit: Collection[str], *, left: bool) -> Heap:
    """Cards from the middle outwards, on the left of it or on the right."""
    edge = -APART if left else APART
    x = edge - _width(len(heap.cards), HAND_WIDE) if left else edge
    cards = _drawn(heap.name, heap.cards, x, top, HAND_WIDE, lit)
    return Heap(heap.name, _over(edge, top, label, "end" if left else "start"), x, top, cards)


def _two_rows(heap: Lying, top: int, lit: Collection[str]) -> Heap:
    half = -(-len(heap.cards) // 2)
    x, below = -_width(half, ROW_WIDE) // 2, top + CARD_HIGH + 8
    cards = _drawn(heap.name, heap.cards[:half], x, top, ROW_WIDE, lit)
    cards += _drawn(heap.name, heap.cards[half:], x, below, ROW_WIDE, lit)
    return Heap(heap.name, _over(0, top, _label(heap), "middle"), x, top, cards)


def _over(x: int, top: int, label: str, anchor: Anchor) -> Label:
    return Label("heap-label", x, top - 8, label, anchor)


def _step(count: int, room: int) -> int:
    return min(CARD_STEP, (room - CARD_WIDE) // max(1, count - 1))


def _width(count: int, room: int) -> int:
    return CARD_WIDE + _step(count, room) * max(0, count - 1)


def _drawn(
    heap: str, cards: list[tuple[str, str]], left: int, top: int, room: int, lit: Collection[str]
) -> list[Card | Thing]:
    if heap == WARNING:
        return [Thing("warning-card", left, top)]
    step = _step(len(cards), room)
    kind = "playing-card in-shoe" if heap == "next" else "playing-card"
    drawn: list[Card | Thing] = []
    for index, (ref, card) in enumerate(cards):
        if not ref:
            drawn.append(Thing("card-back", left + step * index, top))
            continue
        rank, suit = ("10" if card[0] == "T" else card[0], card[1]) if card else ("", "")
        drawn.append(Card(ref, left + step * index, top, rank, suit, ref in lit, kind))
    return drawn


def _label(heap: Lying) -> str:
    return {
        "loose": _("Out of the shoe"),
        "basket": _("In the basket"),
        "used": _("Used cards"),
        "floor": _("On the floor"),
        WARNING: _("Warning card"),
        "next": _("Next in the shoe"),
        "burned": _("Burned"),
        "next_coup": _("Next coup"),
    }[heap.name]


# ---------- in words ----------


def card_words(heaps: Collection[Lying], *, banker: str) -> list[str]:
    """A sentence for every heap. Scores are left to the reader. `banker` is the sentence for the bank's hand."""
    texts = {
        "ponto": _("Ponto's cards: %(cards)s."),
        "banker": banker,
        "loose": _("Out of the shoe, nobody's yet: %(cards)s."),
        "basket": _("In the basket: %(cards)s."),
        "used": _("Among the used cards: %(cards)s."),
        "floor": _("On the floor: %(cards)s."),
        WARNING: _("The warning card is out of the shoe."),
        "next": _("The shoe would give next: %(cards)s."),
        "burned": _("Burned: %(cards)s."),
        "next_coup": _("Kept for the next coup: %(cards)s."),
    }
    return [texts[heap.name] % {"cards": words.cards([card for _ref, card in heap.cards])} for heap in heaps]
