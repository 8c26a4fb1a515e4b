"""The geometry of the banca francesa cloth: bands round a horseshoe, with the arena in the middle or at its open end.

From the players inwards lie the outer line, small, big, the inner line and aces. Whole numbers from the middle of the
bend, x to the right and y down. Seat 1 is at the dealer's left, and the others follow clockwise. The sheet for a phone
has longer legs than the one for a desktop.
"""

from dataclasses import dataclass
from math import cos, degrees, pi, sin

from training.drawing.arched import Spot
from training.drawing.geometry import Box, Point
from training.drawing.half_moon import Table

BANDS = ("small", "big", "aces")
LINES = ("small.line", "big.line")
RINGS = (*BANDS, *LINES)
CLEAR = 4  # how much further than the middle of their band chips lie from the line on which half is played


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet. `edges` are the radii of the lines between the bands, from the outside inwards.

    `apart` is the least distance between two places; `leg` is how long the legs are with the usual seats. Boxes and
    points below the bend are from the end of the legs.
    """

    upright: bool
    edges: tuple[int, int, int, int]
    aces: int  # the radius at which chips on aces lie
    rail: int  # half the width of the table
    leg: int
    apart: int
    token: tuple[int, int]
    print: float  # the size of the names of the outer bands
    note: float  # the size of the small print
    arena: Box
    horn: Point
    cup: Point
    tray: Box
    staff: tuple[Point, Point, Point]
    staff_wide: int
    below: int  # from the end of the legs to the edge of the table
    half_wide: int
    plaque: Box  # from the upper left corner of the picture

    def ring(self, spot: str) -> int:
        """The radius at which the chips on a spot lie."""
        if spot in LINES:
            return self.edges[0] if spot == "small.line" else self.edges[2]
        clear = {"aces": 0, "small": -CLEAR, "big": CLEAR}[spot]
        return self.aces if spot == "aces" else (self.band(spot)[0] + self.band(spot)[1]) // 2 + clear

    def band(self, spot: str) -> tuple[int, int]:
        """The outer and inner radius of a band."""
        at = BANDS.index(spot)
        return self.edges[at], self.edges[at + 1]

    def legs(self, places: int) -> int:
        """How long the legs are with this many places."""
        return max(self.leg, round((self.apart * places - pi * self._middle) / 2))

    @property
    def _middle(self) -> int:
        return self.edges[1]

    def along(self, index: float, places: int, ring: float) -> float:
        """How far along a ring the place with this index is."""
        leg, bend = self.legs(places), pi * self._middle
        far = (2 * leg + bend) * (index + 0.5) / places
        if far < leg:
            return far
        if far > leg + bend:
            return leg + pi * ring + far - leg - bend
        return leg + (far - leg) * ring / self._middle

    def length(self, ring: float, places: int) -> float:
        return 2 * self.legs(places) + pi * ring

    def curve(self, ring: float, far: float, places: int) -> Spot:
        """The point so far along a ring, and how print there is turned."""
        leg = self.legs(places)
        if far < leg:
            return -ring, leg - far, -90
        if far > leg + pi * ring:
            return ring, far - leg - pi * ring, 90
        turn = (far - leg) / ring
        return -ring * cos(turn), -ring * sin(turn), degrees(turn) - 90

    def at(self, index: float, places: int, ring: float) -> Point:
        """The point on a ring in front of the place with this index."""
        x, y, _turn = self.curve(ring, self.along(index, places, ring), places)
        return Point(round(x), round(y))

    def table(self, places: int) -> Table:
        leg = self.legs(places)
        box = Box(-self.rail, -self.rail, self.rail, leg + self.below)
        corner = Point(70, 70) if self.upright else Point(120, 104)
        return Table(box, 16 if self.upright else 40, corner, rail=14)

    def seat(self, index: int, places: int) -> Point:
        """Where somebody sits on the rail."""
        before = self.at(index, places, self.edges[0])
        return self.table(places).seat(Point(0, max(0, before.y)), before)

    def line(self, ring: float, places: int) -> str:
        """The path of a line round the table."""
        leg = self.legs(places)
        return f"M{-ring} {leg}V0A{ring} {ring} 0 0 1 {ring} 0V{leg}"

    def shape(self, outer: int, inner: int, places: int) -> str:
        """The path of the band between two lines; the innermost band of an upright sheet has none inside."""
        leg = self.legs(places)
        if not inner:
            return f"{self.line(outer, places)}z"
        return f"{self.line(outer, places)}H{inner}V0A{inner} {inner} 0 0 0 {-inner} 0V{leg}z"

    def field(self, spot: str, places: int) -> str:
        """The printed field of a chance."""
        return self.shape(*self.band(spot), places)

    def target(self, spot: str, places: int) -> str:
        """The area to point at for a band or a line: a strip round a line is cut from the bands beside it."""
        reach = self.token[0] // 2
        if spot in LINES:
            return self.shape(self.ring(spot) + reach, self.ring(spot) - reach, places)
        outer, inner = self.band(spot)
        return self.shape(outer - reach * (spot != "big"), inner + reach * (spot == "big"), places)

    def below_legs(self, box: Box, places: int) -> Box:
        leg = self.legs(places)
        return Box(box.left, box.top + leg, box.right, box.bottom + leg)

    def arena_box(self, places: int) -> Box:
        return self.below_legs(self.arena, places)

    def window(self, places: int) -> Box:
        return Box(-self.half_wide, -self.rail - 44, self.half_wide, self.legs(places) + self.below + 12)


UPRIGHT = Frame(
    upright=True,
    edges=(149, 109, 70, 0),
    aces=46,
    rail=190,
    leg=132,
    apart=72,
    token=(26, 34),
    print=17,
    note=13,
    arena=Box(-98, 18, 98, 152),
    horn=Point(92, 96),
    cup=Point(-168, 108),
    tray=Box(-100, 170, 100, 192),
    staff=(Point(-126, 221), Point(0, 221), Point(126, 221)),
    staff_wide=112,
    below=228,
    half_wide=206,
    plaque=Box(4, 22, 60, 60),
)
LYING = Frame(
    upright=False,
    edges=(251, 199, 147, 106),
    aces=125,
    rail=292,
    leg=72,
    apart=50,
    token=(27, 40),
    print=19,
    note=13,
    arena=Box(-92, -158, 92, 10),
    horn=Point(70, -24),
    cup=Point(-118, 6),
    tray=Box(-118, 52, 118, 76),
    staff=(Point(-144, 101), Point(0, 101), Point(144, 101)),
    staff_wide=118,
    below=108,
    half_wide=306,
    plaque=Box(6, 26, 156, 80),
)
