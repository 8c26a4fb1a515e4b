"""Cards: which heap each lies in, and where on the cloth the heaps are drawn.

The value of a card that lies face down is left out of what is computed here, so it cannot reach the browser. The cards
that the shoe would give next are told to the trainee, who needs them to say how the coup ends.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from rules_engine.ruling import After
from rules_engine.situation import kind_of
from training.drawing.parts import Anchor, DrawnCard, Heap

CARD, CARD_STEP = (58, 80), 36
APART = 10  # from the middle of the table to the first card of a hand
HAND_WIDE, ROW_WIDE = 130, 280
ONE_ROW = 8  # more cards than this are laid in two rows, so that every rank can be read
HANDS = ("ponto", "banker")
WARNING = "warning"


class Lying(NamedTuple):
    """A heap: each card by its reference; a card face down has no value."""

    name: str
    cards: list[tuple[str, str]]


def lying(situation: Any, after: After | None = None) -> list[Lying]:
    """Both hands, if the coup has any card in them, and whatever lies elsewhere. With `after`, as the ruling ends."""
    if after is None:
        heaps = _as_it_is(situation)
        dealt = bool(situation.ponto or situation.banker_cards)
    else:
        ends = {"ponto": after.ponto, "banker": after.banker, "burned": after.burned, "next_coup": after.next_coup}
        heaps = {
            name: [(f"{name}.{number}", card) for number, card in enumerate(cards, start=1)]
            for name, cards in ends.items()
        }
        dealt = bool(after.ponto or after.banker)
    return [Lying(name, cards) for name, cards in heaps.items() if cards or (dealt and name in HANDS)]


def _as_it_is(situation: Any) -> dict[str, list[tuple[str, str]]]:
    heaps: dict[str, list[tuple[str, str]]] = {
        name: [] for name in ("ponto", "banker", "loose", "basket", "floor", WARNING, "next")
    }
    elsewhere = _elsewhere(situation)
    for name in ("ponto", "banker", "loose", "next"):
        for number, card in enumerate(situation.heap(name), start=1):
            ref = f"{name}.{number}"
            heaps[elsewhere.get(ref, name)].append((ref, "" if ref in situation.hidden else card))
    if _warning_card_is_out(situation):
        heaps[WARNING].append((WARNING, ""))
    return heaps


def _elsewhere(situation: Any) -> dict[str, str]:
    """Cards that an incident took from where they belong, and where they are."""
    incident = situation.incident
    match kind_of(incident):
        case "card_on_floor":
            return {incident.card: "floor"}
        case "ponto_cards_binned" | "cards_binned":
            return dict.fromkeys(incident.cards, "basket")
        case "third_card_binned":
            return {"loose.1": "basket"}
    return {}


def _warning_card_is_out(situation: Any) -> bool:
    incident = situation.incident
    kind = kind_of(incident)
    if kind == "another_coup":
        return bool(incident.warning_card == "out")
    return kind in ("warning_card_out", "pb_warning_card_out", "last_coup_over")


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
        drawn.append(Heap(heap.name, _label(heap), middle, "middle", x, top, _drawn(heap.cards, x, top, room, lit)))
    return drawn


def _beside(heap: Lying, label: str, top: int, lit: Collection[str], *, left: bool) -> Heap:
    """Cards from the middle outwards, on the left of it or on the right."""
    edge = -APART if left else APART
    x = edge - _width(len(heap.cards), HAND_WIDE) if left else edge
    anchor: Anchor = "end" if left else "start"
    return Heap(heap.name, label, edge, anchor, x, top, _drawn(heap.cards, x, top, HAND_WIDE, lit))


def _two_rows(heap: Lying, top: int, lit: Collection[str]) -> Heap:
    half = -(-len(heap.cards) // 2)
    x, below = -_width(half, ROW_WIDE) // 2, top + CARD[1] + 8
    cards = _drawn(heap.cards[:half], x, top, ROW_WIDE, lit) + _drawn(heap.cards[half:], x, below, ROW_WIDE, lit)
    return Heap(heap.name, _label(heap), 0, "middle", x, top, cards)


def _step(count: int, room: int) -> int:
    return min(CARD_STEP, (room - CARD[0]) // max(1, count - 1))


def _width(count: int, room: int) -> int:
    return CARD[0] + _step(count, room) * max(0, count - 1)


def _drawn(cards: list[tuple[str, str]], left: int, top: int, room: int, lit: Collection[str]) -> list[DrawnCard]:
    step = _step(len(cards), room)
    drawn = []
    for index, (ref, card) in enumerate(cards):
        rank, suit = ("10" if card[0] == "T" else card[0], card[1]) if card else ("", "")
        drawn.append(DrawnCard(ref, left + step * index, top, rank, suit, ref in lit))
    return drawn


def _label(heap: Lying) -> str:
    return {
        "loose": _("Out of the shoe"),
        "basket": _("In the basket"),
        "floor": _("On the floor"),
        WARNING: _("Warning card"),
        "next": _("Next in the shoe"),
        "burned": _("Burned"),
        "next_coup": _("Next coup"),
    }[heap.name]
