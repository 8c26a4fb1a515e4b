"""Chips on the layout: each on its exact spot, those that share one side by side, and nothing under anything else.

A spot between numbers has room for one token. Whatever shares it goes beside it where nothing lies, tied to the spot by
a line; the printed numbers give way as they do on a real table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from training.drawing.cloths.roulette.frame import FIELDS, Frame, Point
from training.drawing.cloths.roulette.words import lying
from training.drawing.disputed import offer, offered_token, touched
from training.drawing.free_space import STEP, Room, around, inside
from training.drawing.geometry import Box
from training.drawing.primitives import Ellipse, Group, Part, Path
from training.drawing.scene import Scene
from training.drawing.tokens import Token, outline, short

FIELD_SHIFTS = [(0, STEP * step) for step in (0, 1, 2, 3, 4, 5, 6, 8, 10, -2, -4, -6, -8, -10)]


def lay_bets(scene: Scene, frame: Frame, room: Room, results: dict[int, int], marked: int | None) -> list[Part]:
    """The chips on every spot, lone ones first because they always fit."""
    spots: dict[str, list[int]] = {}
    for index, bet in lying(scene):
        spots.setdefault(bet.spot, []).append(index)
    chips: list[Part] = []
    for key, indices in sorted(spots.items(), key=lambda item: len(item[1])):
        point, boxes = frame.spot(key), _block(room, frame, key, len(indices))
        tokens = [
            _token(scene, scene.situation.bets[index], box, results.get(index), carries=key == str(marked))
            for index, box in zip(indices, boxes, strict=True)
        ]
        parts = [*_tied(point, boxes), *tokens, *_pinned(key, point, tokens)]
        chips.append(Group("spot", parts, f"spot:{key}", f"spot:{key}" in scene.lit))
    return chips


def lay_offer(scene: Scene, frame: Frame, room: Room, places: Mapping[str, Point]) -> list[Part]:
    """Chips to be ruled on: beside what lies on their spot already, or at the edge before whoever holds them out."""
    found = offer(scene)
    if found is None:
        return []
    if found.spot:
        tie = frame.spot(found.spot)
        box = room.near(*tie, *frame.token)
    else:
        tie = _at_edge(frame, places[found.player], 0)
        box = room.near(*_at_edge(frame, places[found.player], 24), *frame.token)
    at = (box.left + box.right) // 2, (box.top + box.bottom) // 2
    tied = [] if at == tie else [Path("tie", f"M{tie.x} {tie.y}L{at[0]} {at[1]}")]
    return [*tied, offered_token(scene, found, at, frame.token)]


def _at_edge(frame: Frame, at: Point, inwards: int) -> Point:
    """On the cloth before a place, so far from its edge."""
    cloth = frame.cloth
    return Point(cloth.left + inwards, at.y) if frame.upright else Point(at.x, cloth.top + inwards)


def _block(room: Room, frame: Frame, key: str, count: int) -> list[Box]:
    """Room for tokens that share a spot: round it in a row, a column or two, or anywhere in a field of their own."""
    point, (wide, high) = frame.spot(key), frame.token
    if count == 1:
        return [room.take(around(*point, wide, high))]
    half = -(-count // 2)
    shifts = FIELD_SHIFTS if key in FIELDS else ((0, 0),)
    for columns, rows in dict.fromkeys([(count, 1), (1, count), (half, 2), (2, half)]):
        for dx, dy in shifts:
            whole = around(point.x + dx, point.y + dy, columns * wide, rows * high)
            if room.free(whole) and (key not in FIELDS or inside(whole, frame.field(key))):
                return [room.take(box) for box in _grid(whole, wide, high)[:count]]
    return [room.near(*point, wide, high) for _ in range(count)]


def _grid(whole: Box, wide: int, high: int) -> list[Box]:
    return [
        Box(left, top, left + wide, top + high)
        for top in range(whole.top, whole.bottom, high)
        for left in range(whole.left, whole.right, wide)
    ]


def _tied(point: Point, boxes: Sequence[Box]) -> Iterable[Part]:
    for box in boxes:
        x, y = (box.left + box.right) // 2, (box.top + box.bottom) // 2
        if len(boxes) > 1 and (x, y) != point:
            yield Path("tie", f"M{point.x} {point.y}L{x} {y}")


def _pinned(key: str, point: Point, tokens: Sequence[Token]) -> Iterable[Part]:
    """The exact spot, where none of those that share it can lie on it."""
    if key not in FIELDS and all((token.x, token.y) != point for token in tokens):
        yield Ellipse("pin", 4, 4, *point)


def _token(scene: Scene, bet: Any, box: Box, result: int | None, *, carries: bool) -> Token:
    """A bet; once it has won, what it earned is written where its worth was."""
    worth = short(bet.value, scene.language)
    return Token(
        place=bet.player,
        x=(box.left + box.right) // 2,
        y=(box.top + box.bottom) // 2,
        width=box.right - box.left,
        height=box.bottom - box.top,
        count=bet.count,
        worth=worth if result is None or result < 0 else f"+{short(result, scene.language)}",
        outline=outline(bet.value),
        kind=" ".join(_kinds(scene, bet, result, carries=carries)),
        lit=bet.player in scene.lit,
        spot=bet.spot,
    )


def _kinds(scene: Scene, bet: Any, result: int | None, *, carries: bool) -> Iterator[str]:
    yield "token"
    if any(own.player == bet.player and own.value == bet.value for own in scene.situation.colours):
        yield next(f"colour-{own.colour}" for own in scene.situation.colours if own.player == bet.player)
    if result is not None:
        yield "lost" if result < 0 else "won"
    if carries:
        yield "marked"
    if touched(scene, bet.player, bet.spot):
        yield "offered"
