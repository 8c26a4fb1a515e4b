"""Where everything lies on a ponto e banca table: three bands round the bend, each cut into a cell per seat.

From the players inwards: ponto, the bank, the tie and, where a rulebook has pairs, a band for them cut in two. The
hands lie inside the bands, other cards below them, then the bank's chips and the dealer. Seat 1 is at the dealer's
right. The sheet for a phone is narrower, and its print is larger.
"""

from dataclasses import dataclass, replace

from training.drawing.geometry import Box, Point
from training.drawing.half_moon import Moon, Table

SPAN = 154  # degrees from the first seat's edge to the last one's
BANDS = ("ponto", "banker", "tie")
PAIRS = ("ponto_pair", "banker_pair")
PAIR_ROOM = 40  # degrees from the middle up to which the chips on a pair lie
PAIR_NAME = 57  # degrees from the middle where its name is printed
BEHIND = 29  # between people standing in the same gap


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet: the table, its bands from the outside inwards, and what lies before the dealer."""

    upright: bool
    table: Table
    moon: Moon
    edges: tuple[float, ...]  # of the bands, as parts of the moon
    prints: tuple[float, ...]  # the size of the name of each band
    token: tuple[int, int]
    sum: float  # the size of the sums at the chips
    hand_y: int
    spare_y: int
    spare_wide: int
    tray: Box
    shoe: Point
    used: Point
    odds: int  # the y of the first line that says what the bands pay
    odds_room: int
    seat_percent: int

    def band(self, chance: str) -> tuple[float, float]:
        """The outer and the inner edge of a band; both pairs share one."""
        at = BANDS.index(chance) if chance in BANDS else len(BANDS)
        return self.edges[at], self.edges[at + 1]

    def print_of(self, chance: str) -> float:
        return self.prints[BANDS.index(chance) if chance in BANDS else len(BANDS)]


LYING = Frame(
    upright=False,
    table=Table(Box(-276, 0, 276, 464), 330, Point(126, 126)),
    moon=Moon(Point(0, 350), 247, 304),
    edges=(1, 0.845, 0.69, 0.55),
    prints=(13.5, 12.5, 10.5),
    token=(32, 36),
    sum=10.5,
    hand_y=262,
    spare_y=336,
    spare_wide=220,
    tray=Box(-114, 402, 114, 428),
    shoe=Point(-222, 360),
    used=Point(186, 362),
    odds=222,
    odds_room=200,
    seat_percent=48,
)
LYING_PAIRS = replace(
    LYING,
    table=Table(Box(-276, 0, 276, 500), 350, Point(126, 126)),
    edges=(1, 0.85, 0.7, 0.565, 0.385),
    prints=(13.5, 12.5, 10.5, 10.5),
    hand_y=300,
    spare_y=372,
    tray=Box(-114, 438, 114, 464),
    shoe=Point(-222, 392),
    used=Point(186, 396),
    odds=258,
    odds_room=110,
)
UPRIGHT = Frame(
    upright=True,
    table=Table(Box(-206, 0, 206, 488), 312, Point(90, 90), rail=12),
    moon=Moon(Point(0, 306), 185, 270),
    edges=(1, 0.82, 0.64, 0.46),
    prints=(14, 14, 13),
    token=(34, 40),
    sum=13,
    hand_y=286,
    spare_y=362,
    spare_wide=180,
    tray=Box(-96, 426, 96, 450),
    shoe=Point(-178, 384),
    used=Point(130, 386),
    odds=216,
    odds_room=136,
    seat_percent=56,
)
UPRIGHT_PAIRS = replace(
    UPRIGHT,
    table=Table(Box(-206, 0, 206, 528), 340, Point(90, 90), rail=12),
    moon=Moon(Point(0, 334), 185, 298),
    edges=(1, 0.815, 0.63, 0.48, 0.28),
    prints=(14, 14, 13, 13),
    hand_y=326,
    spare_y=402,
    tray=Box(-96, 466, 96, 490),
    shoe=Point(-178, 424),
    used=Point(130, 426),
    odds=0,
)


@dataclass(frozen=True)
class Seats:
    """The cells and places of a frame with so many seats."""

    frame: Frame
    count: int

    @property
    def step(self) -> float:
        return SPAN / self.count

    def angle(self, seat: float) -> float:
        """The middle of a seat's cells; half-way to the next seat for somebody standing there."""
        return ((self.count + 1) / 2 - seat) * self.step

    def place(self, seat: float, row: int = 0) -> Point:
        """Where somebody sits on the rail, or stands in the so many-th row behind it."""
        moon = self.frame.moon
        return self.frame.table.seat(moon.middle, moon.at(1, self.angle(seat)), BEHIND * row)
