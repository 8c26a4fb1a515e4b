"""The craps table as the stickman sees it: the dice, the layout with marker and chips, and who plays.

It is drawn twice, upright for a phone and lying for a desktop; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from training.drawing import disputed, layouts
from training.drawing.bubbles import beside_layout
from training.drawing.cloths.craps import print, words
from training.drawing.cloths.craps.chips import lay_bets
from training.drawing.cloths.craps.frame import LYING, UPRIGHT, Frame
from training.drawing.cloths.craps.words import printed
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box, Point
from training.drawing.layouts import bet_results, spread
from training.drawing.people import Croupier
from training.drawing.primitives import DIE, Die, Ellipse, Group, Label, Part, Rect
from training.drawing.scene import Scene

OFF = "off"
CORNER = 40  # the radius of the corners of the table
RAIL = 30  # the width of the rail with the places on the upright sheet
LEAN = (-8, 11)  # the angles of the two dice, in degrees
COCKED, ON_EDGE = 30, 45  # the angle of a second die that does not lie flat


def craps(scene: Scene) -> Drawing:
    results = bet_results(scene)
    told = [*words.told(scene, results), *disputed.told(scene)]
    sheets = [_sheet(scene, frame, results) for frame in (UPRIGHT, LYING)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


def _sheet(scene: Scene, frame: Frame, results: dict[int, int]) -> Sheet:
    if frame.upright:
        window = Box(-8 - RAIL, -92, frame.wide + 16, frame.bottom + 20)
        stickman, dice, marker = Point(30, -64), Point(104, -84), Point(312, -66)
        beside = Box(90, window.top, window.right, window.top + 60)
    else:
        # The left half above the cloth is left to the page, which tells the story there.
        window = Box(-22, -276, frame.wide + 22, frame.bottom + 56)
        stickman = Point(70, frame.bottom + 16)
        dice, marker = Point(frame.props_left + 16, -270), Point(frame.wide - 52, -256)
        beside = Box(frame.props_left - 8, window.top, window.right, 0)
    places, situation = _places(scene, frame), scene.situation
    column = -8 - RAIL // 2 if frame.upright else None
    cloth = Box(-8, -8, frame.wide + 8, frame.bottom + 8)
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*_table(frame), *print.fields(frame), *print.words(frame, scene.language, situation.bar)],
        "dice": [
            Croupier(*stickman, printed("stickman", scene.language)),
            *_dice(scene, *dice),
            *_no_point(scene, *marker),
        ],
        "people": list(layouts.people(scene, places, upright=frame.upright, ringed=situation.shooter)),
        "marks": list(_marker(scene, frame)),
        "chips": lay_bets(scene, frame, results),
        "labels": list(layouts.prizes(scene, places, dy=34, column=column, room=28)),
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
        "bubbles": beside_layout(scene, window, [beside, cloth], places, ("stickman", stickman)),
    }
    return Sheet(window, layers, "upright" if frame.upright else "lying")


# ---------- the cloth ----------


def _table(frame: Frame) -> list[Part]:
    """The cloth, and above it the part with the bets on one throw, before the stickman."""
    felt = Box(-8, -8, frame.wide + 8, frame.bottom + 8)
    if frame.upright:
        return layouts.table_top(felt, Box(-8 - RAIL, -20, frame.wide + 16, frame.bottom + 20), corner=CORNER)
    upper = layouts.table_top(Box(frame.props_left - 8, frame.top - 8, frame.wide + 8, -23), corner=16)
    return [*upper, *layouts.table_top(felt, corner=CORNER)]


# ---------- dice and marker ----------


def _dice(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The throw and its total. A die that jumped off the table is left out; one on an edge shows no face."""
    situation = scene.situation
    dice, one_off = situation.dice, situation.one_off
    if situation.between:
        dice = (dice[0], 0)
    leaning = getattr(situation.incident, "lies", "") == "leaning"
    second = ON_EDGE if situation.between else COCKED if leaning else LEAN[1]
    for index, face in enumerate(dice[:1] if one_off else dice):
        yield Die(x + index * (DIE + 14), y, face, turn=(LEAN[0], second)[index])
    if dice and not one_off and not situation.between:
        yield Rect("plaque", x + 2 * DIE + 28, y, 50, 44, 8)
        yield Label("sign-number", x + 2 * DIE + 53, y + 34, str(situation.total), size=34)


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
        box = frame.number(point)
        x, y = (box.middle.x, box.bottom - 14) if frame.upright else (box.middle.x + 28, box.middle.y)
        yield Group("puck on", [Ellipse("puck-body", 12, 12, x, y), Label("puck-text", x, y + 4, "ON")])


def _no_point(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The marker beside the cloth, dark side up, when there is no point."""
    if _point(scene) is None:
        text = Label("puck-text", x, y + 4, "OFF")
        yield Group("puck off", [Ellipse("puck-body", 17, 14, x, y), text])
        yield Label("sign-text", x, y + 29, printed(OFF, scene.language))


# ---------- people ----------


def _places(scene: Scene, frame: Frame) -> dict[str, Point]:
    """From the stickman's left onwards."""
    if frame.upright:
        return {place: Point(-8 - RAIL // 2, round(at)) for place, at in spread(scene, frame.bottom).items()}
    start = 160  # beside the stickman
    along = spread(scene, frame.wide - start, start)
    return {place: Point(round(at), frame.bottom + 15) for place, at in along.items()}


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    return layouts.targets(frame.fields.items(), words.BOOK, language)
