"""Piles of chips that find their place: the stack where it belongs, its total on whichever side is free."""

from collections.abc import Iterable
from dataclasses import replace

from training.drawing.chips import LIFT, Pile, Stack, stack, total_width, written
from training.drawing.free_space import Room
from training.drawing.geometry import Box
from training.drawing.primitives import Anchor

ABOVE, LETTERS = 12, 3  # of a line of print above its base line, and below it
NEAR = 52  # so far aside chips may lie so that their total stays on the cloth
Point = tuple[int, int]
Side = tuple[int, int, Anchor, Box]


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
    up: bool = False,
    room_for: str = "",
) -> Pile:
    """Chips at the first point where they and their total cover nothing; where there is none, where they cover least.
    A total that would cross the rim goes to the next point near by that keeps it on the cloth, if there is one.

    `up` writes the total above the chips rather than below, where both are free. `room_for` is what may stand before
    the total once the bet is settled: it lies where it lay then.
    """
    text = total or written(amount)
    wide = total_width(room_for + text, owner)
    values = stack(amount, 0, 0).values
    tried: list[tuple[Stack, Box, Side]] = []
    found: list[Point] = []  # most chips lie at one of the first points: the others are not reckoned
    across: tuple[Stack, Box, Side] | None = None
    for x, y in points:
        found.append((x, y))
        if across and max(abs(across[0].x - x), abs(across[0].y - y)) > NEAR:
            continue
        chips = Stack(x, y, values)
        high = chips.box._replace(top=chips.box.top - LIFT * bool(room_for))
        if not room.free(high) and tried:
            continue
        for side in _sides(high, wide, up=up):
            tried.append((chips, high, side))
            if room.on_cloth(side[3]) and room.free(high, side[3]):
                return _laid(room, tried[-1], Pile(place, chips, text, *side[:3], owner, lit, kind, id, amount))
            if across is None and room.free(high, side[3]):
                across = tried[-1]
    if across is not None:
        chips, high, side = across
        return _laid(room, across, Pile(place, chips, text, *side[:3], owner, lit, kind, id, amount))
    if not total and len(brief(amount)) < len(text):
        ends = f"{room_for},75" if room_for else ""
        return pile(
            room, found, place, amount, owner=owner, total=brief(amount), lit=lit, kind=kind, id=id, room_for=ends
        )
    room.crowded = True
    chips, high, side = least = min(tried, key=lambda one: room.covered(one[1], one[2][3]))
    return _laid(room, least, Pile(place, chips, text, *side[:3], owner, lit, kind, id, amount))


def _laid(room: Room, tried: tuple[Stack, Box, Side], made: Pile) -> Pile:
    room.take(tried[1])
    room.take(tried[2][3])
    return made


def _sides(chips: Box, wide: int, *, up: bool) -> list[Side]:
    """Where a total may be written: below its chips, above them, or beside them."""
    middle, half = (chips.left + chips.right) // 2, -(-wide // 2)
    below, above = chips.bottom + ABOVE + 1, chips.top - LETTERS - 1
    level = (chips.top + chips.bottom) // 2 + 6

    def at(x: int, y: int, anchor: Anchor, left: int) -> Side:
        return x, y, anchor, Box(left, y - ABOVE, left + wide, y + LETTERS)

    under, over = at(middle, below, "middle", middle - half), at(middle, above, "middle", middle - half)
    right, left = (
        at(chips.right + 2, level, "start", chips.right + 2),
        at(chips.left - 2, level, "end", chips.left - 2 - wide),
    )
    shifted = [
        at(middle + shift, y, "middle", middle + shift - half)
        for y in (below, above)
        for shift in (half // 2, -half // 2, half, -half)
    ]
    return [*((over, under) if up else (under, over)), right, left, *shifted]


def settled(made: Pile, result: int) -> Pile:
    """A bet once it is paid or collected: what it earned or lost is written where its sum was."""
    if not result:
        return made
    text = written(abs(result)) if made.total == written(made.amount) else brief(abs(result))
    if result < 0:
        return replace(made, kind="pile lost", total=f"\N{MINUS SIGN}{text}")
    below = made.stack
    chips = stack(made.amount + result, below.x, below.y).values[-len(below.values) - 1 :]
    return replace(made, kind="pile won", total=f"+{text}", stack=Stack(below.x, below.y, chips))


def brief(amount: int) -> str:
    """An amount where there is little room: exact, in thousands."""
    thousands, rest = divmod(amount, 1_000)
    if not thousands:
        return str(amount)
    return f"{thousands}{f',{rest:03}'.rstrip('0') if rest else ''}k"
