"""Room on a cloth: what lies there already, and the nearest place that is free."""

from dataclasses import dataclass, field

from training.drawing.geometry import Box, Oval

# Round about a place, the nearest first.
STEP, REACH = 6, 20
ROUND_ABOUT = sorted(
    ((STEP * x, STEP * y) for x in range(-REACH, REACH + 1) for y in range(-REACH, REACH + 1)),
    key=lambda offset: (offset[0] ** 2 + offset[1] ** 2, offset),
)


def inside(box: Box, other: Box) -> bool:
    across = other.left <= box.left and box.right <= other.right
    return across and other.top <= box.top and box.bottom <= other.bottom


def around(x: int, y: int, width: int, height: int) -> Box:
    """A box by its middle."""
    left, top = x - width // 2, y - height // 2
    return Box(left, top, left + width, top + height)


@dataclass
class Room:
    """What lies on the cloth already, and the part of it that may be used; an oval one has a rim."""

    bounds: Box
    taken: list[Box] = field(default_factory=list)
    crowded: bool = False  # something lies here that covers something else
    cloth: Oval | None = None

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
        """Whether nothing of a box is on the wood or beyond it."""
        return self.cloth is None or self.cloth.holds(box)

    def covered(self, *boxes: Box) -> int:
        """How much of what lies here already, or of what is beyond the edge, boxes would take."""
        over = sum(box.shared(other) for box in boxes for other in self.taken)
        return over + sum((box.right - box.left) * (box.bottom - box.top) - box.shared(self.bounds) for box in boxes)

    def take(self, box: Box) -> Box:
        self.taken.append(box)
        return box

    def near(self, x: int, y: int, width: int, height: int) -> Box:
        """The nearest free place for something of this size; on the spot itself where there is none at all."""
        for dx, dy in ROUND_ABOUT:
            box = around(x + dx, y + dy, width, height)
            if self.free(box):
                return self.take(box)
        return self.take(around(x, y, width, height))
