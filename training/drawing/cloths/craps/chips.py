"""Chips on the craps layout: side by side in the field of their spot, or tied to it where the field is full."""

from typing import Any

from training.drawing.cloths.craps.frame import Frame
from training.drawing.disputed import offer, offered_token
from training.drawing.free_space import Room
from training.drawing.geometry import Box, Point
from training.drawing.layouts import bet_token, spot_group, tie
from training.drawing.primitives import Part
from training.drawing.scene import Scene
from training.drawing.tokens import ROOMY

HIGHEST = 44  # the most room a pile needs
# Bets against a number carry a mark on top: VI 10.4.
TOPPED = ("dont-come.", "dont-come-odds.")


def lies_on(scene: Scene, bet: Any) -> str:
    """The spot of a bet after the ruling, which may move a come bet."""
    spot: str = scene.marks_after.get(bet.spot, bet.spot)
    return spot


def lay_bets(scene: Scene, frame: Frame, results: dict[int, int]) -> list[Part]:
    """The bets of every spot in its field. Those that do not fit are placed nearby after all others."""
    spots: dict[str, list[int]] = {}
    for index, bet in enumerate(scene.situation.bets):
        spots.setdefault(lies_on(scene, bet), []).append(index)
    found = offer(scene)
    if found is not None:
        spots.setdefault(found.spot, [])
    counts = {key: len(indices) + (found is not None and found.spot == key) for key, indices in spots.items()}
    fields = {key: _grid(frame, key, count) for key, count in counts.items()}
    room = Room(Box(0, 0, frame.wide, frame.bottom), [box for boxes in fields.values() for box in boxes])
    room.taken += frame.printed()
    chips: list[Part] = []
    for key, indices in spots.items():
        boxes, point = fields[key], frame.chips(key).middle
        boxes += [room.near(*point, *frame.token) for _ in range(counts[key] - len(boxes))]
        tokens = [
            bet_token(
                scene,
                scene.situation.bets[index],
                box.middle,
                (box.width, box.height),
                results.get(index),
                marked=key.startswith(TOPPED),
                within=True,
            )
            for index, box in zip(indices, boxes, strict=False)
        ]
        if found is not None and found.spot == key:
            size = boxes[-1].width, boxes[-1].height
            tokens.append(offered_token(scene, found, boxes[-1].middle, size, within=True))
        outside = [box.middle for box in boxes if not _is_on(frame.fields[key], box.middle)]
        chips.append(spot_group(scene, key, [*(tie(point, at) for at in outside), *tokens]))
    return chips


def _grid(frame: Frame, key: str, count: int) -> list[Box]:
    """Boxes for this many tokens in rows in a field, as high as there is room, or for as many as fit."""
    area, (wide, high) = frame.chips(key), frame.token
    wide = ROOMY if count * ROOMY <= area.width else wide  # few tokens are wide enough for any sum
    across = max(1, area.width // wide)
    rows = min(max(1, area.height // high), -(-count // across))
    held = min(count, across * rows)
    across = -(-held // rows)
    high = max(high, min(area.height // rows - 2, HIGHEST))
    left = (area.left + area.right - across * wide) // 2
    top = (area.top + area.bottom - rows * high) // 2
    corners = [(left + wide * (index % across), top + high * (index // across)) for index in range(held)]
    return [Box(x, y, x + wide, y + high) for x, y in corners]


def _is_on(field: Box, point: Point) -> bool:
    return field.left <= point.x <= field.right and field.top <= point.y <= field.bottom
