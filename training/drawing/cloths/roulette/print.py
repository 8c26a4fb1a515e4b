"""What is printed on the cloth: the lines, the numbers in their ovals or cartouches, and the names of the chances."""

from functools import cache

from rules_engine.games.roulette import layout
from training.drawing.cloths.roulette.frame import FIELDS, FRENCH, Frame
from training.drawing.cloths.roulette.wheel import colour
from training.drawing.cloths.roulette.words import field_print
from training.drawing.free_space import around
from training.drawing.geometry import Box, Point
from training.drawing.primitives import Label, Part, Path, Rect
from training.drawing.texts import width

LARGE, WORD, SMALL = 25, 17, 14.5  # the size of the names of the chances: in large fields, in others, in small ones
BASE = 0.35  # from the middle of print to its base line, as a part of its size
DIGIT, HIGH = 0.64, 0.72  # the size of a digit, as parts of its font size
ON_SIDE = 22  # the length of a figure on its side, between the chips on the line above it and those below it
DIAMONDS = ("red", "black")


@cache
def fields(frame: Frame) -> list[Part]:
    """The lines of every field."""
    cells = [(frame.cell(number), str(number)) for number in layout.POCKETS if number]
    cells += [(frame.field(key), key) for key in FIELDS]
    lines: list[Part] = [Rect.of("field", box, point=f"spot:{spot}") for box, spot in cells]
    if frame.french:
        lines += [Rect.of("field", frame.foot_dozen(third, beyond=True)) for third in range(3)]
    return [*lines, Path("field", _zero(frame), "spot:0")]


@cache
def shapes(frame: Frame) -> list[Part]:
    """What the numbers stand on, and the diamonds of the colours."""
    shape = _cartouche if frame.french else _oval
    found: list[Part] = []
    for kind in DIAMONDS:
        boxes = [frame.face(number) for number in layout.POCKETS if colour(number) == kind]
        found.append(Path(f"oval {kind}", "".join(shape(box, 0) for box in boxes)))
        found.append(Path("oval-line", "".join(shape(box, 2.5) for box in boxes)))
        found += _diamond(kind, frame.field(kind))
    return found


def highlight(frame: Frame, number: int) -> list[Part]:
    """The field of the winning number."""
    return [Rect.of("field-out", frame.cell(number)) if number else Path("field-out", _zero(frame))]


@cache
def figures(frame: Frame) -> list[tuple[Box, Label]]:
    """Every number, and the box it takes. As printed, the heads of the figures are towards the zero."""
    turn = 90 if frame.as_printed and not frame.upright else 0
    found = []
    for number in layout.POCKETS:
        middle = frame.face(number).middle if number else frame.at(-frame.zero * 0.58, 1.5 * frame.column)
        size = frame.figure if number else round(frame.figure * 1.4)
        wide = round(DIGIT * size * len(str(number)))
        squeezed = ON_SIDE if turn and wide > ON_SIDE else 0
        box = _taken(middle, squeezed or wide, round(HIGH * size), turn)
        found.append((box, _lettered("figure", middle, str(number), size, turn, squeezed)))
    return found


@cache
def names(frame: Frame, _language: str) -> list[tuple[Box, Label]]:
    """The print in the fields besides numbers, and the box it takes. As printed, it faces the players beside it."""
    found = []
    for key in FIELDS:
        if key not in DIAMONDS:
            field, (middle, _chips) = frame.field(key), frame.printed(key)
            turn = _facing(frame, key) if frame.as_printed else _to_reader(frame, key)
            found.append(_named(frame, field, middle, field_print(key, french=frame.french), key, turn))
    for third in range(3 if frame.french else 0):
        field = frame.foot_dozen(third, beyond=True)
        text = field_print(f"dozen.{third + 1}", french=True)
        found.append(_named(frame, field, frame.at_foot(field)[0], text, f"dozen.{third + 1}", 0))
    return found


def _is_small(frame: Frame, key: str) -> bool:
    """Whether the print has a field as narrow as that of a number."""
    return key.startswith("column") or (frame.french and key.startswith("dozen"))


def _to_reader(frame: Frame, key: str) -> int:
    """How the print of a field is turned to be read by the croupier."""
    return -90 if frame.upright and not _is_small(frame, key) else 0


def _facing(frame: Frame, key: str) -> int:
    """How the print of a field is turned as on the cloth: columns like the numbers, the rest towards its players."""
    beyond = frame.french and key in FRENCH[1]
    if frame.upright:
        return 0 if _is_small(frame, key) else -90 if beyond else 90
    return 90 if key.startswith("column") else 0 if beyond else 180


def _named(frame: Frame, field: Box, middle: Point, text: str, key: str, turn: int) -> tuple[Box, Label]:
    size = SMALL if _is_small(frame, key) else LARGE if frame.french and not frame.upright else WORD
    sideways = turn in (90, -90)
    beside = frame.token[0] if frame.french and key.startswith("dozen") else 0
    room = (field.height - (frame.token[1] if frame.upright else 0) - 12) if sideways else field.width - beside - 6
    wide = min(room, width(text, size))
    squeezed = room if wide == room else 0
    return _taken(middle, wide, round(size), turn), _lettered("field-print", middle, text, size, turn, squeezed)


def _taken(middle: Point, wide: int, high: int, turn: int) -> Box:
    return around(*middle, high, wide) if turn in (90, -90) else around(*middle, wide, high)


def _lettered(kind: str, middle: Point, text: str, size: float, turn: int, wide: int = 0) -> Label:
    """Text around its middle, turned about it."""
    down = round(BASE * size)
    across, along = {0: (0, down), 90: (-down, 0), 180: (0, -down), -90: (down, 0)}[turn]
    return Label(kind, middle.x + across, middle.y + along, text, wide=wide, turn=turn, size=size)


# ---------- shapes ----------


def _oval(box: Box, inset: float) -> str:
    rx, ry = 0.37 * box.width - inset, 0.42 * box.height - inset
    x, y = box.middle
    return f"M{x - rx:.1f} {y}a{rx:.1f} {ry:.1f} 0 1 0 {2 * rx:.1f} 0a{rx:.1f} {ry:.1f} 0 1 0 {-2 * rx:.1f} 0z"


def _cartouche(box: Box, inset: float) -> str:
    """A rectangle with hollow corners, which leaves the corners of the field free for chips."""
    margin = 0.09 * min(box.width, box.height) + inset
    wide, high = box.width - 2 * margin, box.height - 2 * margin
    q = 0.22 * min(box.width, box.height)
    a = f"a{q:.1f} {q:.1f} 0 0 0 "
    return (
        f"M{box.left + margin + q:.1f} {box.top + margin:.1f}h{wide - 2 * q:.1f}{a}{q:.1f} {q:.1f}v{high - 2 * q:.1f}"
        f"{a}{-q:.1f} {q:.1f}h{2 * q - wide:.1f}{a}{-q:.1f} {-q:.1f}v{2 * q - high:.1f}{a}{q:.1f} {-q:.1f}z"
    )


def _diamond(kind: str, field: Box) -> list[Part]:
    x, y = field.middle
    dx, dy = min(0.3 * field.width, 44), min(0.34 * field.height, 44)
    if field.width > field.height:
        dx, dy = min(dx, 2 * dy), dy
    else:
        dx, dy = dx, min(dy, 2 * dx)

    def path(by: float) -> str:
        return f"M{x - dx * by:.1f} {y}L{x} {y - dy * by:.1f}L{x + dx * by:.1f} {y}L{x} {y + dy * by:.1f}z"

    return [Path(f"diamond {kind}", path(1)), Path("oval-line", path(0.8))]


def _zero(frame: Frame) -> str:
    """The field of the zero, pointed on the American cloth and round on the French one."""
    far, near, wide = -frame.zero, -0.45 * frame.zero, 3 * frame.column
    points = [
        frame.at(u, v) for u, v in ((0, 0), (near, 0), (far, wide / 2), (near, wide), (0, wide), (far, 0), (far, wide))
    ]
    one, two, tip, three, four, before, after = (f"{x} {y}" for x, y in points)
    if frame.french:
        return f"M{one}L{two}Q{before} {tip}Q{after} {three}L{four}z"
    return f"M{one}L{two}L{tip}L{three}L{four}z"
