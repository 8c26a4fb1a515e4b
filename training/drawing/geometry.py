"""Points, boxes and oval tables. Whole numbers from the middle of the cloth, x to the right and y down.

At an oval table the croupier sits at the bottom; seat 1 is at his right hand and the numbers run counter-clockwise.
"""

from collections.abc import Iterable
from math import atan2, cos, degrees, radians, sin
from typing import NamedTuple

SEAT_PERCENT, STANDING_PERCENT = 74, 63  # the size of people round an oval table
SEAT_RADIUS, STANDING_RADIUS = 17, 15
MARGIN = 9  # room for shoulders, from the outermost person to the edge of the window


class Point(NamedTuple):
    x: int
    y: int


class Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    def grown(self, by: int) -> "Box":
        """The box with so much more on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def touches(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def shared(self, other: "Box") -> int:
        """The area that two boxes have in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        if wide <= 0:
            return 0
        return wide * max(0, min(self.bottom, other.bottom) - max(self.top, other.top))


class Oval(NamedTuple):
    """A cloth: half its width and height, the number of seats, and the angle of the first seat.

    Angles are in degrees, counter-clockwise from the right; the last seat mirrors the first.
    """

    width: int
    height: int
    places: int = 9
    first: float = -52.0

    @property
    def step(self) -> float:
        """The angle between two neighbouring seats."""
        return (180 - 2 * self.first) / max(1, self.places - 1)

    def angle(self, place: str) -> float:
        return self.first + self.step * (seat_of(place) - 1)

    def around(self, degrees: float, out: float = 1.0, *, behind: float = 0) -> tuple[int, int]:
        """The point at this angle on an oval `out` times the size of the cloth, plus `behind`."""
        turn = radians(degrees)
        return round((self.width * out + behind) * cos(turn)), round(-(self.height * out + behind) * sin(turn))

    def facing(self, x: int, y: int) -> int:
        """Where somebody at this point looks to face the middle, in degrees clockwise from straight down."""
        return round(degrees(atan2(x / self.width, -y / self.height)))

    def window(self, people: Iterable[tuple[int, int]]) -> Box:
        """The part of the plane to draw: everybody at the table, the croupier and the rim."""
        points = list(people)
        left, right = (
            max([self.width + 11, *(side * x + SEAT_RADIUS + MARGIN - 2 for x, _y in points)]) for side in (-1, 1)
        )
        top = max([self.height + 11, *(-y + SEAT_RADIUS + MARGIN for _x, y in points)])
        bottom = max([self.height + 30, *(y + SEAT_RADIUS + MARGIN for _x, y in points)])
        return Box(-left, -top, right, bottom)

    def holds(self, box: Box) -> bool:
        """Whether the whole box lies on the cloth."""
        across = max(abs(box.left), abs(box.right)) / self.width
        down = max(abs(box.top), abs(box.bottom)) / self.height
        return across * across + down * down <= 1

    def seat_boxes(self) -> list[Box]:
        points = [self.around(self.first + self.step * index) for index in range(self.places)]
        return [Box(x - SEAT_RADIUS, y - SEAT_RADIUS, x + SEAT_RADIUS, y + SEAT_RADIUS) for x, y in points]


def seat_of(place: str) -> int:
    """The seat of a place: its own, or the one it stands behind."""
    return int(place.rstrip("abcdefghi"))
