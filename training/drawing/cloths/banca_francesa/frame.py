"""The geometry of the banca francesa cloth: bands round a horseshoe table, with the staff at its open end.

From the players inwards lie the outer line, small, big and the inner line; aces have a field in front of the
inspector. Whole numbers from the middle of the bend, x to the right and y down. Seat 1 is at the dealer's left, and the
others follow clockwise. The sheet for a phone has longer legs than the one for a desktop.
"""

from dataclasses import dataclass
from math import cos, pi, sin

from training.drawing.geometry import Box, Point

ACES_ROWS = 3
ASKEW = 12  # how much further out people sit where the table bends most
# How many steps each band or line is from the outer line.
RINGS = {"small.line": 0, "small": 1, "big": 2, "big.line": 3}


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet. `outer` is the radius of the outer line, `step` the distance from ring to ring.

    `apart` is the least distance between two places; `leg` is how long the legs are with the usual seats.
    """

    upright: bool
    outer: int
    step: int
    people: int
    leg: int
    apart: int
    token: tuple[int, int]
    arena: Box  # from the end of the legs on an upright sheet, else from the middle of the bend
    aces: Box  # from the end of the legs
    staff: tuple[Point, Point, Point]
    half_wide: int
    below: int

    def ring(self, spot: str) -> int:
        """The radius at which the chips on a spot lie."""
        return self.outer - self.step * RINGS[spot]

    def legs(self, places: int) -> int:
        """How long the legs are with this many places."""
        return max(self.leg, round((self.apart * places - pi * self._middle) / 2))

    @property
    def _middle(self) -> float:
        return self.outer - 1.5 * self.step

    def at(self, index: float, places: int, ring: float) -> Point:
        """The point on a ring in front of the place with this index."""
        leg, bend = self.legs(places), pi * self._middle
        along = (2 * leg + bend) * (index + 0.5) / places
        if along < leg:
            return Point(round(-ring), round(leg - along))
        if along > leg + bend:
            return Point(round(ring), round(along - leg - bend))
        turn = pi - (along - leg) / self._middle
        return Point(round(ring * cos(turn)), round(-ring * sin(turn)))

    def seat(self, index: int, places: int) -> Point:
        """Where somebody sits: further out in the bend, where chips lie at an angle to the head."""
        x, y = self.at(index, places, self.people)
        askew = abs(2 * x * y) / self.people**2 if y < 0 else 0
        out = 1 + ASKEW * askew / self.people
        return Point(round(x * out), round(y * out))

    def line(self, ring: int, places: int) -> str:
        """The path of a line round the table."""
        leg = self.legs(places)
        return f"M{-ring} {leg}V0A{ring} {ring} 0 0 1 {ring} 0V{leg}"

    def band(self, outer: int, inner: int, places: int) -> str:
        """The path of the band between two lines round the table."""
        leg = self.legs(places)
        return f"{self.line(outer, places)}H{inner}V0A{inner} {inner} 0 0 0 {-inner} 0V{leg}z"

    def field(self, spot: str, places: int) -> str:
        """The printed field of small or big: from its line to where the two meet."""
        ring, half = self.ring(spot), self.step // 2
        if spot == "small":
            return self.band(ring + self.step, ring - half, places)
        return self.band(ring + half, ring - self.step, places)

    def target(self, spot: str, places: int) -> str:
        """The area to point at for a band or a line."""
        ring, half = self.ring(spot), self.step // 2
        return self.band(ring + half, ring - half, places)

    def outline(self, rim: int, places: int, below: int = 0) -> str:
        """The edge of the table at this radius, wider at the staff's end."""
        leg = self.legs(places)
        foot, flare = leg + self.aces.bottom + 8 + below, leg + 24
        bend = f"L{-rim} {leg}V0A{rim} {rim} 0 0 1 {rim} 0V{leg}"
        return f"M{-rim - 26} {foot}V{flare}{bend}L{rim + 26} {flare}V{foot}z"

    def below_legs(self, box: Box, places: int) -> Box:
        leg = self.legs(places)
        return Box(box.left, box.top + leg, box.right, box.bottom + leg)

    def arena_box(self, places: int) -> Box:
        return self.below_legs(self.arena, places) if self.upright else self.arena

    def aces_box(self, places: int) -> Box:
        return self.below_legs(self.aces, places)

    def aces_places(self, count: int, places: int) -> list[Point]:
        """Where this many bets on aces lie, in rows from the left. Rows fill up before bets move closer together."""
        box, (wide, high) = self.aces_box(places), self.token
        room = box.width - 8
        columns = max(room // (wide + 2), -(-count // ACES_ROWS))
        across = (room - wide) / max(1, columns - 1)
        left, top = box.left + 4 + wide / 2, box.top + 24 + high // 2
        return [
            Point(round(left + across * (index % columns)), top + (high + 1) * (index // columns))
            for index in range(count)
        ]

    def window(self, places: int) -> Box:
        return Box(-self.half_wide, -self.people - 44, self.half_wide, self.legs(places) + self.below)


UPRIGHT = Frame(
    upright=True,
    outer=156,
    step=40,
    people=191,
    leg=196,
    apart=86,
    token=(36, 28),
    arena=Box(2, 48, 200, 158),
    aces=Box(-200, 48, -58, 162),
    staff=(Point(-138, 192), Point(0, 192), Point(138, 192)),
    half_wide=217,
    below=214,
)
LYING = Frame(
    upright=False,
    outer=262,
    step=44,
    people=306,
    leg=40,
    apart=70,
    token=(38, 28),
    arena=Box(-88, -82, 88, 54),
    aces=Box(-292, 46, -104, 160),
    staff=(Point(-198, 186), Point(0, 186), Point(198, 186)),
    half_wide=360,
    below=208,
)
