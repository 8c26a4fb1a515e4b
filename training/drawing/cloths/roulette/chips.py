"""Chips on the layout: each on its exact spot, bets on the same spot side by side, and none hidden under another.

A spot between numbers has room for one pile. Other bets on it go beside it where there is room, tied to the spot by a
line. Chips on a single number lie in a corner of its field, so that its figure stays in sight.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import dist
from typing import Any

from training.drawing.chips import spread
from training.drawing.cloths.roulette.frame import FIELDS, Frame
from training.drawing.cloths.roulette.words import lying
from training.drawing.disputed import offer, offered_token
from training.drawing.free_space import STEP, Room, around, inside
from training.drawing.geometry import Box, Point
from training.drawing.layouts import bet_token, spot_group, tie
from training.drawing.primitives import Ellipse, Group, Part
from training.drawing.scene import Scene
from training.drawing.tokens import Token, short

ASIDE = [STEP * step for step in (0, 1, 2, 3, 4, 5, 6, 8, 10, -2, -4, -6, -8, -10)]
BALL = 6
BOTH = 2  # as many bets have room in the corners of a number
HIGHEST, ON_NUMBER = 33, 30  # the height of a pile that leaves figures in sight, and of one on a number
# How far chips that touch two spots lie towards the other one, by where their larger part is.
PARTS = {"spot": 0.3, "even": 0.5, "other": 0.7}
SIDEWAYS = (0, 4, -4, 8, -8, 12, -12, 16, -16, 20, -20)  # how far they are moved off the print
SLIGHT = 60  # the area that chips may cover without looking for a better corner
SHIFTS = [*((0, by) for by in ASIDE), *((by, 0) for by in ASIDE[1:])]


def lay_bets(scene: Scene, frame: Frame, room: Room, results: dict[int, int], marked: int | None) -> list[Part]:
    """The chips on every spot: lone bets first, because their place is fixed, single numbers after them."""
    spots: dict[str, list[int]] = {}
    for index, bet in lying(scene):
        spots.setdefault(bet.spot, []).append(index)
    chips: list[Group] = []
    for key, indices in sorted(spots.items(), key=lambda item: (item[0].isdigit(), len(item[1]))):
        point, boxes = frame.spot(key), _block(room, frame, key, len(indices))
        tokens = [
            _token(scene, scene.situation.bets[index], box, results.get(index), marked=key == str(marked))
            for index, box in zip(indices, boxes, strict=True)
        ]
        tied = len(boxes) > 1 and not (key.isdigit() and len(boxes) <= BOTH)
        ties = [tie(point, box.middle) for box in boxes if tied and box.middle != point]
        parts: list[Part] = [*ties, *tokens, *_pinned(key, point, tokens)]
        chips.append(spot_group(scene, key, parts))
    chips.sort(key=_depth)
    return [*chips]


def _depth(group: Group) -> int:
    """How near to the reader the chips of a spot are: far ones are drawn first."""
    return max(part.y for part in group.parts if isinstance(part, Token))


def lay_offer(scene: Scene, frame: Frame, room: Room, places: Mapping[str, Point]) -> list[Part]:
    """Chips to be ruled on: beside the bets on their spot, or at the edge in front of the player who offers them."""
    found = offer(scene)
    if found is None:
        return []
    size = frame.token[0], HIGHEST
    room_for = size[0] + round(2 * spread(found.count, size[0] / 2)), HIGHEST
    if found.spot:
        spot = frame.spot(found.spot)
        at = room.near(*spot, *room_for).middle
    else:
        spot = _at_edge(frame, places[found.player], 0)
        at = room.near(*_at_edge(frame, places[found.player], 24), *room_for).middle
    return [
        *([] if at == spot else [tie(spot, at)]),
        offered_token(scene, found, at, (frame.token[0], HIGHEST), within=True),
    ]


def lay_astray(scene: Scene, frame: Frame, room: Room) -> list[Part]:
    """Chips whose owner or spot is in doubt, until the ruling settles it: with the place of their owner or a question
    mark, and between the two spots that they touch."""
    found = scene.situation.incident.astray() if scene.after is None else None
    if found is None:
        return []
    spot, wide = frame.spot(found.spot), frame.token[0]
    if found.towards:
        other, share = frame.spot(found.towards), PARTS[scene.situation.incident.larger]
        spot = Point(round(spot.x + share * (other.x - spot.x)), round(spot.y + share * (other.y - spot.y)))
        at = room.take(_clear(room, spot, other, (wide, HIGHEST))).middle
    else:
        at = room.near(*spot, wide, HIGHEST).middle
    token = Token(
        found.owner or "?", *at, wide, HIGHEST, found.count, short(found.value, scene.language),
        scene.kit.design(found.value), "token offered", False, found.spot, f"offer:{found.owner}", within=True,
        kit=scene.kit,
    )  # fmt: skip
    return [*([] if found.towards or at == spot else [tie(spot, at)]), token]


def _clear(room: Room, spot: Point, other: Point, size: tuple[int, int]) -> Box:
    """The box for chips that touch two spots: moved sideways, as little as it takes to cover nothing."""
    far = dist(spot, other)
    across, down = (other.y - spot.y) / far, (spot.x - other.x) / far
    boxes = [around(round(spot.x + by * across), round(spot.y + by * down), *size) for by in SIDEWAYS]
    return next((box for box in boxes if room.free(box)), boxes[0])


def stray_ball(scene: Scene, frame: Frame, room: Room) -> list[Part]:
    """The ball on the cloth, beside the chips, until the ruling takes it away."""
    if scene.after is not None or not scene.situation.incident.on_cloth():
        return []
    return [Ellipse("ball", BALL, BALL, *room.near(*frame.spot("17"), 2 * BALL, 2 * BALL).middle)]


def _at_edge(frame: Frame, at: Point, inwards: int) -> Point:
    """The point on the cloth in front of a place, this far from the edge."""
    cloth = frame.cloth
    return Point(cloth.left + inwards, at.y) if frame.upright else Point(at.x, cloth.top + inwards)


def _block(room: Room, frame: Frame, key: str, count: int) -> list[Box]:
    """Boxes for piles that share a spot: around it in a row, a column or two, or anywhere in its own field."""
    point, (wide, high) = frame.spot(key), frame.token
    if key.isdigit():
        return _in_corners(room, frame, int(key), count)
    if count == 1:
        return [room.take(around(*point, wide, high))]
    half = -(-count // 2)
    shifts = SHIFTS if key in FIELDS else [(0, 0)]
    for columns, rows in dict.fromkeys([(count, 1), (1, count), (half, 2), (2, half)]):
        for dx, dy in shifts:
            whole = around(point.x + dx, point.y + dy, columns * wide, rows * high)
            if room.free(whole) and (key not in FIELDS or inside(whole, frame.field(key))):
                return [room.take(box) for box in _grid(whole, wide, high)[:count]]
    return [room.near(*point, wide, high) for _ in range(count)]


def _in_corners(room: Room, frame: Frame, number: int, count: int) -> list[Box]:
    """The lower corners of a number's field, the one where chips cover less first; then places near by."""
    boxes = [around(*point, *frame.token) for point in frame.corners(number)]
    best = sorted(boxes, key=lambda box: room.covered(box) // SLIGHT)[:count]
    for box in best:
        room.take(box)
    return [*best, *(room.near(*boxes[0].middle, *frame.token) for _ in range(count - len(best)))]


def _grid(whole: Box, wide: int, high: int) -> list[Box]:
    return [
        Box(left, top, left + wide, top + high)
        for top in range(whole.top, whole.bottom, high)
        for left in range(whole.left, whole.right, wide)
    ]


def _pinned(key: str, point: Point, tokens: Sequence[Token]) -> Iterable[Part]:
    """Mark the exact spot when none of the bets that share it lies on it."""
    if key not in FIELDS and not key.isdigit() and all((token.x, token.y) != point for token in tokens):
        yield Ellipse("pin", 4, 4, *point)


def _token(scene: Scene, bet: Any, box: Box, result: int | None, *, marked: bool) -> Token:
    own = next((own for own in scene.situation.colours if (own.player, own.value) == (bet.player, bet.value)), None)
    colour = own.colour if own else ""
    size = box.width, ON_NUMBER if bet.spot.isdigit() else HIGHEST
    return bet_token(scene, bet, box.middle, size, result, colour=colour, marked=marked, within=True)
