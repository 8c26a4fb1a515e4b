"""Chips on the craps layout: each in the field of its spot, side by side, and tied to it where the field is full."""

from collections.abc import Iterator
from typing import Any

from training.drawing.cloths.craps.frame import Frame, Point, middle
from training.drawing.disputed import offer, offered_token, touched
from training.drawing.free_space import Room
from training.drawing.geometry import Box
from training.drawing.primitives import Group, Part, Path
from training.drawing.scene import Scene
from training.drawing.tokens import ROOMY, Token, outline, short

# Once on a number these carry a mark on top: VI 10.4.
TOPPED = ("dont-come", "dont-come-odds")


def lies_on(scene: Scene, bet: Any) -> str:
    """The spot of a bet, as the ruling leaves it: a come bet may have moved."""
    spot: str = scene.marks_after.get(bet.spot, bet.spot)
    return spot


def lay_bets(scene: Scene, frame: Frame, results: dict[int, int]) -> list[Part]:
    """The chips of every spot in its field; whatever has no room there lies nearby, once all others are down."""
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
        boxes, point = fields[key], middle(frame.chips(key))
        boxes += [room.near(*point, *frame.token) for _ in range(counts[key] - len(boxes))]
        tokens = [
            _token(scene, key, scene.situation.bets[index], box, results.get(index))
            for index, box in zip(indices, boxes, strict=False)
        ]
        if found is not None and found.spot == key:
            wide, high = boxes[-1].right - boxes[-1].left, boxes[-1].bottom - boxes[-1].top
            tokens.append(offered_token(scene, found, middle(boxes[-1]), (wide, high)))
        parts = [*_tied(frame.fields[key], point, boxes), *tokens]
        chips.append(Group("spot", parts, f"spot:{key}", f"spot:{key}" in scene.lit))
    return chips


def _grid(frame: Frame, key: str, count: int) -> list[Box]:
    """Places for so many tokens in rows in the middle of a field, or for as many as it holds."""
    area, (wide, high) = frame.chips(key), frame.token
    wide = ROOMY if count * ROOMY <= area.right - area.left else wide  # where they are few, no sum is squeezed
    across = max(1, (area.right - area.left) // wide)
    rows = min(max(1, (area.bottom - area.top) // high), -(-count // across))
    held = min(count, across * rows)
    across = -(-held // rows)
    left = (area.left + area.right - across * wide) // 2
    top = (area.top + area.bottom - rows * high) // 2
    corners = [(left + wide * (index % across), top + high * (index // across)) for index in range(held)]
    return [Box(x, y, x + wide, y + high) for x, y in corners]


def _tied(field: Box, point: Point, boxes: list[Box]) -> Iterator[Part]:
    for box in boxes:
        x, y = middle(box)
        if not (field.left <= x <= field.right and field.top <= y <= field.bottom):
            yield Path("tie", f"M{point.x} {point.y}L{x} {y}")


def _token(scene: Scene, key: str, bet: Any, box: Box, result: int | None) -> Token:
    """A bet; once it has won, what it earned is written where its worth was."""
    x, y = middle(box)
    worth = short(bet.value, scene.language)
    return Token(
        place=bet.player,
        x=x,
        y=y,
        width=box.right - box.left,
        height=box.bottom - box.top,
        count=bet.count,
        worth=worth if result is None or result < 0 else f"+{short(result, scene.language)}",
        outline=outline(bet.value),
        kind=" ".join([*_kinds(key, result), *(["offered"] if touched(scene, bet.player, bet.spot) else [])]),
        lit=bet.player in scene.lit,
        spot=bet.spot,
    )


def _kinds(key: str, result: int | None) -> Iterator[str]:
    yield "token"
    if result is not None:
        yield "lost" if result < 0 else "won"
    chance, _, number = key.partition(".")
    if number and chance in TOPPED:
        yield "marked"
