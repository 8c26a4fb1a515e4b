"""The chemin de fer table as the croupier sees it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.chemin_de_fer.table import SEATS, Situation
from training.drawing.bubbles import bubbles
from training.drawing.cards import CARD_HIGH
from training.drawing.chips import Pile, stack, total_width, written
from training.drawing.cloths.baccarat import cloth as baccarat
from training.drawing.cloths.baccarat.cloth import APART, HAND_WIDE, SHOE_HIGH, SHOE_WIDE, Lain, Lying
from training.drawing.cloths.chemin_de_fer.ending import Offer, Standing, ended, offers
from training.drawing.cloths.chemin_de_fer.words import told
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import SEAT_PERCENT, SEAT_RADIUS, STANDING_PERCENT, STANDING_RADIUS, Box, Oval, seat_of
from training.drawing.people import Person
from training.drawing.piles import pile, settled
from training.drawing.primitives import Label, Part, Path
from training.drawing.scene import Scene

CLOTH = Oval(180, 172, first=-46.0)
LINE, STAKE = 0.76, 0.62  # the distance from the middle, as a part of the cloth
BEHIND, ROW_BEHIND, IN_ROW, BY_CROUPIER = (
    26,
    31,
    3,
    2,
)  # standing: behind the rim, between rows, in a row
# Where chips may lie: (degrees aside from the seat, distance out). The first free place is taken.
SEATED = ((0, STAKE), *((turn, out / 100) for out in (63, 68, 58, 74, 53, 48) for turn in (0, 4, -4, 8, -8)))
BETWEEN = tuple((turn, out / 100) for out in (62, 68, 56, 74, 50, 80, 44, 38) for turn in (0, 2, -2, 4, -4))
ON_LINE = tuple((turn, LINE) for turn in (0, 3, -3, 6, -6))
BESIDE = (
    *((share, out / 100) for out in (80, 74, 68, 62, 56, 86) for share in (18, 15, 21, 12, 24, 9, 27, 6, 30)),
    *((share, out / 100) for out in (80, 74, 68, 62, 56, 86) for share in (3, 0, -6, -12, -18, -24)),
    *((share, out / 100) for out in range(90, 36, -3) for share in range(-40, 56, 2)),
    *((share, out / 100) for turn in range(44, 100, 4) for share in (turn, -turn) for out in (80, 74, 68)),
)
HAND_Y, SPARE_Y, BANK_Y, GARAGE_Y = -48, 34, 116, 158
# The room for cards that may lie in the middle by the end of the coup. Stakes keep clear of it from the start, so that
# they need not move when the table changes.
MIDDLE = [
    Box(-APART - HAND_WIDE - 2, HAND_Y - 19, APART + HAND_WIDE + 2, HAND_Y + CARD_HIGH),
    Box(-APART - HAND_WIDE - 2, SPARE_Y - 34, APART + HAND_WIDE + 2, SPARE_Y + CARD_HIGH),
]
BANK_ROOM = Box(-98, 90, 98, 142)


def chemin_de_fer(scene: Scene) -> Drawing:
    situation: Situation = scene.situation
    state = ended(scene)
    heaps = _with_dealt_hand(scene, baccarat.lying(scene))
    names = {"ponto": _("Ponto"), "banker": _("Banker")}
    people = list(_people(scene, state))
    shoe = _shoe(state)
    window = CLOTH.window((person.x, person.y) for person in people)
    before = Standing.of(situation)
    room = _room(scene, people, [_shoe(before), shoe] if before != state else [shoe], window)
    chips = [*_stakes(scene, state, room), *_bank(scene, state)]
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*baccarat.oval(CLOTH), *(Path("line", line_arc(str(seat))) for seat in range(1, SEATS + 1))],
        "people": [*baccarat.croupier(CLOTH), *people],
        "cards": [
            baccarat.shoe(shoe.left, shoe.top),
            *baccarat.arrange(
                heaps, hand_y=HAND_Y, spare_y=SPARE_Y, spare_wide=2 * HAND_WIDE, lit=scene.lit, labels=names
            ),
        ],
        "chips": chips,
        "labels": _garage(scene, state),
        "bubbles": list(bubbles(scene, room, _speakers(people))),
    }
    return Drawing(situation.game, [Sheet(window, layers)], told(scene, state, heaps), scene, _focus(scene))


def _focus(scene: Scene) -> list[str]:
    """The ids an enlarged table opens on: the disputed chips, if any."""
    return [f"offer:{offer.player}" for offer in offers(scene.situation)]


def _with_dealt_hand(scene: Scene, heaps: list[Lying]) -> list[Lying]:
    """If the ponto has two cards and the facts name none of the banker's, add two face down for the banker."""
    ends = scene.after is not None and scene.after.heaps
    dealt = not ends and len(scene.situation.ponto) > 1 and not scene.situation.banker_cards
    covered = Lying("banker", [Lain("", ""), Lain("", "")])
    return [covered if dealt and heap.name == "banker" else heap for heap in heaps]


# ---------- people ----------


def _people(scene: Scene, state: Standing) -> Iterator[Person]:
    """Everybody, with a ring around the banker and cards for the player who holds the ponto's."""
    for seat in range(1, SEATS + 1):
        yield _person(scene, state, str(seat), CLOTH.around(CLOTH.angle(str(seat))), taken=seat in state.seats)
    for place in state.standing:
        yield _person(scene, state, place, standing_spot(place))


def _person(scene: Scene, state: Standing, place: str, point: tuple[int, int], *, taken: bool = True) -> Person:
    return Person(
        place=place,
        x=point[0],
        y=point[1],
        taken=taken,
        lit=place in scene.lit,
        ring=place == state.banker,
        cards=place == state.holder,
        percent=SEAT_PERCENT if place.isdigit() else STANDING_PERCENT,
        turn=CLOTH.facing(*point),
    )


def _speakers(people: Sequence[Person]) -> dict[str, tuple[int, int]]:
    return {person.place: (person.x, person.y) for person in people} | {"croupier": (0, CLOTH.height + 15)}


def standing_spot(place: str) -> tuple[int, int]:
    """Where somebody stands: behind the seat and to its right, in order of arrival, in rows."""
    row, column = divmod(ord(place[1]) - ord("a"), BY_CROUPIER if seat_of(place) == SEATS else IN_ROW)
    return CLOTH.around(CLOTH.angle(place) + 9 + 9 * column, behind=BEHIND + ROW_BEHIND * row)


def line_arc(place: str) -> str:
    """The SVG path of the line in front of a seat."""
    middle = CLOTH.angle(place)
    (x1, y1), (x2, y2) = CLOTH.around(middle - 9, LINE), CLOTH.around(middle + 9, LINE)
    return f"M{x1} {y1}A{round(CLOTH.width * LINE)} {round(CLOTH.height * LINE)} 0 0 0 {x2} {y2}"


# ---------- chips ----------


def _room(scene: Scene, people: Sequence[Person], shoes: Sequence[Box], window: Box) -> Room:
    heads = [
        around(person.x, person.y, 2 * radius, 2 * radius)
        for person in people
        for radius in [SEAT_RADIUS + 4 if person.seated else STANDING_RADIUS]
    ]
    taken = [*heads, *MIDDLE, BANK_ROOM, *baccarat.furniture(CLOTH), *shoes, Box(-75, 142, 48, 164)]
    return Room(window, taken, cloth=CLOTH, kit=scene.kit)


def _shoe(state: Standing) -> Box:
    """The box of the shoe: in front of the banker, who has no stake there; before the first hand, at the croupier."""
    room = Room(Box(-CLOTH.width, -CLOTH.height, CLOTH.width, CLOTH.height), [*CLOTH.seat_boxes(), *MIDDLE, BANK_ROOM])
    points = _points(CLOTH.angle(state.banker), SEATED, BESIDE) if state.banker else [(-128, 78)]
    first = around(*CLOTH.around(CLOTH.angle(state.banker or "9"), STAKE), SHOE_WIDE, SHOE_HIGH)
    boxes = (around(x, y, SHOE_WIDE, SHOE_HIGH) for x, y in points)
    return next((box for box in boxes if room.free(box)), first)


def _bank(scene: Scene, state: Standing) -> Iterator[Part]:
    """The bank in front of the croupier, with its sum beside it."""
    if state.bank:
        total = scene.money(state.bank)
        x = 18 - (40 + total_width(total)) // 2
        chips = stack(state.bank, x, BANK_Y + 6, scene.kit)
        yield Label("garage", x + 22, BANK_Y - 2, pgettext("cloth", "Bank"), "start")
        yield Pile(
            "bank", chips, total, x + 22, BANK_Y + 15, "start", lit="bank" in scene.lit, id="bank", amount=state.bank
        )


def _garage(scene: Scene, state: Standing) -> list[Part]:
    if not state.garage:
        return []
    return [Label("garage", -11, GARAGE_Y, _("Garage %(sum)s") % {"sum": scene.money(state.garage)})]


def _stakes(scene: Scene, state: Standing, room: Room) -> Iterator[Pile]:
    """Chips between two places, stakes of the seated, which have a fixed place, and of those standing, then chips only
    offered."""
    situation: Situation = scene.situation
    yield from (_offered(offer, room) for offer in state.offers if offer.beside)
    for stake in sorted(situation.stakes, key=lambda stake: (not stake.player.isdigit(), stake.player)):
        found = ON_LINE if stake.line else SEATED if stake.player.isdigit() else BESIDE
        made = pile(
            room,
            _points(CLOTH.angle(stake.player), found, BESIDE),
            stake.player,
            stake.amount,
            owner="" if stake.player.isdigit() else stake.player,
            lit=stake.player in scene.lit,
            room_for="+",
        )
        yield settled(made, scene.results.get(stake.player, 0))
    yield from (_offered(offer, room) for offer in state.offers if not offer.beside)


def _offered(offer: Offer, room: Room) -> Pile:
    """Disputed chips: offered, late, or too many."""
    id = f"offer:{offer.player}"
    made = pile(
        room,
        _points(_angle(offer), *(ON_LINE if offer.line else (), BETWEEN) if offer.beside else (SEATED,), BESIDE),
        offer.player,
        offer.amount,
        owner="" if offer.player.isdigit() else offer.player,
        total=offer.total(written),
        kind=f"pile {offer.kind}",
        id=id,
    )
    return replace(made, point=id)


def _angle(offer: Offer) -> float:
    """The direction in which disputed chips lie: that of a place, or halfway between two."""
    angle = CLOTH.angle(offer.player)
    if not offer.beside:
        return angle
    return angle + ((CLOTH.angle(offer.beside) - angle + 180) % 360 - 180) / 2


@cache
def _points(angle: float, *found: tuple[tuple[float, float], ...]) -> tuple[tuple[int, int], ...]:
    """The points around a seat at this angle, each once. Kept, because the lists have a thousand places."""
    return tuple(dict.fromkeys(CLOTH.around(angle + turn, out) for places in found for turn, out in places))
