"""Piles of chips that find their place: the stack near where it belongs, its total on a free side."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import tee
from typing import NamedTuple

from training.drawing.chips import LIFT, Pile, Stack, stack, total_width, written
from training.drawing.free_space import Room
from training.drawing.geometry import Box
from training.drawing.primitives import Anchor

ABOVE, LETTERS = 12, 3  # the height of print above its base line, and below it
NEAR = 52  # how far aside chips may lie to keep their total on the cloth
Point = tuple[int, int]


class Place(NamedTuple):
    """Where a stack may lie, with the box it takes, and where its total may be written."""

    chips: Stack
    box: Box
    x: int  # the base line of the total
    y: int
    anchor: Anchor
    total: Box


def pile(
    room: Room,
    points: Iterable[Point],
    place: str,
    amount: int,
    *,
    owner: str = "",
    total: str = "",
    lit: bool = False,
    kind: str = "pile",
    id: str = "",
    room_for: str = "",
) -> Pile:
    """Chips at the first point where they and their total cover nothing, else where they cover least.

    `room_for` is what may be written before the total once the bet is settled, so that the pile need not move then.
    """
    text = total or written(amount)
    points, again = tee(points)
    found, tried = _free_place(room, points, amount, total_width(room_for + text, owner), LIFT * bool(room_for))
    if found is None and not total and len(brief(amount)) < len(text):
        ends = f"{room_for},75" if room_for else ""
        return pile(
            room, again, place, amount, owner=owner, total=brief(amount), lit=lit, kind=kind, id=id, room_for=ends
        )
    if found is None:
        room.crowded = True
        found = min(tried, key=lambda one: room.covered(one.box, one.total))
    room.take(found.box)
    room.take(found.total)
    return Pile(place, found.chips, text, found.x, found.y, found.anchor, owner, lit, kind, id, amount)


def _free_place(
    room: Room, points: Iterable[Point], amount: int, wide: int, lift: int
) -> tuple[Place | None, list[Place]]:
    """The first free place, and all places tried.

    If the total would cross the rim there, takes the next place near by that keeps it on the cloth, if there is one.
    """
    values = stack(amount, 0, 0, room.kit).values
    tried: list[Place] = []
    across: Place | None = None
    for x, y in points:
        if across and max(abs(across.chips.x - x), abs(across.chips.y - y)) > NEAR:
            continue
        chips = Stack(x, y, values, room.kit)
        box = chips.box._replace(top=chips.box.top - lift)
        if not room.free(box) and tried:
            continue
        for place in _places(chips, box, wide):
            tried.append(place)
            if room.free(box, place.total):
                if room.on_cloth(place.total):
                    return place, tried
                across = across or place
    return across, tried


def _places(chips: Stack, box: Box, wide: int) -> list[Place]:
    """Where the total may be written: below the chips, above them, or beside them."""
    middle, half = box.middle.x, -(-wide // 2)
    below, above, level = box.bottom + ABOVE + 1, box.top - LETTERS - 1, box.middle.y + 6

    def at(x: int, y: int, anchor: Anchor, left: int) -> Place:
        return Place(chips, box, x, y, anchor, Box(left, y - ABOVE, left + wide, y + LETTERS))

    return [
        at(middle, below, "middle", middle - half),
        at(middle, above, "middle", middle - half),
        at(box.right + 2, level, "start", box.right + 2),
        at(box.left - 2, level, "end", box.left - 2 - wide),
        *(
            at(middle + shift, y, "middle", middle + shift - half)
            for y in (below, above)
            for shift in (half // 2, -half // 2, half, -half)
        ),
    ]


def settled(made: Pile, result: int) -> Pile:
    """A bet after it is paid or collected, showing what it earned or lost instead of its sum."""
    if not result:
        return made
    text = written(abs(result)) if made.total == written(made.amount) else brief(abs(result))
    if result < 0:
        return replace(made, kind="pile lost", total=f"\N{MINUS SIGN}{text}")
    below = made.stack
    chips = stack(made.amount + result, below.x, below.y, below.kit).values[: len(below.values) + 1]
    return replace(made, kind="pile won", total=f"+{text}", stack=replace(below, values=chips))


def brief(amount: int) -> str:
    """An exact amount in little room, abbreviated in thousands."""
    thousands, rest = divmod(amount, 1_000)
    if not thousands:
        return str(amount)
    return f"{thousands}{f',{rest:03}'.rstrip('0') if rest else ''}k"
