"""Free space on a cloth."""

from dataclasses import dataclass, field

from training.drawing.chips import USUAL, Kit
from training.drawing.geometry import Box, Oval

# Offsets around a point, the nearest first.
STEP, REACH = 6, 20
ROUND_ABOUT = sorted(
    ((STEP * x, STEP * y) for x in range(-REACH, REACH + 1) for y in range(-REACH, REACH + 1)),
    key=lambda offset: (offset[0] ** 2 + offset[1] ** 2, offset),
)


def inside(box: Box, other: Box) -> bool:
    across = other.left <= box.left and box.right <= other.right
    return across and other.top <= box.top and box.bottom <= other.bottom


def around(x: int, y: int, width: int, height: int) -> Box:
    """The box of this size with its middle at (x, y)."""
    left, top = x - width // 2, y - height // 2
    return Box(left, top, left + width, top + height)


@dataclass
class Room:
    """The usable part of a cloth and the boxes already taken; `cloth` is set for an oval, which has a rim."""

    bounds: Box
    taken: list[Box] = field(default_factory=list)
    crowded: bool = False  # something had to cover something else
    cloth: Oval | None = None
    kit: Kit = USUAL  # the chips that are laid there

    def free(self, *boxes: Box) -> bool:
        for box in boxes:
            if not inside(box, self.bounds):
                return False
            left, top, right, bottom = box
            for one in self.taken:
                if left < one[2] and one[0] < right and top < one[3] and one[1] < bottom:
                    return False
        return True

    def on_cloth(self, box: Box) -> bool:
        """Whether the whole box is inside the rim."""
        return self.cloth is None or self.cloth.holds(box)

    def covered(self, *boxes: Box) -> int:
        """The area of taken boxes, or beyond the bounds, that these boxes would cover."""
        over = sum(box.shared(other) for box in boxes for other in self.taken)
        return over + sum(box.width * box.height - box.shared(self.bounds) for box in boxes)

    def take(self, box: Box) -> Box:
        self.taken.append(box)
        return box

    def near(self, x: int, y: int, width: int, height: int) -> Box:
        """Take the nearest free box of this size, or the one at (x, y) if none is free."""
        for dx, dy in ROUND_ABOUT:
            box = around(x + dx, y + dy, width, height)
            if self.free(box):
                return self.take(box)
        return self.take(around(x, y, width, height))
