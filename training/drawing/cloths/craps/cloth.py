"""The craps table as the stickman sees it: the dice, the layout with marker and chips, and who plays.

It is drawn twice, upright for a phone and lying for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from rules_engine.games.craps.layout import BOXES
from training.drawing import disputed, layouts
from training.drawing.bubbles import beside_layout
from training.drawing.cloths.craps import words
from training.drawing.cloths.craps.chips import lay_bets
from training.drawing.cloths.craps.frame import ABOVE, BELOW, LYING, PRINT_HIGH, UPRIGHT, Frame
from training.drawing.cloths.craps.words import printed
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box, Point
from training.drawing.layouts import SIDE, bet_results, spread
from training.drawing.people import SHOULDERS, Croupier
from training.drawing.primitives import DIE, Die, Ellipse, Group, Label, Part, Rect
from training.drawing.scene import Scene

OFF = "off"
PRINT_LETTER = 7.2  # the width of a letter of a name
LEAN = (-8, 11)  # the angles of the two dice, in degrees


def craps(scene: Scene) -> Drawing:
    results = bet_results(scene)
    told = [*words.told(scene, results), *disputed.told(scene)]
    sheets = [_sheet(scene, frame, results) for frame in (UPRIGHT, LYING)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


def _sheet(scene: Scene, frame: Frame, results: dict[int, int]) -> Sheet:
    if frame.upright:
        window = Box(-SIDE - 4, -78, frame.wide + 8, frame.bottom + 10)
        stickman, dice, marker = Point(18, -54), Point(98, -70), Point(306, -52)
        beside = Box(90, window.top, window.right, window.top + 60)
    else:
        # The left half above the cloth is left to the page, which tells the story there.
        window = Box(-8, -226, frame.wide + 8, frame.bottom + 72)
        stickman = Point(70, frame.bottom + 32)
        dice, marker = Point(frame.props_left + 16, -220), Point(frame.wide - 52, -206)
        beside = Box(frame.props_left - 8, window.top, window.right, 0)
    places, situation = _places(scene.situation, frame), scene.situation
    column = -SIDE // 2 - 4 if frame.upright else None
    cloth = Box(-4, -4, frame.wide + 8, frame.bottom + 8)
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*_felt(frame), *_fields(frame), *_print(frame, scene.language, situation.bar)],
        "dice": [
            Croupier(*stickman, printed("stickman", scene.language)),
            *_dice(scene, *dice),
            *_no_point(scene, *marker),
        ],
        "people": list(layouts.people(scene, places, upright=frame.upright, ringed=situation.shooter)),
        "marks": list(_marker(scene, frame)),
        "chips": lay_bets(scene, frame, results),
        "labels": list(layouts.prizes(scene, places, dy=34, column=column)),
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
        "bubbles": beside_layout(scene, window, [beside, cloth], places, ("stickman", stickman)),
    }
    return Sheet(window, layers, "upright" if frame.upright else "lying")


# ---------- the cloth ----------


def _felt(frame: Frame) -> list[Part]:
    main = Rect("felt", -4, -4, frame.wide + 8, frame.bottom + 8, 10)
    if not frame.props:
        return [main]
    top, left = frame.top - 4, frame.props_left - 4
    return [Rect("felt", left, top, frame.wide + 4 - left, -top + 20, 10), main]


@cache
def _fields(frame: Frame) -> list[Part]:
    numbers = [Rect.of("field red", frame.number(box)) for box in BOXES]
    return [*(Rect.of("field", box, point=f"spot:{key}") for key, box in frame.fields.items()), *numbers]


@cache
def _print(frame: Frame, language: str, bar: str) -> list[Part]:
    """The names of rows and fields, and the numbers."""
    parts: list[Part] = []
    for chance in (*ABOVE, *BELOW):
        at, room = frame.row_name(chance)
        parts.append(_squeezed(at, printed(chance, language), room))
    for key in frame.named:
        field = frame.fields[key]
        text = printed(key, language)
        text += f" ({printed(f'bar_{bar}', language)})" if key == "dont-pass" else ""
        at = Point(field.middle.x, field.top + PRINT_HIGH - 3)
        parts.append(_squeezed(at, text, field.width - 6))
    for box in BOXES:
        x, y = frame.number(box).middle
        parts.append(Label("box-number", x - 14, y + 6, str(box)))
    return parts


def _squeezed(at: Point, text: str, room: int) -> Label:
    return Label("field-print", *at, text, wide=room if PRINT_LETTER * len(text) > room else 0)


# ---------- dice and marker ----------


def _dice(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The throw and its total. A die that jumped off the table is left out."""
    dice, one_off = scene.situation.dice, scene.situation.one_off
    for index, face in enumerate(dice[:1] if one_off else dice):
        yield Die(x + index * (DIE + 14), y, face, turn=LEAN[index])
    if dice and not one_off:
        yield Rect("sign black", x + 2 * DIE + 28, y, 46, 44, 8)
        yield Label("sign-number", x + 2 * DIE + 51, y + 32, str(scene.situation.total))


def _point(scene: Scene) -> int | None:
    """The number the marker stands on, after the ruling if there is one, else before the throw; None if it is off."""
    marker = scene.marks_after.get("marker")
    if marker is not None:
        return int(marker) if marker != OFF else None
    point: int | None = scene.situation.point
    return point


def _marker(scene: Scene, frame: Frame) -> Iterator[Part]:
    point = _point(scene)
    if point is not None:
        x, y = frame.number(point).middle
        yield Group("puck on", [Ellipse("puck-body", 12, 12, x + 14, y), Label("puck-text", x + 14, y + 4, "ON")])


def _no_point(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The marker beside the cloth, dark side up, when there is no point."""
    if _point(scene) is None:
        text = Label("puck-text", x, y + 4, "OFF")
        yield Group("puck off", [Ellipse("puck-body", 17, 14, x, y), text])
        yield Label("sign-text", x, y + 29, printed(OFF, scene.language))


# ---------- people ----------


def _places(situation: Any, frame: Frame) -> dict[str, Point]:
    """From the stickman's left onwards."""
    if frame.upright:
        return {place: Point(SHOULDERS - SIDE - 4, round(at)) for place, at in spread(situation, frame.bottom).items()}
    start = 160  # beside the stickman
    along = spread(situation, frame.wide - start, start)
    return {place: Point(round(at), frame.bottom + 32) for place, at in along.items()}


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    return layouts.targets(frame.fields.items(), words.BOOK, language)
