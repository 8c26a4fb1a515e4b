"""What is printed on the cussec board: names, totals and dice. A zone that is lit has dark print."""

from collections.abc import Iterator
from functools import cache

from rules_engine.games.cussec import GAME, layout
from training.drawing.cloths.cussec.frame import Frame
from training.drawing.cloths.cussec.words import printed
from training.drawing.geometry import Box
from training.drawing.primitives import Label, Part, PrintedDie, Rect
from training.drawing.texts import lines, width

DICE = {"single": 1, "pair": 1, "double": 2, "triple": 3}  # how often a zone shows its numbers
LARGE, FLAT, NARROW = 40, 19, 15  # the size of a single die, of dice on one another or in pairs, of three in a row
TINY = 11  # the dice in the zone of any triple
TALL_WORD, TALL_DIE = 23, 25  # on an upright sheet
WORD, TOTAL, SMALL = 20, 32, 16


def zones(frame: Frame, language: str, lit: tuple[str, ...], *, odds: bool) -> Iterator[Part]:
    """Every zone. Those that are lit are drawn last, so that no other edge covers them."""
    for key in sorted(layout.SPOTS, key=lambda key: key in lit):
        kind = "field glowing" if key in lit else "field"
        yield Rect.of(kind, frame.zones[key], point=f"spot:{key}")
        yield from _print(frame, key, language, key in lit, odds)


@cache
def _print(frame: Frame, key: str, _language: str, lit: bool, odds: bool) -> list[Part]:
    spot, strip = layout.SPOTS[key], frame.print(key)
    faces = spot.numbers * DICE.get(spot.chance, 0)
    if faces:
        return list(_dice(frame, strip, faces))
    dark = " dark" if lit else ""
    if spot.chance == "total":
        size = TOTAL
        label = Label(f"field-print{dark}", strip.middle.x, strip.top + size - 1, str(spot.numbers[0]), size=size)
        return [label, *_price(strip, spot.chance, str(spot.numbers[0]), dark, odds=odds and not frame.upright)]
    return list(_name(frame, key, strip, dark, odds=odds))


def _name(frame: Frame, key: str, strip: Box, dark: str, *, odds: bool) -> Iterator[Part]:
    """The name of small, big or any triple, with the totals it covers or the triples."""
    text, x = printed(key), strip.middle.x
    if frame.upright:
        yield Label(f"field-print{dark}", x, strip.top + 26, text, size=TALL_WORD)
        return
    chance, size = layout.SPOTS[key].chance, WORD if width(text, WORD) < strip.width else SMALL
    rows = lines(text, size, strip.width - 8)
    for index, line in enumerate(rows):
        yield Label(f"field-print{dark}", x, strip.top + 26 + 18 * index, line, size=size)
    below = strip.top + 30 + 18 * len(rows)
    if chance == "triples":
        for face in range(1, 7):
            left, row = x + (-27 if face % 2 else 27), (face - 1) // 2
            yield from (PrintedDie(left + by, below + 4 + 15 * row, TINY, face) for by in (-13, 0, 13))
        return
    least, largest = GAME.books[0].param(chance)
    yield Label(f"range{dark}", x, below + 4, f"{least}–{largest}", size=SMALL)
    yield from _price(strip._replace(bottom=below + 24), chance, "", dark, odds=odds)


def _price(strip: Box, chance: str, number: str, dark: str, *, odds: bool) -> Iterator[Part]:
    """What a zone pays, once that is no longer asked."""
    if odds:
        book = GAME.books[0]
        times = book.param(f"{chance}_payouts")[number] if number else book.param("payouts")[chance]
        down = strip.bottom - 6 if number else strip.bottom
        yield Label(f"odds{dark}", strip.middle.x, down, f"{times}–1", size=13)


def _dice(frame: Frame, strip: Box, faces: tuple[int, ...]) -> Iterator[Part]:
    """Dice side by side, or on a desktop in a column where the zone is narrow and high."""
    x, y = strip.middle
    upstanding = len(faces) == 2 and not frame.upright
    size = LARGE if len(faces) == 1 and not frame.upright else NARROW if len(faces) == 3 else FLAT
    if frame.upright and len(faces) < 3:
        size = TALL_DIE
    size = 26 if upstanding and strip.height > 60 else size
    step = size + 2
    for index, face in enumerate(faces):
        by = step * index - step * (len(faces) - 1) // 2
        yield PrintedDie(x, y + by, size, face) if upstanding else PrintedDie(x + by, y + 1, size, face)
