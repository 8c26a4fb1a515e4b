"""The roulette table as the croupier sees it: the wheel, the layout with chips on their spots, and who sits along it.

It is drawn twice, upright for a phone and lying for a desk; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from msgspec import structs

from rules_engine.games.roulette import layout
from training.drawing import disputed
from training.drawing.bets import HOUSE, bet_results
from training.drawing.bubbles import beside_layout
from training.drawing.chips import written
from training.drawing.cloths.roulette import words
from training.drawing.cloths.roulette.chips import lay_bets, lay_offer
from training.drawing.cloths.roulette.frame import FIELDS, LINE_HIGH, LYING, UPRIGHT, Frame, Point
from training.drawing.cloths.roulette.wheel import ORDERS, colour, covered, wheel
from training.drawing.cloths.roulette.words import chip_colours, colour_names, field_lines, spot_name
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import Box
from training.drawing.people import SHOULDERS, Croupier, Person, beside
from training.drawing.primitives import Label, Part, Rect, Symbol
from training.drawing.scene import Scene
from training.drawing.tokens import Target, short

SEATS = 8
SIDE = 46  # the room for people beside the cloth
EDGE = 24  # beyond the croupier's edge, where half of the chips on streets lies
MARKER = (18, 24)
NUMBER_WIDE, NUMBER_HIGH = 8, 12  # a digit of a printed number
PRINT_DIGIT = 7.2  # a letter of the name of a field
BOARD_ROW, BOARD_WIDE = 22, 180
COVERED = (480, 80)
PRIZE_ROOM = 18  # above the places of the lying sheet


def roulette(scene: Scene) -> Drawing:
    scene = _put_back(scene)
    results = bet_results(scene)
    told = words.told(scene, results, SEATS)
    if _unseen(scene, "layout"):
        return Drawing(scene.situation.game, [_covered()], told)
    told += disputed.told(scene)
    sheets = [_upright(scene, results), _lying(scene, results)]
    return Drawing(scene.situation.game, sheets, told, scene, _focus(scene))


def _focus(scene: Scene) -> list[str]:
    """What is disputed, else the number that is out."""
    number = scene.situation.number
    return disputed.focus(scene) or ([f"spot:{number}"] if number is not None and scene.pointing != "spot" else [])


def _put_back(scene: Scene) -> Scene:
    """With the chips that were off the cloth and are paid on a spot in the end."""
    situation = scene.situation
    paid = {(one.payee, one.spot) for one in (scene.after.payments if scene.after else ()) if one.spot}
    missing = paid - {(bet.player, bet.spot) for bet in situation.bets if (bet.player, bet.spot) in paid}
    put_on = [situation.incident.put_on(spot) for player, spot in sorted(missing) if player != HOUSE]
    if not any(put_on):
        return scene
    return replace(scene, situation=structs.replace(situation, bets=(*situation.bets, *filter(None, put_on))))


# ---------- the two sheets ----------


def _upright(scene: Scene, results: dict[int, int]) -> Sheet:
    frame, situation = UPRIGHT, scene.situation
    cloth, top = frame.cloth, -158
    board = list(_board(scene, cloth.left, cloth.bottom + 26, row=BOARD_ROW, columns=2))
    rows = -(-len(situation.colours) // 2)
    left, right = cloth.left - SIDE, cloth.right + EDGE
    bottom = cloth.bottom + 10 + (BOARD_ROW * rows + 14 if rows else 0)
    head = [
        *_wheel(scene, cloth.left + 32, top + 68, 60),
        Croupier(cloth.right - 66, top + 20, _("Croupier")),
        *_sign(scene, 2, top + 82),
    ]
    layers = _layers(scene, frame, results, head, board)
    layers["bubbles"] = beside_layout(
        scene,
        Box(left, top, right, bottom),
        [cloth, around(cloth.left + 32, top + 68, 124, 124), Box(2, top + 44, 130, top + 96)],
        _places(situation, frame),
        ("croupier", (cloth.right - 66, top + 20)),
    )
    return Sheet(f"{left} {top} {right - left} {bottom - top}", layers, "upright")


def _lying(scene: Scene, results: dict[int, int]) -> Sheet:
    frame = LYING
    cloth, radius = frame.cloth, 110
    left, right = cloth.left - 9, cloth.right + 9
    top = cloth.top - SIDE - PRIZE_ROOM - 2 * radius - 14
    bottom = cloth.bottom + EDGE + 34
    # The other half of the corner beside the wheel is left to the page, which tells there what happened.
    board = list(_board(scene, left + 390, top + 98, row=17))
    head = [
        *_wheel(scene, right - radius - 8, top + radius + 8, radius),
        Croupier((left + right) // 2, bottom - 19, _("Croupier")),
        *_sign(scene, left + 390, top + 60),
    ]
    layers = _layers(scene, frame, results, head, board)
    layers["bubbles"] = beside_layout(
        scene,
        Box(left, top, right, bottom),
        [cloth, Box(left + 380, top, right, top + 2 * radius + 16)],
        _places(scene.situation, frame),
        ("croupier", ((left + right) // 2, bottom - 19)),
    )
    return Sheet(f"{left} {top} {right - left} {bottom - top}", layers, "lying")


def _layers(
    scene: Scene, frame: Frame, results: dict[int, int], head: list[Part], board: list[Part]
) -> dict[str, Sequence[Part]]:
    cloth = frame.cloth
    edge = frame.box(-frame.zero, -frame.dozens - frame.evens, frame.long, 3 * frame.column + EDGE - 2)
    names = _names(frame, scene.language)
    room = Room(edge, [box for box, _label in names])
    marked = _marked(scene)
    out = [] if marked is None else [_rect("field-out", frame.cell(marked))]
    chips = lay_bets(scene, frame, room, results, marked)
    chips += lay_offer(scene, frame, room, _places(scene.situation, frame))
    marker = list(_marker(marked, frame, room))
    return {
        "cloth": [_rail(cloth), *_fields(frame), *out, *(label for _box, label in names)],
        "numbers": list(_numbers(frame, room)),
        "wheel": head,
        "people": list(_people(scene, frame)),
        "chips": chips,
        "marks": marker,
        "labels": [*board, *_prizes(scene, frame)],
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
    }


def _covered() -> Sheet:
    """A strip of plain cloth, where nothing of the table may be seen before the answer."""
    wide, high = COVERED
    label = Label("covered", wide // 2, high // 2 + 6, _("Covered until you have answered"))
    return Sheet(f"0 0 {wide} {high}", {"cloth": [Rect("felt", 4, 4, wide - 8, high - 8, 10), label]})


# ---------- the cloth ----------


def _rail(cloth: Box) -> Rect:
    left, top = cloth.left - 6, cloth.top - 6
    return Rect("felt", left, top, cloth.right + 6 - left, cloth.bottom + 6 - top, 10)


def _rect(kind: str, box: Box, spot: str = "") -> Rect:
    point = f"spot:{spot}" if spot else ""
    return Rect(kind, box.left, box.top, box.right - box.left, box.bottom - box.top, point=point)


@cache
def _fields(frame: Frame) -> list[Part]:
    numbers = [_rect(f"field {colour(number)}", frame.cell(number), str(number)) for number in layout.POCKETS]
    others = [_rect(f"field {key if key in ('red', 'black') else 'plain'}", frame.field(key), key) for key in FIELDS]
    return [*numbers, *others]


@cache
def _names(frame: Frame, _language: str) -> list[tuple[Box, Label]]:
    """What is printed in the fields besides numbers, and the room it takes; the same for every reader of a language."""
    names = []
    for key in FIELDS:
        field, (x, base) = frame.field(key), frame.printed(key)[0]
        wide = field.right - field.left
        for line in field_lines(key, frame.lines(key)):
            room = min(wide - 6, round(PRINT_DIGIT * len(line)))
            squeezed = room if room == wide - 6 else 0
            box = Box(x - room // 2, base - 11, x + room // 2, base + 4)
            names.append((box, Label("field-print", x, base, line, wide=squeezed)))
            base += LINE_HIGH
    return names


def _numbers(frame: Frame, room: Room) -> Iterator[Part]:
    """Every number where its field is free, the middle first; under chips on all sides it is not seen, as in life."""
    for number in layout.POCKETS:
        text = str(number)
        for x, y in frame.number_places(number):
            box = around(x, y, NUMBER_WIDE * len(text) - 2, NUMBER_HIGH)
            if room.free(box):
                yield Label("number", x, y + 5, text)
                break


# ---------- wheel, sign and board ----------


def _wheel(scene: Scene, x: int, y: int, radius: int) -> Iterator[Part]:
    if _unseen(scene, "wheel"):
        yield from covered(x, y, radius)
    else:
        painted = getattr(scene.situation.incident, "zero", None)
        zero = painted if painted in colour_names() else "zero"
        yield from wheel(x, y, radius, order=ORDERS[scene.situation.wheel], ball=_ball(scene), zero=zero)


def _unseen(scene: Scene, thing: str) -> bool:
    """Whether the question asks for what this would show."""
    return scene.asking and thing in scene.situation.incident.unseen


def _ball(scene: Scene) -> int | None:
    """The pocket in which the ball lies, if it lies in one."""
    situation, marks = scene.situation, scene.marks_after
    back = marks.get("ball", marks.get("marker"))
    if back is not None:
        return int(back)
    found: int | None = situation.incident.lying() if situation.number is None else situation.number
    return found


def _sign(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The number that is out, as the sign beside the wheel shows it, and the one before."""
    situation = scene.situation
    number = situation.number
    if number is not None:
        yield Rect(f"sign {colour(number)}", x, y - 34, 56, 44, 8)
        yield Label("sign-number", x + 28, y, str(number))
        if number:
            yield Label("sign-text", x + 66, y - 14, colour_names()[colour(number)], "start")
    if situation.previous is not None:
        text = _("Previous: %(number)s") % {"number": situation.previous}
        yield Label("sign-text", x + (66 if number is not None else 0), y + 6, text, "start")


def _board(scene: Scene, x: int, y: int, *, row: int, columns: int = 1) -> Iterator[Part]:
    """What the colours without face value stand for."""
    names = chip_colours()
    for index, chips in enumerate(scene.situation.colours):
        down, across = divmod(index, columns)
        left, base = x + BOARD_WIDE * across, y + row * down
        text = f"{chips.player}: {names[chips.colour]}, {written(chips.value)}"
        yield Rect(f"swatch colour-{chips.colour}", left, base - 12, 14, 14, 7)
        yield Label("board", left + 20, base, text, "start")


# ---------- people ----------


def _people(scene: Scene, frame: Frame) -> Iterator[Person]:
    """Along the players' side, from the wheel on; whoever stands behind a seat comes right after it."""
    situation = scene.situation
    for place, (x, y) in _places(situation, frame).items():
        taken = not place.isdigit() or int(place) in situation.seats
        percent = beside(place, upright=frame.upright)
        yield Person(place, x, y, taken=taken, lit=place in scene.lit, percent=percent)


def _places(situation: Any, frame: Frame) -> dict[str, Point]:
    seats = [str(seat) for seat in range(1, max([SEATS, *situation.seats]) + 1)]
    places = sorted([*seats, *situation.standing])
    step = frame.long / len(places)
    out = -frame.dozens - frame.evens - (SIDE - SHOULDERS if frame.upright else SIDE / 2 + 3)
    return {place: frame.at(step * (index + 0.5), out) for index, place in enumerate(places)}


def _prizes(scene: Scene, frame: Frame) -> Iterator[Label]:
    """What each player gets in all, at their place."""
    places = _places(scene.situation, frame)
    won: dict[str, int] = {}
    for payment in scene.after.payments if scene.after else ():
        if payment.payer == HOUSE:
            won[payment.payee] = won.get(payment.payee, 0) + payment.amount
    for place, amount in won.items():
        x, y = places[place]
        x = frame.cloth.left - SIDE // 2 - 3 if frame.upright else x
        text = f"+{short(amount, scene.language)}"
        wide = SIDE - 8 if frame.upright and len(text) > 3 else 0
        yield Label("prize", x, y + 32 if frame.upright else y - 22, text, wide=wide)


# ---------- marks and targets ----------


def _marked(scene: Scene) -> int | None:
    """The number that is marked on the cloth. While a spot is asked for by pointing, it does not give itself away."""
    if scene.after is not None:
        marker = scene.marks_after.get("marker", "")
        return int(marker) if marker.isdigit() else None
    number: int | None = scene.situation.number
    return None if scene.pointing == "spot" or not scene.situation.incident.number_marked() else number


def _marker(marked: int | None, frame: Frame, room: Room) -> Iterator[Part]:
    """The marker stands on its number; where chips lie on that, they carry it themselves."""
    if marked is None:
        return
    box = around(*frame.spot(str(marked)), *MARKER)
    if room.free(box):
        room.take(box)
        yield Symbol("marker", box.left, box.top, *MARKER, kind="marker")


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    """Every spot, fields before the lines that run over them; the same for every reader of a language."""
    targets: list[Part] = []
    for key in sorted(layout.spots(), key=lambda key: "-" in key):
        box = frame.target(key)
        size = (box.right - box.left, box.bottom - box.top)
        targets.append(Target(f"spot:{key}", spot_name(key, language), box.left, box.top, *size, first=not targets))
    return targets
