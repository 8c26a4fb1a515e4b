"""The black jack table as the dealer sees it: a half-moon, seat 1 at his left hand, the numbers running clockwise.

Every seat has a column: the player at the rim, then the bets, the cards and the insurance line. The bank's cards lie in
front of the dealer, the next cards of the shoe at his left and the discards at his right.
The value of a card that lies face down never leaves this module, so it cannot reach the browser.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.black_jack.table import BANK, Situation, parsed
from training.drawing import disputed
from training.drawing.bubbles import bubbles
from training.drawing.cards import CARD_HIGH, CARD_WIDE, Card, Heap, Thing, boxes, faced, same
from training.drawing.chips import written
from training.drawing.cloths.black_jack import words
from training.drawing.cloths.black_jack.chips import lay_chips
from training.drawing.cloths.black_jack.layout import (
    CARDS,
    DOWN,
    LABEL,
    LINE,
    LYING,
    RAIL,
    STEP,
    TRAY,
    UPRIGHT,
    Frame,
    Layout,
    across,
    laid_out,
)
from training.drawing.cloths.black_jack.print import printed
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import SEAT_PERCENT, SEAT_RADIUS, STANDING_PERCENT, STANDING_RADIUS, Box, seat_of
from training.drawing.half_moon import Tray, dealer, shoe, used_cards
from training.drawing.half_moon import boxes as boxes_of
from training.drawing.people import Person
from training.drawing.primitives import Label, Part, Rect, Symbol
from training.drawing.scene import Scene
from training.drawing.texts import lines, width

BESIDE = 24  # the step between cards of the bank
SIDES = {"next": -1, "loose": 1, "discard": 1}
SIDE_WIDE = 104
FRAME = 5  # from the hand the case is about to the frame round it
# Where people stand at a seat: how far outwards and up.
STANDING = ((32, -20), (0, -38), (32, -52), (0, -70), (32, -84), (0, -102), (32, -116), (0, -134), (32, -148))
WARNING = "warning_card"
Cards = Sequence[tuple[str, str, str]]  # reference, value (empty if face down), reference before the ruling


def black_jack(scene: Scene) -> Drawing:
    heaps = _lying(scene)
    told = [*words.told(scene, heaps), *disputed.told(scene)]
    sheets = [_sheet(scene, frame, heaps) for frame in (UPRIGHT, LYING)]
    return Drawing(scene.situation.game, sheets, told, scene, _focus(scene))


def _sheet(scene: Scene, frame: Frame, heaps: Mapping[str, Cards]) -> Sheet:
    layout = laid_out(scene.situation, frame)
    people = list(_people(scene, layout))
    hands = [
        *_hands(scene, layout, {name: cards for name, cards in heaps.items() if name.startswith("seat")}),
        *_bank(scene, layout, heaps),
        *_sides(scene, layout, heaps),
    ]
    top = min(-frame.rise - 40, *(person.y - 30 for person in people))
    half = max(layout.half + RAIL + 3, *(abs(person.x) + SEAT_RADIUS + 6 for person in people))
    window = Box(-half, top, half, layout.edge + RAIL + 10)
    things, tray = _things(layout), _tray(layout)
    plate = Box(-50, layout.edge - 8, 50, layout.edge + RAIL + 10)
    taken = [*_heads(people), *boxes(hands), plate, tray, *boxes_of(things)]
    room = Room(window, taken, kit=scene.kit)
    chips = lay_chips(scene, layout, room)
    layers: dict[str, Sequence[Part]] = {
        "cloth": printed(scene, layout, room),
        "people": [Tray(tray, scene.kit), dealer(layout.table, _("Dealer"), wide=92), *people],
        "cards": [*things, *_in_play(scene, hands), *hands],
        "chips": chips,
        "labels": [*_doubled(scene, hands, room), *_results(scene, layout, room)],
        "bubbles": list(bubbles(scene, room, _speakers(layout, people))),
    }
    return Sheet(window, layers, frame.kind)


def _in_play(scene: Scene, hands: Sequence[Heap]) -> Iterator[Rect]:
    """A gold frame round the hand that the case is about."""
    if scene.after is not None:
        return
    asked = _asked(scene)
    for hand in hands:
        if hand.name == asked and hand.cards:
            box, *_labels = boxes([hand])
            yield Rect.of("in-play", box.grown(FRAME), 7)


def _asked(scene: Scene) -> str:
    """The name of the hand that the case is about; empty if it is about none."""
    incident = scene.situation.incident
    seat, hand = getattr(incident, "seat", None), getattr(incident, "hand", 0) or 1
    found = [name for name in scene.situation.names() if parsed(name)[0] == seat]
    return found[hand - 1] if 0 < hand <= len(found) else ""


def _focus(scene: Scene) -> list[str]:
    """The disputed chips, else the hand the case is about, else the bank's cards."""
    seat = getattr(scene.situation.incident, "seat", None)
    if found := disputed.focus(scene):
        return found
    return [f"card:{_asked(scene)}.1", f"place:{seat}"] if seat else [f"card:{BANK}.1"]


def _speakers(layout: Layout, people: Sequence[Person]) -> dict[str, tuple[int, int]]:
    return {person.place: (person.x, person.y) for person in people} | {"croupier": (0, layout.edge + RAIL // 2)}


def _lying(scene: Scene) -> Mapping[str, Cards]:
    """Every heap on the cloth, after the ruling if there is one."""
    situation: Situation = scene.situation
    if scene.after is not None and scene.after.heaps:
        before = [one for name, cards in situation.heaps().items() for one in _named(name, cards)]
        return {
            name: [(ref, card, same(ref, card, before)) for ref, card in _named(name, cards)]
            for name, cards in scene.heaps_after.items()
        }
    return {
        name: [(ref, "" if ref in situation.hidden else card, "") for ref, card in _named(name, cards)]
        for name, cards in situation.heaps().items()
        if cards
    }


def _named(name: str, cards: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"{name}.{number}", card) for number, card in enumerate(cards, start=1))


def _heads(people: Sequence[Person]) -> list[Box]:
    radii = [SEAT_RADIUS if person.seated else STANDING_RADIUS for person in people]
    return [around(person.x, person.y, 2 * radius, 2 * radius) for person, radius in zip(people, radii, strict=True)]


def _things(layout: Layout) -> list[Symbol]:
    """The shoe and the box of the discards, at both hands of the dealer."""
    top = layout.edge - 48
    return [shoe(4 - layout.half, top, 42), used_cards(layout.half - 38, top, 32)]


def _tray(layout: Layout) -> Box:
    foot = layout.edge - 16
    return Box(-layout.frame.tray, foot - TRAY, layout.frame.tray, foot)


# ---------- who is there ----------


def _people(scene: Scene, layout: Layout) -> Iterator[Person]:
    situation: Situation = scene.situation
    for seat in range(1, situation.places + 1):
        column, place = layout.columns[seat], str(seat)
        yield Person(
            place, column.x, column.y, taken=seat in situation.seats, lit=place in scene.lit, percent=SEAT_PERCENT,
            turn=column.x // 5, plain=True,
        )  # fmt: skip
    for place in situation.standing:
        column = layout.columns[min(seat_of(place), situation.places)]
        out, up = STANDING[ord(place[1]) - ord("a")]
        x = column.x + (out if column.x > 0 else -out)
        yield Person(place, x, column.y + up, lit=place in scene.lit, percent=STANDING_PERCENT, turn=x // 5, plain=True)


def _results(scene: Scene, layout: Layout, room: Room) -> Iterator[Label]:
    """What the ruling pays or takes from each player in total, above their place."""
    for place, amount in scene.results.items():
        if place[:1].isdigit() and amount:
            column = layout.columns[min(seat_of(place), scene.situation.places)]
            sign = "+" if amount > 0 else "\N{MINUS SIGN}"
            owner = "" if place.isdigit() else f"{place} "
            text = f"{owner}{sign}{written(abs(amount))}"
            box = room.near(column.x, column.y - SEAT_RADIUS - 9, width(text, LABEL, bold=True), 15)
            yield Label("prize", box.middle.x, box.bottom - 3, text)


# ---------- cards ----------


def _hands(scene: Scene, layout: Layout, hands: Mapping[str, Cards]) -> Iterator[Heap]:
    """The hands of each seat below its bets: in rows of up to three cards, hands of a split in one column each."""
    seats: dict[int, list[str]] = defaultdict(list)
    for name in hands:
        seats[parsed(name)[0]].append(name)
    for seat, names in seats.items():
        column = layout.columns[seat]
        abreast = across(column, len(names), layout.frame)
        step = (column.wide - 4) // len(names)
        for index, name in enumerate(names):
            middle = column.x + step * index - step * (len(names) - 1) // 2
            beside = min(STEP, (column.wide - 2 - CARD_WIDE) // max(1, abreast - 1))
            yield _hand(scene, name, hands[name], (middle, column.y + CARDS), abreast, beside)


def _hand(scene: Scene, name: str, cards: Cards, at: tuple[int, int], across: int, beside: int) -> Heap:
    middle, top = at
    left = middle - (CARD_WIDE + beside * (min(len(cards), across) - 1)) // 2
    drawn = [
        _card(scene, one, left + beside * (index % across), top + DOWN * (index // across))
        for index, one in enumerate(cards)
    ]
    return Heap(name, [], left, top, drawn)


def _doubled(scene: Scene, hands: Sequence[Heap], room: Room) -> Iterator[Label]:
    """A mark at every doubled hand."""
    facts = scene.situation.names()
    for hand in hands:
        if hand.name in facts and facts[hand.name].doubled:
            box = room.near(hand.x + CARD_WIDE // 2, hand.y + CARD_HIGH + 9, 24, 15)
            yield Label("heap-label doubled", box.middle.x, box.bottom - 3, "2×")


def _card(scene: Scene, one: tuple[str, str, str], x: int, y: int, kind: str = "playing-card") -> Card:
    ref, card, was = one
    return Card(ref, x, y, *faced(card), ref in scene.lit, kind, was)


def _row(scene: Scene, name: str, cards: Cards, middle: int, top: int, label: str, wide: int) -> Heap:
    """A centred row of cards under its label."""
    step = min(BESIDE, (wide - CARD_WIDE) // max(1, len(cards) - 1))
    left = middle - (CARD_WIDE + step * (len(cards) - 1)) // 2
    kind = "playing-card in-shoe" if name == "next" else "playing-card"
    drawn = [_card(scene, one, left + step * index, top, kind) for index, one in enumerate(cards)]
    return Heap(name, _over(middle, top, label, wide), left, top, drawn)


def _over(x: int, top: int, label: str, wide: int) -> list[Label]:
    broken = lines(label, LABEL, wide)
    first = top - 5 - LINE * (len(broken) - 1)
    return [Label("heap-label", x, first + LINE * index, line) for index, line in enumerate(broken)]


def _bank(scene: Scene, layout: Layout, heaps: Mapping[str, Cards]) -> Iterator[Heap]:
    if BANK in heaps:
        yield _row(scene, BANK, heaps[BANK], 0, layout.bank, pgettext("cloth", "Bank"), 140)


def _sides(scene: Scene, layout: Layout, heaps: Mapping[str, Cards]) -> Iterator[Heap]:
    """The heaps beside the bank's cards: next in the shoe, out of the shoe, and discarded."""
    names = {"next": _("Next in the shoe"), "loose": _("Out of the shoe"), "discard": _("Discard corner")}
    top = layout.side
    for name, label in names.items():
        if name in heaps:
            # Cards out of the shoe make room for the discard corner.
            side = -SIDES[name] if name == "loose" and "discard" in heaps else SIDES[name]
            middle = side * layout.frame.aside
            yield _row(scene, name, heaps[name], middle, top, label, SIDE_WIDE)
    if scene.after is None and WARNING in scene.situation.incident.marks():
        middle = (SIDES["loose"] if "loose" not in heaps else SIDES["next"]) * layout.frame.aside
        thing = Thing("warning-card", middle - CARD_WIDE // 2, top)
        yield Heap(WARNING, _over(middle, top, _("Warning card"), SIDE_WIDE), thing.x, thing.y, [thing])
