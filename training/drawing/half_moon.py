"""What the half-moon tables share: the felt in its walnut rail, places on the rail, and what lies before the dealer.

The dealer sits at the bottom, the players round the bend. Whole numbers, x to the right and y down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise
from math import atan2, cos, degrees, dist, radians, sin

from training.drawing.chip_designs import design
from training.drawing.chips import Kit
from training.drawing.geometry import Box, Point
from training.drawing.people import Croupier
from training.drawing.primitives import Label, Part, Path, Symbol

STEEP, FLAT = 0.68, 0.6  # the usual bend of the rim
CORNER_DOWN, CORNER_IN = 0.65, 0.38  # the same for the corners at the dealer's side
SAMPLES = 80
SLIVER, TUBES, FULL = 3, 6, (10, 10, 9, 10, 8, 5)  # a chip in a tube from above, and how many there are in each
PLATE_HIGH = 24


@dataclass(frozen=True)
class Table:
    """The outline of a table: its box with the rail, the y where the bend ends, and the corners by the dealer.

    `bend_of` is how far the tangents of the bend reach down the side and along the top; about 0.55 makes an ellipse.
    """

    box: Box
    bend: int
    corner: Point
    rail: int = 14
    bend_of: tuple[float, float] = (STEEP, FLAT)

    def path(self, inset: int = 0) -> str:
        """The outline, so much further in."""
        left, top, right, bottom = self._inset(inset)
        half, rise = (right - left) / 2, self.bend - top
        across, down = self.corner.x - inset // 2, self.corner.y - inset // 2
        steepness, flatness = self.bend_of
        steep, middle = round(self.bend - steepness * rise), (left + right) // 2
        low, near = round(bottom - down * (1 - CORNER_DOWN)), round(CORNER_IN * across)
        return (
            f"M{left} {self.bend}C{left} {steep} {round(middle - flatness * half)} {top} {middle} {top}"
            f"S{right} {steep} {right} {self.bend}V{bottom - down}"
            f"C{right} {low} {right - near} {bottom} {right - across} {bottom}H{left + across}"
            f"C{left + near} {bottom} {left} {low} {left} {bottom - down}z"
        )

    def _inset(self, by: int) -> Box:
        return Box(self.box.left + by, self.box.top + by, self.box.right - by, self.box.bottom - by)

    @cached_property
    def _rim(self) -> list[tuple[float, float]]:
        """Points along the middle of the rail, from its left foot over the bend to its right foot."""
        left, top, right, bottom = self._inset(self.rail // 2)
        middle, half, rise = (left + right) / 2, (right - left) / 2, self.bend - top
        steep, flat = self.bend_of
        bend = []
        for index in range(SAMPLES + 1):
            t = index / SAMPLES
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            x = (a + b) * left + c * (middle - flat * half) + d * middle
            bend.append((x, a * self.bend + b * (self.bend - steep * rise) + (c + d) * top))
        foot = bottom - self.corner.y
        leg = [(left, self.bend + (foot - self.bend) * index / 20) for index in range(20, 0, -1)]
        side = [*leg, *bend]
        return [*side, *((left + right - x, y) for x, y in reversed(side))]

    def seat(self, origin: Point, toward: Point, behind: float = 0) -> Point:
        """Where the line from `origin` through `toward` meets the rail, or so far behind it."""
        way = atan2(toward.y - origin.y, toward.x - origin.x)

        def astray(point: tuple[float, float]) -> float:
            turn = atan2(point[1] - origin.y, point[0] - origin.x) - way
            return abs(atan2(sin(turn), cos(turn)))

        x, y = min(self._rim, key=astray)
        return Point(round(x + behind * cos(way)), round(y + behind * sin(way)))

    def rim(self, x: float) -> float:
        """How high the middle of the rail is at this x, on the players' side."""
        points = self._rim
        for (left, high), (right, low) in pairwise(points):
            if left <= x < right:
                return high + (low - high) * (x - left) / (right - left)
        return min(points, key=lambda point: (abs(point[0] - x), point[1]))[1]

    def top(self) -> list[Part]:
        """The shadow on the floor, the wooden rail, and the felt under the lamp."""
        felt = self.path(self.rail)
        return [
            Path("table-shadow", self.path(-3)),
            Path("rail", self.path()),
            Path("rail-shine", self.path(3)),
            *(Path(kind, felt) for kind in ("felt", "nap", "felt-light")),
        ]


@dataclass(frozen=True)
class Moon:
    """The ellipse that the printed bands follow; angles in degrees clockwise from straight up."""

    middle: Point
    rx: int
    ry: int

    def at(self, out: float, angle: float) -> Point:
        turn = radians(angle)
        return Point(round(self.middle.x + self.rx * out * sin(turn)), round(self.middle.y - self.ry * out * cos(turn)))

    def lean(self, angle: float) -> int:
        """How a word at this angle is turned to follow its band."""
        turn = radians(angle)
        return round(degrees(atan2(self.ry * sin(turn), self.rx * cos(turn))))

    def along(self, out: float, start: float, end: float) -> float:
        """How far it is from one angle to another."""
        return dist(self.at(out, start), self.at(out, end))

    def across(self, outer: float, inner: float, angle: float) -> float:
        """How wide a band is at an angle."""
        return dist(self.at(outer, angle), self.at(inner, angle))

    def cell(self, outer: float, inner: float, start: float, end: float) -> str:
        """The part of a band between two angles."""
        (a, b), (c, d) = self.at(outer, start), self.at(outer, end)
        (e, f), (g, h) = self.at(inner, end), self.at(inner, start)
        far = f"{round(self.rx * outer)} {round(self.ry * outer)}"
        near = f"{round(self.rx * inner)} {round(self.ry * inner)}"
        return f"M{a} {b}A{far} 0 0 1 {c} {d}L{e} {f}A{near} 0 0 0 {g} {h}z"


@dataclass(frozen=True, slots=True)
class Tray:
    """The bank's chips in their tubes, seen from above. It shows that the bank is there, not how much it holds."""

    box: Box
    kit: Kit

    def svg(self) -> str:
        left, top, right, bottom = self.box
        values = sorted(self.kit.change)
        values = [value for value in values if value > 1 or len(values) <= TUBES][:TUBES]
        room = (right - left) / len(values)
        tubes = [self._tube(value, left + room * index, room, FULL[index]) for index, value in enumerate(values)]
        return (
            f'<g class="tray"><rect class="tray-edge" x="{left - 4}" y="{top - 4}" width="{right - left + 8}" '
            f'height="{bottom - top + 8}" rx="7"/>{"".join(tubes)}</g>'
        )

    def _tube(self, value: int, left: float, room: float, count: int) -> str:
        top, high = self.box.top, self.box.height
        x, wide, made = round(left) + 2, round(room) - 4, design(self.kit.design(value))
        chips = range(min(count, (wide - 2) // SLIVER))
        edges = "".join(f"M{x + 1 + SLIVER * at} {top + 1}h2v{high - 2}h-2z" for at in chips)
        low = high // 7
        spots = "".join(
            f"M{x + 1 + SLIVER * at} {top + 3 + (at * step) % 6 + start}h2v{low}h-2z"
            for start, step in ((high // 8, 5), (high // 2, 7))
            for at in chips
        )
        shape = f'x="{x}" y="{top}" width="{wide}" height="{high}" rx="3"'
        return (
            f'<rect class="tube" {shape}/><path d="{edges}" fill="{escape(made.base)}"/>'
            f'<path d="{spots}" fill="{escape(made.spot)}"/><rect class="tube-shine" {shape}/>'
        )


def dealer(table: Table, name: str, x: int = 0, wide: int = 96) -> Croupier:
    """The plate of the dealer, or of somebody beside them, on the rail."""
    return Croupier(x, table.box.bottom - table.rail // 2, name, wide, PLATE_HIGH)


def shoe(left: int, top: int, size: int = 60) -> Symbol:
    """The shoe at the dealer's hand, its mouth towards the cards."""
    return Symbol("shoe-aslant", left, top, size, size)


def used_cards(left: int, top: int, wide: int = 36) -> Symbol:
    """The box for cards that have been played."""
    return Symbol("used-cards", left, top, wide, wide * 5 // 4)


def words_in(
    moon: Moon, band: tuple[float, float], angle: float, text: str, size: float, *, kind: str, wide: int = 0
) -> Label:
    """A word printed in the middle of a band, turned with it; `wide` squeezes it."""
    x, y = moon.at(sum(band) / 2, angle)
    lean = moon.lean(angle)
    down = 0.35 * size
    return Label(
        kind,
        round(x - down * sin(radians(lean))),
        round(y + down * cos(radians(lean))),
        text,
        wide=wide,
        turn=lean,
        size=size,
    )


def boxes(symbols: Sequence[Symbol]) -> list[Box]:
    return [Box(one.x, one.y, one.x + one.width, one.y + one.height) for one in symbols]
