"""The craps table as the stickman sees it: the dice, the layout with marker and chips, and who plays.

It is drawn twice, upright for a phone and lying for a desk; the stylesheet shows the one that fits.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from rules_engine.games.craps.layout import BOXES
from training.drawing import disputed
from training.drawing.bets import HOUSE, bet_results
from training.drawing.bubbles import beside_layout
from training.drawing.cloths.craps import words
from training.drawing.cloths.craps.chips import lay_bets
from training.drawing.cloths.craps.frame import ABOVE, BELOW, LYING, PRINT_HIGH, UPRIGHT, Frame, Point, middle
from training.drawing.cloths.craps.words import printed, spot_name
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box
from training.drawing.people import SHOULDERS, Croupier, Person, beside
from training.drawing.primitives import DIE, Die, Ellipse, Group, Label, Part, Rect
from training.drawing.scene import Scene
from training.drawing.tokens import Target, short

SEATS = 8
OFF = "off"
SIDE = 46  # the room for people beside the cloth
PRINT_LETTER = 7.2  # the width of a letter of a name
LEAN = (-8, 11)  # how the two dice lie, in degrees
CORNER = 222  # of the lying sheet: its left half is left to the page, which tells there what happened


def craps(scene: Scene) -> Drawing:
    results = bet_results(scene)
    told = [*words.told(scene, results, SEATS), *disputed.told(scene)]
    sheets = [_upright(scene, results), _lying(scene, results)]
    return Drawing(scene.situation.game, sheets, told, scene, disputed.focus(scene))


# ---------- the two sheets ----------


def _upright(scene: Scene, results: dict[int, int]) -> Sheet:
    frame, top = UPRIGHT, -78
    head = [
        Croupier(18, top + 24, printed("stickman", scene.language)),
        *_dice(scene, 98, top + 8),
        *_no_point(scene, 306, top + 26),
    ]
    left, right = -SIDE - 4, frame.wide + 8
    layers = _layers(scene, frame, results, head)
    window = Box(left, top, right, frame.bottom + 10)
    beside = [Box(90, top, right, top + 60), Box(-4, -4, frame.wide + 8, frame.bottom + 8)]
    layers["bubbles"] = _balloons(scene, frame, window, beside, (18, top + 24))
    return Sheet(f"{left} {top} {right - left} {frame.bottom + 10 - top}", layers, "upright")


def _lying(scene: Scene, results: dict[int, int]) -> Sheet:
    frame, top = LYING, -CORNER - 4
    head = [
        Croupier(70, frame.bottom + 32, printed("stickman", scene.language)),
        *_dice(scene, frame.props_left + 16, top + 6),
        *_no_point(scene, frame.wide - 52, top + 20),
    ]
    left, right = -8, frame.wide + 8
    layers = _layers(scene, frame, results, head)
    window = Box(left, top, right, frame.bottom + 72)
    beside = [Box(frame.props_left - 8, top, right, 0), Box(-4, -4, frame.wide + 8, frame.bottom + 8)]
    layers["bubbles"] = _balloons(scene, frame, window, beside, (70, frame.bottom + 32))
    return Sheet(f"{left} {top} {right - left} {frame.bottom + 72 - top}", layers, "lying")


def _balloons(
    scene: Scene, frame: Frame, window: Box, beside: Sequence[Box], stickman: tuple[int, int]
) -> Sequence[Part]:
    return beside_layout(scene, window, beside, _places(scene.situation, frame), ("stickman", stickman))


def _layers(scene: Scene, frame: Frame, results: dict[int, int], head: list[Part]) -> dict[str, Sequence[Part]]:
    return {
        "cloth": [*_felt(frame), *_fields(frame), *_print(frame, scene.language, scene.situation.bar)],
        "dice": head,
        "people": list(_people(scene, frame)),
        "marks": list(_marker(scene, frame)),
        "chips": lay_bets(scene, frame, results),
        "labels": list(_prizes(scene, frame)),
        "pointing": _targets(frame, scene.language) if scene.pointing == "spot" else [],
    }


# ---------- the cloth ----------


def _felt(frame: Frame) -> list[Part]:
    main = Rect("felt", -4, -4, frame.wide + 8, frame.bottom + 8, 10)
    if not frame.props:
        return [main]
    top, left = frame.top - 4, frame.props_left - 4
    return [Rect("felt", left, top, frame.wide + 4 - left, -top + 20, 10), main]


def _rect(kind: str, box: Box, point: str = "") -> Rect:
    return Rect(kind, box.left, box.top, box.right - box.left, box.bottom - box.top, point=point)


@cache
def _fields(frame: Frame) -> list[Part]:
    numbers = [_rect("field red", frame.number(box)) for box in BOXES]
    return [*(_rect("field", box, f"spot:{key}") for key, box in frame.fields.items()), *numbers]


@cache
def _print(frame: Frame, language: str, bar: str) -> list[Part]:
    """The names of rows and fields, and the numbers; the same for every reader of a language."""
    parts: list[Part] = []
    for chance in (*ABOVE, *BELOW):
        at, room = frame.row_name(chance)
        parts.append(_squeezed(at, printed(chance, language), room))
    for key in frame.named:
        field = frame.fields[key]
        text = printed(key, language)
        text += f" ({printed(f'bar_{bar}', language)})" if key == "dont-pass" else ""
        at = Point((field.left + field.right) // 2, field.top + PRINT_HIGH - 3)
        parts.append(_squeezed(at, text, field.right - field.left - 6))
    for box in BOXES:
        x, y = middle(frame.number(box))
        parts.append(Label("box-number", x - 14, y + 6, str(box)))
    return parts


def _squeezed(at: Point, text: str, room: int) -> Label:
    return Label("field-print", *at, text, wide=room if PRINT_LETTER * len(text) > room else 0)


# ---------- dice and marker ----------


def _dice(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The throw as it lies there, and its total; a die that jumped off the table is not there."""
    dice, one_off = scene.situation.dice, scene.situation.one_off
    for index, face in enumerate(dice[:1] if one_off else dice):
        yield Die(x + index * (DIE + 14), y, face, turn=LEAN[index])
    if dice and not one_off:
        yield Rect("sign black", x + 2 * DIE + 28, y, 46, 44, 8)
        yield Label("sign-number", x + 2 * DIE + 51, y + 32, str(scene.situation.total))


def _point(scene: Scene) -> int | None:
    """Where the marker stands: as the ruling leaves it, or as it was before the throw."""
    marker = scene.marks_after.get("marker")
    if marker is not None:
        return int(marker) if marker != OFF else None
    point: int | None = scene.situation.point
    return point


def _marker(scene: Scene, frame: Frame) -> Iterator[Part]:
    point = _point(scene)
    if point is not None:
        x, y = middle(frame.number(point))
        yield Group("puck on", [Ellipse("puck-body", 12, 12, x + 14, y), Label("puck-text", x + 14, y + 4, "ON")])


def _no_point(scene: Scene, x: int, y: int) -> Iterator[Part]:
    """The marker beside the cloth, with its dark side up."""
    if _point(scene) is None:
        text = Label("puck-text", x, y + 4, "OFF")
        yield Group("puck off", [Ellipse("puck-body", 17, 14, x, y), text])
        yield Label("sign-text", x, y + 29, printed(OFF, scene.language))


# ---------- people ----------


def _people(scene: Scene, frame: Frame) -> Iterator[Person]:
    """From the stickman's left onwards; whoever stands behind a place comes right after it."""
    situation = scene.situation
    for place, (x, y) in _places(situation, frame).items():
        taken = not place.isdigit() or int(place) in situation.seats
        percent = beside(place, upright=frame.upright)
        throws = place == situation.shooter
        yield Person(place, x, y, taken=taken, lit=place in scene.lit, ring=throws, percent=percent)


def _places(situation: Any, frame: Frame) -> dict[str, Point]:
    seats = [str(seat) for seat in range(1, max([SEATS, *situation.seats]) + 1)]
    places = sorted([*seats, *situation.standing])
    if frame.upright:
        step = frame.bottom / len(places)
        return {place: Point(SHOULDERS - SIDE - 4, round(step * (index + 0.5))) for index, place in enumerate(places)}
    begin = 160  # beside the stickman
    step = (frame.wide - begin) / len(places)
    return {place: Point(round(begin + step * (index + 0.5)), frame.bottom + 32) for index, place in enumerate(places)}


def _prizes(scene: Scene, frame: Frame) -> Iterator[Label]:
    """What each player gets in all, at their place."""
    places = _places(scene.situation, frame)
    won: dict[str, int] = {}
    for payment in scene.after.payments if scene.after else ():
        if payment.payer == HOUSE:
            won[payment.payee] = won.get(payment.payee, 0) + payment.amount
    for place, amount in won.items():
        x, y = places[place]
        text = f"+{short(amount, scene.language)}"
        if frame.upright:
            yield Label("prize", -SIDE // 2 - 4, y + 34, text, wide=SIDE - 8 if len(text) > 3 else 0)
        else:
            yield Label("prize", x, y + 34, text)


@cache
def _targets(frame: Frame, language: str) -> list[Part]:
    """Every spot by its field; the same for every reader of a language."""
    targets: list[Part] = []
    for key, box in frame.fields.items():
        size = (box.right - box.left, box.bottom - box.top)
        targets.append(Target(f"spot:{key}", spot_name(key, language), box.left, box.top, *size, first=not targets))
    return targets
