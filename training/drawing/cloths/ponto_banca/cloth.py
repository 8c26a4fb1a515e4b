"""The ponto e banca table as the dealer sees it: a half-moon with three bands, cut into a cell for every seat.

It is drawn twice, narrow for a phone and wide for a desktop; the stylesheet shows the one that fits.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from rules_engine import RULEBOOKS, Rulebook
from rules_engine.games.ponto_banca import GAME
from rules_engine.games.ponto_banca.table import Situation
from training.drawing import disputed
from training.drawing.bubbles import bubbles
from training.drawing.cards import boxes
from training.drawing.cloths.baccarat import cloth as baccarat
from training.drawing.cloths.ponto_banca import words
from training.drawing.cloths.ponto_banca.bets import Bets, bets_of, results, winning
from training.drawing.cloths.ponto_banca.chips import Cell, cells, groups, stakes_of
from training.drawing.cloths.ponto_banca.layout import (
    BANDS,
    LYING,
    LYING_PAIRS,
    PAIRS,
    SPAN,
    UPRIGHT,
    UPRIGHT_PAIRS,
    Frame,
    Seats,
)
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import Box, Point, seat_of
from training.drawing.half_moon import Tray, dealer, shoe, used_cards
from training.drawing.half_moon import boxes as boxes_of
from training.drawing.people import Person
from training.drawing.primitives import Label, Part, Path
from training.drawing.scene import Scene
from training.drawing.texts import width

LEAST_SEATS = 7  # at a single table, by every rulebook
MARGIN = 6  # from the outermost person to the edge of the picture
LINE = 1.35  # from one printed line to the next, as a part of its size
ODDS = 12.9, 10.5  # the size of the printed odds on a phone and on a desktop


def ponto_banca(scene: Scene) -> Drawing:
    situation: Situation = scene.situation
    bets = bets_of(situation)
    ended = results(scene, bets)
    # The cards that chemin de fer burns go to the used cards here.
    heaps = [heap._replace(name="used") if heap.name == "burned" else heap for heap in baccarat.lying(scene)]
    paired = _has_pairs(scene, bets)
    frames = (UPRIGHT_PAIRS, LYING_PAIRS) if paired else (UPRIGHT, LYING)
    names = words.names_of((*BANDS, *PAIRS) if paired else BANDS)
    sheets = [_sheet(scene, frame, bets, ended, heaps, names) for frame in frames]
    told = words.told(scene, _seats(scene), bets, ended, heaps)
    return Drawing(situation.game, sheets, told, scene, disputed.focus(scene))


def _book(scene: Scene) -> Rulebook:
    return RULEBOOKS[scene.rulebook] if scene.rulebook else GAME.books[0]


def _has_pairs(scene: Scene, bets: Bets) -> bool:
    """Whether the rulebook has pairs, or, if it is not named, somebody bets on one."""
    offer = disputed.offer_of(scene.situation)
    chances = {chance for _player, chance in bets} | {offer.spot if offer else ""}
    return bool(chances & set(PAIRS)) or PAIRS[0] in _book(scene).param("chances")


def _seats(scene: Scene) -> int:
    """The number of seats: as the incident says, else as the house's table has it or the usual number."""
    incident = scene.situation.incident
    boards: Sequence[int] = getattr(incident, "boards", ())
    told = boards[0] if boards else int(getattr(incident, "places", 0))
    return max([told, *scene.situation.seats]) if told else scene.seats(LEAST_SEATS)


def _sheet(
    scene: Scene, frame: Frame, bets: Bets, ended: Bets, heaps: list[baccarat.Lying], names: Mapping[str, str]
) -> Sheet:
    seats, won = Seats(frame, _seats(scene)), winning(scene, ended)
    people = list(_people(scene, seats))
    window = _window(frame, people)
    lying = cells(seats, stakes_of(scene, bets, ended), names, won)
    cards = baccarat.arrange(
        heaps, hand_y=frame.hand_y, spare_y=frame.spare_y, spare_wide=frame.spare_wide, lit=scene.lit, labels=names
    )
    furniture = [shoe(*frame.shoe), used_cards(*frame.used)]
    chips = list(groups(scene, frame, lying))
    heads = [around(person.x, person.y, 2 * person.radius + 4, 2 * person.radius + 4) for person in people]
    plate = Box(-50, frame.table.box.bottom - 20, 50, frame.table.box.bottom + 6)
    taken = [*heads, plate, frame.tray, *boxes(cards), *boxes_of(furniture), *_chip_boxes(lying)]
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*frame.table.top(), *_bands(seats, names, won), *_print(scene, frame, lying)],
        "people": [Tray(frame.tray, scene.kit), dealer(frame.table, _("Croupier")), *people],
        "cards": [*furniture, *cards],
        "chips": chips,
        "bubbles": list(bubbles(scene, Room(window, taken, kit=scene.kit), _speakers(frame, people))),
    }
    return Sheet(window, layers, "upright" if frame.upright else "lying whole")


def _window(frame: Frame, people: Sequence[Person]) -> Box:
    _left, top, right, bottom = frame.table.box
    reach = [person.radius + MARGIN for person in people]
    side = max([right + 4, *(abs(one.x) + far for one, far in zip(people, reach, strict=True))])
    high = min([top - 2, *(one.y - far for one, far in zip(people, reach, strict=True))])
    return Box(-side, high, side, bottom + 10)


def _people(scene: Scene, seats: Seats) -> Iterator[Person]:
    """The seats, then the people standing in the gaps between seats, later ones behind earlier ones.

    Beyond the last seat is the dealer, so people stand before it there."""
    situation, lit, percent = scene.situation, scene.lit, seats.frame.seat_percent
    for number in range(1, seats.count + 1):
        x, y = seats.place(number)
        place, taken = str(number), number in situation.seats
        yield Person(place, x, y, taken=taken, lit=place in lit, percent=percent, plain=True)
    rows: Counter[int] = Counter()
    for place in situation.standing:
        gap = min(seat_of(place), seats.count - 1)
        x, y = seats.place(gap + 0.5, rows[gap])
        rows[gap] += 1
        yield Person(place, x, y, lit=place in lit, percent=percent - 4, plain=True)


def _speakers(frame: Frame, people: Sequence[Person]) -> dict[str, tuple[int, int]]:
    return {person.place: (person.x, person.y) for person in people} | {"croupier": (0, frame.table.box.bottom - 7)}


def _chip_boxes(lying: Sequence[Cell]) -> list[Box]:
    return [around(*at, *cell.token) for cell in lying for at in cell.spots]


# ---------- the cloth ----------


def _bands(seats: Seats, names: Mapping[str, str], won: set[str]) -> Iterator[Part]:
    """The cells of every band; a band that won is lighter and has a gold frame."""
    frame, moon, half = seats.frame, seats.frame.moon, SPAN / 2
    shapes = {chance: (*frame.band(chance), -half, half) for chance in names}
    if PAIRS[0] in names:
        shapes |= {PAIRS[0]: (*frame.band(PAIRS[0]), -half, 0), PAIRS[1]: (*frame.band(PAIRS[1]), 0, half)}
    for chance, shape in shapes.items():
        yield Path(f"band-fill {chance}{' won' if chance in won else ''}", moon.cell(*shape))
    for chance in BANDS:
        outer, inner = frame.band(chance)
        edges = [seats.angle(seat + 0.5) for seat in range(1, seats.count)]
        yield Path("field", "".join(_cut(moon.at(outer, angle), moon.at(inner, angle)) for angle in edges))
    for chance, shape in shapes.items():
        if chance in won:
            yield Path("field-won", moon.cell(*shape))


def _cut(outer: Point, inner: Point) -> str:
    return f"M{outer.x} {outer.y}L{inner.x} {inner.y}"


def _print(scene: Scene, frame: Frame, lying: Sequence[Cell]) -> Iterator[Part]:
    """The names in the cells and, unless questions are open, what the bands pay."""
    yield from (cell.name for cell in lying if cell.name is not None)
    if frame.odds and not scene.asking:
        size, y = ODDS[0 if frame.upright else 1], float(frame.odds)
        for index, text in enumerate(_lines(words.odds(_book(scene)), size, frame.odds_room)):
            yield Label("field-print gold" if not index else "odds-print", 0, round(y), text, size=size)
            y += LINE * size


def _lines(texts: Sequence[str], size: float, room: int) -> list[str]:
    """The first text on its own line, the others on one if there is room."""
    first, *others = texts
    joined = " · ".join(others)
    return [first, joined] if width(joined, size) <= room else [first, *others]
