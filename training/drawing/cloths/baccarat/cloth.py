"""What both baccarat tables share: an oval cloth with the croupier at its rim, two hands and the heaps beside them.

The value of a card that lies face down never leaves this module, so it cannot reach the browser. The next cards in the
shoe are shown, because the trainee needs them to say how the coup ends.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from training.drawing import words
from training.drawing.cards import CARD_HIGH, CARD_WIDE, LABEL, Card, Heap, Thing, faced, same
from training.drawing.geometry import Box, Oval
from training.drawing.people import Croupier
from training.drawing.primitives import Anchor, Ellipse, Label, Part, Symbol
from training.drawing.scene import Scene
from training.drawing.texts import lines, width

CARD_STEP = 24
APART = 6  # from the middle of the table to the first card of a hand
HAND_WIDE, ROW_WIDE = 84, 200
ONE_ROW = 7  # more cards than this lie in two rows, so that every rank can be read
LINE = 15  # from one line of a label to the next
HANDS = ("ponto", "banker")
DEALT = (*HANDS, "loose", "next")
SPARES = ("loose", "mouth", "basket", "used", "floor")
ENDS = (*HANDS, "burned", "next_coup")
WARNING = "warning_card"
HEAPS: dict[str, str | Promise] = {
    "ponto": gettext_lazy("Ponto's cards: %(cards)s."),
    "loose": gettext_lazy("Out of the shoe, not dealt to anybody yet: %(cards)s."),
    "mouth": gettext_lazy("Only partly out of the shoe: %(cards)s."),
    "basket": gettext_lazy("In the discard box: %(cards)s."),
    "used": gettext_lazy("Among the used cards: %(cards)s."),
    "floor": gettext_lazy("On the floor: %(cards)s."),
    WARNING: gettext_lazy("The warning card is out of the shoe."),
    "next": gettext_lazy("Next in the shoe: %(cards)s."),
    "burned": gettext_lazy("Burned: %(cards)s."),
    "next_coup": gettext_lazy("Kept for the next coup: %(cards)s."),
}
SHOE_WIDE, SHOE_HIGH = 54, 36
PLATE_WIDE, PLATE_HIGH = 92, 24


class Lain(NamedTuple):
    """A card: its reference, its value, and its reference before the ruling.

    A card face down has no value; a card that the facts do not name has no reference either.
    """

    ref: str
    card: str
    was: str = ""


class Lying(NamedTuple):
    name: str
    cards: list[Lain]


def lying(scene: Scene) -> list[Lying]:
    """The heaps on the table: both hands, if either has a card, and whatever lies elsewhere."""
    if scene.after is None or not scene.after.heaps:
        heaps = _as_it_is(scene)
        dealt = any(scene.situation.heap(name) for name in HANDS)
    else:
        heaps = _as_it_ends(scene)
        dealt = any(heaps.get(name) for name in HANDS)
    return [Lying(name, cards) for name, cards in heaps.items() if cards or (dealt and name in HANDS)]


def _as_it_ends(scene: Scene) -> dict[str, list[Lain]]:
    before = [(f"{name}.{n}", card) for name in DEALT for n, card in enumerate(scene.situation.heap(name), start=1)]
    ends = {name: scene.heaps_after.get(name, ()) for name in ENDS}
    return {
        name: [Lain(f"{name}.{n}", card, same(f"{name}.{n}", card, before)) for n, card in enumerate(cards, start=1)]
        for name, cards in ends.items()
    }


def _as_it_is(scene: Scene) -> dict[str, list[Lain]]:
    heaps: dict[str, list[Lain]] = {name: [] for name in (*HANDS, *SPARES, WARNING, "next")}
    situation = scene.situation
    elsewhere = situation.incident.elsewhere()
    for name in DEALT:
        for number, card in enumerate(situation.heap(name), start=1):
            ref = f"{name}.{number}"
            heaps[elsewhere.get(ref, name)].append(Lain(ref, "" if ref in situation.hidden else card))
    if WARNING in situation.incident.marks():
        heaps[WARNING].append(Lain(WARNING, ""))
    return heaps


# ---------- the cloth ----------


def oval(cloth: Oval) -> list[Part]:
    """The wooden rim, its inner edge, and the cloth with the lamp light on it."""
    return [
        Ellipse("rail", cloth.width + 11, cloth.height + 11),
        Ellipse("rail-shine", cloth.width + 7, cloth.height + 7),
        Ellipse("cloth", cloth.width, cloth.height),
        Ellipse("nap", cloth.width, cloth.height),
        Ellipse("cloth-light", cloth.width, cloth.height),
    ]


def croupier(cloth: Oval) -> list[Part]:
    """The croupier at the bottom, with the discard basket at his right hand."""
    return [
        Croupier(0, cloth.height + 15, _("Croupier"), PLATE_WIDE, PLATE_HIGH),
        Symbol("discard", 50, cloth.height - 22, 36, 24),
    ]


def furniture(cloth: Oval) -> list[Box]:
    """The boxes of the croupier and his basket."""
    return [
        Box(-PLATE_WIDE // 2, cloth.height, PLATE_WIDE // 2, cloth.height + 30),
        Box(50, cloth.height - 22, 86, cloth.height + 2),
    ]


def shoe(left: int, top: int) -> Symbol:
    return Symbol("shoe", left, top, SHOE_WIDE, SHOE_HIGH)


# ---------- where the cards lie ----------


def arrange(
    heaps: list[Lying], *, hand_y: int, spare_y: int, spare_wide: int, lit: Collection[str], labels: Mapping[str, str]
) -> list[Heap]:
    """Place both hands side by side and the other heaps below; without hands, the first heap takes their row.

    `labels` holds the game's names for the two sides.
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
    """Heaps in a row, each centred in an equal part of it."""
    room = wide // max(1, len(heaps))
    first = -room * (len(heaps) - 1) // 2
    drawn = []
    for index, heap in enumerate(heaps):
        middle = first + room * index
        x = middle - _width(len(heap.cards), room) // 2
        cards = _drawn(heap.name, heap.cards, x, top, room, lit)
        broken = room if len(heaps) > 1 else ROW_WIDE
        drawn.append(Heap(heap.name, _over(middle, top, _label(heap), "middle", broken), x, top, cards))
    return drawn


def _beside(heap: Lying, label: str, top: int, lit: Collection[str], *, left: bool) -> Heap:
    """A heap to the left or right of the middle."""
    edge = -APART if left else APART
    x = edge - _width(len(heap.cards), HAND_WIDE) if left else edge
    cards = _drawn(heap.name, heap.cards, x, top, HAND_WIDE, lit)
    return Heap(heap.name, _over(edge, top, label, "end" if left else "start", HAND_WIDE), x, top, cards)


def _two_rows(heap: Lying, top: int, lit: Collection[str]) -> Heap:
    half = -(-len(heap.cards) // 2)
    x, below = -_width(half, ROW_WIDE) // 2, top + CARD_HIGH + 6
    cards = _drawn(heap.name, heap.cards[:half], x, top, ROW_WIDE, lit)
    cards += _drawn(heap.name, heap.cards[half:], x, below, ROW_WIDE, lit)
    return Heap(heap.name, _over(0, top, _label(heap), "middle", ROW_WIDE), x, top, cards)


def _over(x: int, top: int, label: str, anchor: Anchor, room: int) -> list[Label]:
    """A label above cards, on two lines if it is wider than their room."""
    broken = lines(label, LABEL, room)
    first = top - 5 - LINE * (len(broken) - 1)
    wide = [room if width(line, LABEL) > room else 0 for line in broken]
    return [
        Label("heap-label", x, first + LINE * index, line, anchor, wide=wide[index])
        for index, line in enumerate(broken)
    ]


def _step(count: int, room: int) -> int:
    return min(CARD_STEP, (room - CARD_WIDE) // max(1, count - 1))


def _width(count: int, room: int) -> int:
    return CARD_WIDE + _step(count, room) * max(0, count - 1)


def _drawn(heap: str, cards: list[Lain], left: int, top: int, room: int, lit: Collection[str]) -> list[Card | Thing]:
    if heap == WARNING:
        return [Thing("warning-card", left, top)]
    step = _step(len(cards), room)
    kind = "playing-card in-shoe" if heap in ("next", "mouth") else "playing-card"
    drawn: list[Card | Thing] = []
    for index, (ref, card, was) in enumerate(cards):
        if not ref:
            drawn.append(Thing("card-back", left + step * index, top))
            continue
        drawn.append(Card(ref, left + step * index, top, *faced(card), ref in lit, kind, was))
    return drawn


def _label(heap: Lying) -> str:
    return {
        "loose": _("Out of the shoe"),
        "mouth": _("Partly out of the shoe"),
        "basket": _("In the discard box"),
        "used": _("Used cards"),
        "floor": _("On the floor"),
        WARNING: _("Warning card"),
        "next": _("Next in the shoe"),
        "burned": _("Burned"),
        "next_coup": _("Next coup"),
    }[heap.name]


# ---------- in words ----------


def card_words(heaps: Collection[Lying], *, banker: str) -> list[str]:
    """A sentence for every heap, without scores. `banker` is the sentence for the bank's hand."""
    texts = HEAPS | {"banker": banker}
    return [str(texts[heap.name]) % {"cards": words.cards([lain.card for lain in heap.cards])} for heap in heaps]
