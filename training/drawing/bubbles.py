"""Speech balloons for the people who spoke last, where there is room for them."""

from collections.abc import Iterator, Mapping, Sequence

from training.drawing.free_space import Room, around
from training.drawing.geometry import Box
from training.drawing.people import BUBBLE_HIGH, Bubble, bubble_width
from training.drawing.scene import Scene

SPEAKERS, WHOLE, LETTERS = 3, 30, 18
Point = tuple[int, int]


def bubbles(scene: Scene, room: Room, places: Mapping[str, Point], radius: int = 17) -> Iterator[Bubble]:
    """The last words of each of the last speakers. Words that do not fit are only in the log."""
    if scene.after is not None:
        return
    last = {said.by: said for said in scene.said if said.by in places}
    for said in sorted(last.values(), reverse=True)[:SPEAKERS]:
        x, y = places[said.by]
        for text in dict.fromkeys((shortened(said.words, WHOLE), shortened(said.words))):
            box = _free(room, x, y, bubble_width(text), radius)
            if box is not None:
                yield Bubble(said.number, said.by, text, room.take(box), x, y)
                break


def beside_layout(
    scene: Scene, window: Box, taken: Sequence[Box], people: Mapping[str, Point], dealer: tuple[str, Point]
) -> list[Bubble]:
    """Balloons around a layout that cover neither it nor people nor what stands beside it (`taken`)."""
    name, (x, y) = dealer
    heads = [around(*at, 56, 48) for at in people.values()]
    room = Room(window, [*taken, *heads, around(x, y, 132, 32)])
    return list(bubbles(scene, room, {**people, name: (x, y)}, radius=24))


def _free(room: Room, x: int, y: int, wide: int, radius: int) -> Box | None:
    boxes = (around(x + dx, y + dy, wide, BUBBLE_HIGH) for dx, dy in _offsets(wide, radius))
    return next((box for box in boxes if room.free(box)), None)


def _offsets(wide: int, radius: int) -> list[Point]:
    """Offsets from a head to the middle of a balloon: above, below, further and further aside, then beside."""
    far, aside = radius + 10 + BUBBLE_HIGH // 2, radius + 8 + wide // 2
    shifts = [0, *(side * wide * part // 8 for part in (2, 3, 4, 5) for side in (1, -1))]
    return [*((shift, far * sign) for shift in shifts for sign in (-1, 1)), (aside, 0), (-aside, 0)]


def shortened(words: str, letters: int = LETTERS) -> str:
    """The words, cut after a whole word if they are too long."""
    text = words.strip("«».() ")
    if len(text) <= letters:
        return text
    short = text[: letters - 1].rpartition(" ")[0] or text[: letters - 1]
    return short.rstrip(",;:") + "…"
