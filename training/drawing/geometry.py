"""Points of an oval table. Whole numbers from the middle of the cloth, x to the right and y down.

The croupier sits at the bottom; seat 1 is at his right hand and the numbers run counter-clockwise.
"""

from collections.abc import Collection, Sequence
from math import cos, radians, sin
from typing import NamedTuple

from training.drawing.chips import Chip, lay, stacks, written

LINE, STAKE = 0.79, 0.63  # how far out from the middle, as a part of the cloth
SEAT_RADIUS, STANDING_RADIUS = 23, 17
BEHIND, ROW_BEHIND, IN_ROW = 46, 36, 3  # standing players: distance behind the rim, between rows, players in a row
MARGIN_X, MARGIN_TOP, MARGIN_BOTTOM = 72, 68, 62
TOP_LIFT = 20  # two rows of chips at the far side of the table move out, so that their total is clear of the hands
# Where the chips of somebody who stands may lie: part of the way to the next seat, and how far out. The first that
# touches nothing is taken.
STANDING_STAKES = [
    (share / 100, out / 100)
    for out in (82, 76, 70, 64, 58, 88, 52, 46)
    for share in (50, 42, 58, 34, 66, 26, 74, 18, 82)
]


class Oval(NamedTuple):
    """A cloth: half its width and height, how many places are set at it, and the angle of the first.

    Angles are in degrees, counter-clockwise from the right; the last place mirrors the first.
    """

    width: int
    height: int
    places: int = 9
    first: float = -52.0

    @property
    def step(self) -> float:
        """From each place to the next."""
        return (180 - 2 * self.first) / max(1, self.places - 1)

    def angle(self, place: str) -> float:
        return self.first + self.step * (seat_of(place) - 1)

    def around(self, degrees: float, out: float = 1.0, *, behind: float = 0) -> tuple[int, int]:
        """A point on an oval round the middle: `out` times the cloth, plus so much behind it."""
        turn = radians(degrees)
        return round((self.width * out + behind) * cos(turn)), round(-(self.height * out + behind) * sin(turn))

    def window(self, extra: int = 0) -> str:
        """The part of the plane that is drawn, as an SVG view box."""
        left, top = self.width + MARGIN_X + extra, self.height + MARGIN_TOP + extra
        return f"{-left} {-top} {2 * left} {top + self.height + MARGIN_BOTTOM + extra}"

    def seat_boxes(self) -> list["Box"]:
        points = [self.around(self.first + self.step * index) for index in range(self.places)]
        return [Box(x - SEAT_RADIUS, y - SEAT_RADIUS, x + SEAT_RADIUS, y + SEAT_RADIUS) for x, y in points]


CLOTH = Oval(320, 232)


class Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    def shared(self, other: "Box") -> int:
        """The area that two boxes have in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0, wide) * max(0, high)


class Spot(NamedTuple):
    """Chips at a point, and the height at which their total is written."""

    x: int
    y: int
    chips: list[Chip]
    total_y: int
    box: Box


def seat_of(place: str) -> int:
    """The seat of a place: its own, or that of whoever it stands behind."""
    return int(place.rstrip("abcdefghi"))


def standing_spot(place: str) -> tuple[int, int]:
    """Behind the seat and to its right, in order of arrival; past three they form another row."""
    row, column = divmod(ord(place[1]) - ord("a"), IN_ROW)
    return CLOTH.around(CLOTH.angle(place) + 9 + 8 * column, behind=BEHIND + ROW_BEHIND * row)


def line_arc(place: str) -> str:
    """The line in front of a seat, as an SVG path along the oval."""
    middle = CLOTH.angle(place)
    (x1, y1), (x2, y2) = CLOTH.around(middle - 9, LINE), CLOTH.around(middle + 9, LINE)
    return f"M{x1} {y1}A{round(CLOTH.width * LINE)} {round(CLOTH.height * LINE)} 0 0 0 {x2} {y2}"


def view_box(standing: Collection[str]) -> str:
    """The window on the drawing, wider when players stand in a second row."""
    rows = max(((ord(place[1]) - ord("a")) // IN_ROW for place in standing), default=0)
    return CLOTH.window(rows * ROW_BEHIND)


def chips_at(x: int, y: int, amount: int, *, rows: int = 2, owner: str = "") -> Spot:
    """Chips centred on a point, their total on the side of the middle of the table."""
    chips = lay(amount, x, y, rows=rows)
    top = min((chip.y for chip in chips), default=y) - 15
    bottom = max((chip.y for chip in chips), default=y) + 15
    total_y = top - 6 if y > 60 else bottom + 19
    half = max(6 * (len(written(amount)) + len(owner)), max((abs(chip.x - x) for chip in chips), default=0) + 18)
    return Spot(x, y, chips, total_y, Box(x - half, min(top, total_y - 16), x + half, max(bottom, total_y + 3)))


def stake_spot(place: str, amount: int, *, line: bool, taken: Sequence[Box]) -> Spot:
    """Where the chips of a place lie: before its seat, or between two seats, clear of what lies there already."""
    if place.isdigit():
        x, y = CLOTH.around(CLOTH.angle(place), LINE if line else STAKE)
        two_rows = not line and len(stacks(amount)) > 2
        return chips_at(x, y - TOP_LIFT if two_rows and y < -60 else y, amount, rows=1 if line else 2)
    spots = [
        chips_at(*CLOTH.around(CLOTH.angle(place) + CLOTH.step * share, out), amount, rows=rows, owner=place)
        for share, out in STANDING_STAKES
        for rows in (2, 1)
    ]
    return min(spots, key=lambda spot: sum(spot.box.shared(other) for other in taken))
