"""What is printed on the craps cloth: lines that turn the corner, gold numbers, red words edged in ivory, and dice."""

from collections.abc import Iterator
from functools import cache

from rules_engine.games.craps.layout import BOXES
from training.drawing.cloths.craps.frame import ABOVE, BELOW, Frame
from training.drawing.cloths.craps.words import printed
from training.drawing.geometry import Box, Point
from training.drawing.primitives import Label, Part, Path, PrintedDie, Rect
from training.drawing.texts import width

NAME, ROW_NAME = 15, 13.5  # the size of the names of fields and rows
TALL = {"come": 27, "pass": 21, "dont-pass": 15, "field": 17, "big": 21}  # of names above chips on an upright sheet
DIE, TALL_DIE = 17, 22
WORDS = {6: "SIX", 9: "NINE"}  # as printed, so that neither is read upside down
# The dice of a bet on one throw.
PAIRS = {
    **{f"hard.{2 * face}": (face, face) for face in (2, 3, 4, 5)},
    "total.2": (1, 1),
    "total.3": (1, 2),
    "total.11": (5, 6),
    "total.12": (6, 6),
}
BARS = {"sixes": (6, 6), "aces": (1, 1)}
SIZES = {
    "come": 40,
    "field": 19,
    "pass": 25,
    "dont-pass": 18,
    "dont-pass-odds": 16,
    "pass-odds": 16,
}  # of the large words
UPPER = ("come", "pass", "dont-pass")
CORNER, INNER = 54, 24  # the radii of the lines that turn the corner


@cache
def fields(frame: Frame) -> list[Part]:
    """The lines of every field. Beside the numbers the pass line and the don't pass line turn the corner."""
    boxes = [box for key, box in frame.fields.items() if key in frame.proposals]
    back = Box(*map(min, *((b.left, b.top) for b in boxes)), *map(max, *((b.right, b.bottom) for b in boxes)))
    lines: list[Part] = [Rect.of("proposals", back)]
    turned = {"pass": _pass(frame), "dont-pass": _dont_pass(frame)} if frame.turn else {}
    for key, box in frame.fields.items():
        lines.append(
            Path("field", turned[key], f"spot:{key}") if key in turned else Rect.of("field", box, 0, f"spot:{key}")
        )
    return [*lines, *(Rect.of("field", frame.number(box)) for box in BOXES)]


def _pass(frame: Frame) -> str:
    """Along the dealer's edge, round the corner and up the side."""
    box, side = frame.fields["pass"], frame.turn // 2
    up = box.top - INNER
    return (
        f"M{box.right} {box.bottom}H{CORNER}A{CORNER} {CORNER} 0 0 1 0 {box.bottom - CORNER}V0H{side}V{up}"
        f"A{INNER} {INNER} 0 0 0 {side + INNER} {box.top}H{box.right}z"
    )


def _dont_pass(frame: Frame) -> str:
    box, side, inner = frame.fields["dont-pass"], frame.turn // 2, frame.turn
    return (
        f"M{box.right} {box.bottom}H{side + INNER}A{INNER} {INNER} 0 0 1 {side} {box.bottom - INNER}V0H{inner}"
        f"V{box.top}H{box.right}z"
    )


@cache
def words(frame: Frame, language: str, bar: str) -> list[Part]:
    """The names of rows and fields, and the numbers."""
    parts: list[Part] = []
    for chance in (*ABOVE, *BELOW):
        at, room = frame.row_name(chance)
        parts.append(_word("field-print", at, printed(chance, language), ROW_NAME, room))
    for key in frame.named:
        parts += _name(frame, key, printed(key, language))
    parts += _bar(frame, bar)
    parts += [_number(frame, box) for box in BOXES]
    return [*parts, *(_down_the_side(frame, language) if frame.turn else ())]


def _number(frame: Frame, box: int) -> Label:
    x, y = frame.number(box).middle
    text = WORDS.get(box, str(box)) if frame.names else str(box)
    if frame.upright:
        return Label("box-number", x, frame.number(box).top + 36, text, size=38)
    size = {3: 25, 4: 19}.get(len(text), 34)
    return Label("box-number", x - 18, y + round(0.36 * size), text, size=size)


def _name(frame: Frame, key: str, text: str) -> Iterator[Part]:
    field = frame.fields[key]
    if key in PAIRS:
        x, y = field.middle.x, field.top + frame.print_high // 2 + 2
        die = TALL_DIE if frame.upright else DIE
        aside = die // 2 + 2
        yield from (PrintedDie(x + by, y, die, face) for by, face in zip((-aside, aside), PAIRS[key], strict=True))
    elif frame.large(key):
        yield _large(frame, key, text)
    else:
        kind = "field-print gold" if key in frame.proposals else "field-print red" if _is_red(key) else "field-print"
        size = TALL.get(key.partition(".")[0], 16) if frame.upright else NAME
        # The void pair stands after the name of don't pass.
        aside = TALL_DIE + 5 if key == "dont-pass" and frame.upright else 0
        at = Point(field.middle.x - aside, field.top + frame.print_high - 4)
        words = text.upper() if frame.upright and key in UPPER else text
        yield _word(kind, at, words, size, field.width - 10 - 2 * aside)


def _large(frame: Frame, key: str, text: str) -> Label:
    """A word in large print, beside the chips."""
    field, chips = frame.fields[key], frame.chips(key)
    room, size = chips.left - field.left - 20, SIZES[key]
    if key == "dont-pass":
        room -= 3 * DIE
    middle = Point(field.left + 14 + room // 2, field.middle.y + round(0.35 * size))
    kind = "field-print large red" if _is_red(key) else "field-print large"
    return _word(kind, middle, text.upper() if key in UPPER else text, size, room)


def _is_red(key: str) -> bool:
    return key == "come" or key.startswith("big")


def _bar(frame: Frame, bar: str) -> Iterator[Part]:
    """The pair that is void for don't pass, after its name."""
    field, chips = frame.fields["dont-pass"], frame.chips("dont-pass")
    if frame.large("dont-pass"):
        x, y = chips.left - 2 * DIE - 6, field.middle.y
    else:
        x, y = field.right - 2 * TALL_DIE, field.top + frame.print_high // 2 + 2
    die = TALL_DIE if frame.upright else DIE
    yield from (PrintedDie(x + by, y, die, face) for by, face in zip((0, die + 2), BARS[bar], strict=True))


def _down_the_side(frame: Frame, language: str) -> Iterator[Part]:
    """The names of the two lines again, along the side."""
    half, y = frame.turn // 4, frame.fields["dont-pass"].top // 2
    for key, x, size in (("pass", half, 19), ("dont-pass", 3 * half, 15)):
        text = printed(key, language).upper()
        yield Label("field-print large", x + round(0.35 * size), y, text, turn=-90, size=size)


def _word(kind: str, at: Point, text: str, size: float, room: int) -> Label:
    return Label(kind, *at, text, wide=room if width(text, size) > room else 0, size=size)
