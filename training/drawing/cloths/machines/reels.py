"""What a gaming machine shows behind its glass: the reels or the cards.

The facts tell whether something is won, not by which sequence nor what others pay. So the picture shows any winning
sequence if something is won, else none, and no plan of prizes.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from training.drawing.geometry import Box
from training.drawing.primitives import Label, Part, Path, Rect, Symbol

# Winning sequences, the one of jackpots first.
SIGNS = ("seven", "bar", "bell", "cherry")
CARDS = (
    ("10h", "Jh", "Qh", "Kh", "Ah"),
    ("9s", "9h", "9d", "9c", "Ks"),
    ("8s", "8h", "8d", "4c", "4s"),
    ("2c", "6c", "9c", "Jc", "Kc"),
)
# The reels row by row, and the cards, when nothing is won: by the number of the machine, so that neighbours differ.
IDLE = (
    ("bar", "bell", "cherry", "cherry", "seven", "bar", "spade", "bar", "bell"),
    ("seven", "cherry", "bar", "bell", "bell", "spade", "bar", "seven", "cherry"),
    ("bell", "spade", "seven", "bar", "cherry", "bell", "cherry", "bell", "bar"),
    ("cherry", "bar", "spade", "seven", "bell", "cherry", "bell", "cherry", "seven"),
)
IDLE_CARDS = (("2s", "9h", "Kd", "5c", "7s"), ("Jc", "4h", "8d", "Qs", "3h"), ("6d", "10c", "2h", "As", "9d"))
# Above and below the row that pays.
AROUND = (("bell", "bar", "spade"), ("bar", "cherry", "bell"))
FRAME = 5


def paying(machine: Any) -> int | None:
    """Which sequence came up; None if nothing is won."""
    if machine.won != "none":
        return 0
    return 1 + machine.prize % (len(SIGNS) - 1) if machine.prize else None


def window(machine: Any, box: Box) -> Iterator[Part]:
    """The glass in its brass frame; a machine out of service is dark."""
    yield Rect("glass-frame", box.left, box.top, box.width, box.height, 7)
    inside = Box(box.left + FRAME, box.top + FRAME, box.right - FRAME, box.bottom - FRAME)
    yield Rect.of("glass screen" if machine.type == "poker" and not machine.out else "glass", inside, 4)
    if machine.out:
        yield Label("window-out", inside.middle.x, inside.middle.y + 5, _("Out of service"))
    elif machine.type == "poker":
        yield from _cards(machine, inside)
    else:
        yield from _reels(machine, inside)


def _reels(machine: Any, box: Box) -> Iterator[Part]:
    """Three reels of three signs, or of one where there is little room; the middle row pays."""
    won = paying(machine)
    middle = (SIGNS[won],) * 3 if won is not None else ()
    signs = (*AROUND[0], *middle, *AROUND[1]) if middle else IDLE[machine.number % len(IDLE)]
    rows = 3 if box.height > 60 else 1
    wide, high = box.width // 3, box.height // rows
    for reel in range(3):
        left = box.left + reel * wide
        yield Rect("reel", left + 1, box.top, wide - 2, box.height, 3)
        for row in range(rows):
            central = row == rows // 2
            size = min(wide, high) - (2 if central else 8)
            y = box.top + high * row + high // 2
            sign = signs[3 * (row if rows == 3 else 1) + reel]
            yield _sign(sign, left + wide // 2, y, size)
        yield Rect("reel-shade", left + 1, box.top, wide - 2, box.height, 3)
    y, side = box.middle.y, FRAME
    for edge, way in ((box.left - side, 1), (box.left + 3 * wide + side, -1)):
        yield Path("pay-mark", f"M{edge} {y - 6}l{8 * way} 6l{-8 * way} 6z")
    if won is not None:
        yield Rect("pay-line", box.left, y - high // 2 + 1, 3 * wide, high - 2, 4)


def _sign(sign: str, x: int, y: int, size: int) -> Part:
    if sign == "spade":
        small = round(0.7 * size)
        return Symbol("suit-s", x - small // 2, y - small // 2, small, small, kind="suit-s")
    return Symbol(f"reel-{sign}", x - size // 2, y - size // 2, size, size, kind="reel-sign")


def _cards(machine: Any, box: Box) -> Iterator[Part]:
    won = paying(machine)
    cards = CARDS[won] if won is not None else IDLE_CARDS[machine.number % len(IDLE_CARDS)]
    wide, high = box.width // 5, min(box.height - 6, 46)
    top = box.middle.y - high // 2
    for index, card in enumerate(cards):
        left = box.left + index * wide + (box.width - 5 * wide) // 2
        rank, suit = card[:-1], card[-1]
        yield Rect("screen-card", left + 1, top, wide - 2, high, 3)
        yield Label(f"reel-rank suit-{suit}", left + wide // 2, top + 19, rank, wide=16 if len(rank) > 1 else 0)
        yield Symbol(f"suit-{suit}", left + wide // 2 - 8, top + high - 20, 16, 16, kind=f"suit-{suit}")
    if won is not None:
        yield Rect("pay-line", box.left + 1, top - 2, box.width - 2, high + 4, 4)
