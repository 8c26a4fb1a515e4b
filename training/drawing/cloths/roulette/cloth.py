"""The roulette table as the croupier sees it: the wheel, the layout with chips on their spots, and who sits along it.

It is drawn twice, upright for a phone and lying for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from msgspec import structs

from rules_engine.games.roulette import GAME, layout
from training.drawing import disputed, layouts
from training.drawing.bubbles import beside_layout
from training.drawing.chips import written
from training.drawing.cloths.roulette import words
from training.drawing.cloths.roulette.chips import lay_bets, lay_offer
from training.drawing.cloths.roulette.frame import FIELDS, LINE_HIGH, LYING, UPRIGHT, Frame
from training.drawing.cloths.roulette.wheel import ORDERS, colour, covered, wheel
from training.drawing.cloths.roulette.words import chip_colours, colour_names, field_lines
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import Box, Point
from training.drawing.layouts import HOUSE, SIDE, bet_results
from training.drawing.people import SHOULDERS, Croupier
from training.drawing.primitives import Label, Part, Rect, Symbol
from training.drawing.scene import Scene

EDGE = 24  # beyond the croupier's edge, where chips on streets overhang
MARKER = (18, 24)
NUMBER_WIDE, NUMBER_HIGH = 8, 12  # the size of a digit of a printed number
PRINT_DIGIT = 7.2  # the width of a letter of a field name
BOARD_ROW, BOARD_WIDE = 22, 180
COVERED = (480, 80)
PRIZE_ROOM = 18  # above the places of the lying sheet


def roulette(scene: Scene) -> Drawing:
    scene = _put_back(scene)
    results = bet_results(scene)
    told = words.told(scene, results)
    if _unseen(scene, "layout"):
        return Drawing(scene.situation.game, [_covered()], told)
    told += disputed.told(scene)
    sheets = [_upright(scene, results), _lying(scene, results)]
    return Drawing(scene.situation.game, sheets, told, scene, _focus(scene))


def _focus(scene: Scene) -> list[str]:
    """The disputed chips, else the winning number."""
    number = scene.situation.number
    return disputed.focus(scene) or ([f"spot:{number}"] if number is not None and scene.pointing != "spot" else [])


def _put_back(scene: Scene) -> Scene:
    """Add the bets that had come off the cloth and that the ruling pays on a spot."""
    situation = scene.situation
    paid = {(one.payee, one.spot) for one in (scene.after.payments if scene.after else ()) if one.spot}
    missing = paid - {(bet.player, bet.spot) for bet in situation.bets if (bet.player, bet.spot) in paid}
    put_on = [situation.incident.put_on(spot) for player, spot in sorted(missing) if player != HOUSE]
    if not any(put_on):
        return scene
    return replace(scene, situation=structs.replace(situation, bets=(*situation.bets, *filter(None, put_on))))


# ---------- the two sheets ----------


def _upright(scene: Scene, results: dict[int, int]) -> Sheet:
    cloth, top = UPRIGHT.cloth, -158
    rows = -(-len(scene.situation.colours) // 2)
    bottom = cloth.bottom + 10 + (BOARD_ROW * rows + 14 if rows else 0)
    wheel_at, croupier = Point(cloth.left + 32, top + 68), Point(cloth.right - 66, top + 20)
    return _sheet(
        scene,
        UPRIGHT,
        results,
        window=Box(cloth.left - SIDE, top, cloth.right + EDGE, bottom),
        head=[*_wheel(scene, *wheel_at, 60), Croupier(*croupier, _("Croupier")), *_sign(scene, 2, top + 82)],
        board=list(_board(scene, cloth.left, cloth.bottom + 26, row=BOARD_ROW, columns=2)),
        beside=[around(*wheel_at, 124, 124), Box(2, top + 44, 130, top + 96)],
        croupier=croupier,
    )


def _lying(scene: Scene, results: dict[int, int]) -> Sheet:
    cloth, radius = LYING.cloth, 110
    left, right = cloth.left - 9, cloth.right + 9
    top = cloth.top - SIDE - PRIZE_ROOM - 2 * radius - 14
    bottom = cloth.bottom + EDGE + 34
    croupier = Point((left + right) // 2, bottom - 19)
    # The left half above the cloth is left to the page, which tells the story there.
    return _sheet(
        scene,
        LYING,
        results,
        window=Box(left, top, right, bottom),
        head=[
            *_wheel(scene, right - radius - 8, top + radius + 8, radius),
            Croupier(*croupier, _("Croupier")),
            *_sign(scene, left + 390, top + 60),
        ],
        board=list(_board(scene, left + 390, top + 98, row=17)),
        beside=[Box(left + 380, top, right, top + 2 * radius + 16)],
        croupier=croupier,
    )


def _sheet(
    scene: Scene,
    frame: Frame,
    results: dict[int, int],
    *,
    window: Box,
    head: list[Part],
    board: list[Part],
    beside: list[Box],
    croupier: Point,
) -> Sheet:
    """The table with what stands beside the cloth: the `head` with the wheel, and the `board` of chip colours."""
    cloth, places = frame.cloth, _places(scene.situation, frame)
    rail = Box(cloth.left - 6, cloth.top - 6, cloth.right + 6, cloth.bottom + 6)
    edge = frame.box(-frame.zero, -frame.dozens - frame.evens, frame.long, 3 * frame.column + EDGE - 2)
    names = _names(frame, scene.language)
    room = Room(edge, [box for box, _label in names])
    marked = _marked(scene)
    out = [] if marked is None else [Rect.of("field-out", frame.cell(marked))]
    chips = [*lay_bets(scene, frame, room, results, marked), *lay_offer(scene, frame, room, places)]
    marker = list(_marker(marked, frame, room))
    column, dy = (cloth.left - SIDE // 2 - 3, 32) if frame.upright else (None, -22)
    layers: dict[str, Sequence[Part]] = {
        "cloth": [Rect.of("felt", rail, 10), *_fields(frame), *out, *(label for _box, label in names)],
        "numbers": list(_numbers(frame, room)),
        "wheel": head,
        "people": list(layouts.people(scene, places, upright=frame.upright)),
        "chips": chips,
        "marks": marker,
        "labels": [*board, *layouts.prizes(scene, places, dy=dy, column=column)],
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
        "bubbles": beside_layout(scene, window, [cloth, *beside], places, ("croupier", croupier)),
    }
    return Sheet(window, layers, "upright" if frame.upright else "lying")


def _covered() -> Sheet:
    """A strip of plain cloth, for questions that must be answered without seeing the table."""
    wide, high = COVERED
    label = Label("covered", wide // 2, high // 2 + 6, _("Covered until you have answered"))
    return Sheet(Box(0, 0, wide, high), {"cloth": [Rect("felt", 4, 4, wide - 8, high - 8, 10), label]})


# ---------- the cloth ----------


@cache
def _fields(frame: Frame) -> list[Part]:
    fields = [(colour(number), frame.cell(number), str(number)) for number in layout.POCKETS]
    fields += [(key if key in ("red", "black") else "plain", frame.field(key), key) for key in FIELDS]
    return [Rect.of(f"field {kind}", box, point=f"spot:{spot}") for kind, box, spot in fields]


@cache
def _names(frame: Frame, _language: str) -> list[tuple[Box, Label]]:
    """The print in the fields besides numbers, and the box it takes."""
    names = []
    for key in FIELDS:
        field, (x, base) = frame.field(key), frame.printed(key)[0]
        wide = field.width
        for line in field_lines(key, frame.lines(key)):
            room = min(wide - 6, round(PRINT_DIGIT * len(line)))
            squeezed = room if room == wide - 6 else 0
            box = Box(x - room // 2, base - 11, x + room // 2, base + 4)
            names.append((box, Label("field-print", x, base, line, wide=squeezed)))
            base += LINE_HIGH
    return names


def _numbers(frame: Frame, room: Room) -> Iterator[Part]:
    """Print every number where its field is free, preferably in the middle. Under chips on all sides it is left out."""
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
    """Whether this would give away the answer to the question."""
    return scene.asking and thing in scene.situation.incident.unseen


def _ball(scene: Scene) -> int | None:
    """The pocket the ball lies in, if any."""
    situation, marks = scene.situation, scene.marks_after
    back = marks.get("ball", marks.get("marker"))
    if back is not None:
        return int(back)
    found: int | None = situation.incident.lying() if situation.number is None else situation.number
    return found


def _sign(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The sign beside the wheel: the winning number and the one before."""
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
    """The value of each player's coloured chips."""
    names = chip_colours()
    for index, chips in enumerate(scene.situation.colours):
        down, across = divmod(index, columns)
        left, base = x + BOARD_WIDE * across, y + row * down
        text = f"{chips.player}: {names[chips.colour]}, {written(chips.value)}"
        yield Rect(f"swatch colour-{chips.colour}", left, base - 12, 14, 14, 7)
        yield Label("board", left + 20, base, text, "start")


# ---------- people ----------


def _places(situation: Any, frame: Frame) -> dict[str, Point]:
    """Along the players' side, from the wheel onwards."""
    out = -frame.dozens - frame.evens - (SIDE - SHOULDERS if frame.upright else SIDE / 2 + 3)
    return {place: frame.at(at, out) for place, at in layouts.spread(situation, frame.long).items()}


# ---------- marks and targets ----------


def _marked(scene: Scene) -> int | None:
    """The number with the marker. None while the trainee has to point at a spot, as it would give away the answer."""
    if scene.after is not None:
        marker = scene.marks_after.get("marker", "")
        return int(marker) if marker.isdigit() else None
    number: int | None = scene.situation.number
    return None if scene.pointing == "spot" or not scene.situation.incident.number_marked() else number


def _marker(marked: int | None, frame: Frame, room: Room) -> Iterator[Part]:
    """The marker on its number, unless chips lie there: those carry it themselves."""
    if marked is None:
        return
    box = around(*frame.spot(str(marked)), *MARKER)
    if room.free(box):
        room.take(box)
        yield Symbol("marker", box.left, box.top, *MARKER, kind="marker")


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    """Every spot; the lines come after the fields they run over."""
    keys = sorted(layout.spots(), key=lambda key: "-" in key)
    return layouts.targets(((key, frame.target(key)) for key in keys), GAME.books[0], language)
