"""Where everything is printed on the cloths of single-zero roulette, upright for a phone or lying for a desktop.

`u` runs along the cloth from the line between zero and the first row; `v` runs across it from the outer line of the
first column. The sheets of a cloth show the same table, turned: the third column is on the croupier's side, and the
wheel is at the zero end. The American cloth has dozens and even chances on the players' side; the French one has even
chances on both sides, and the dozens at the foot of each.
"""

from dataclasses import dataclass, replace
from statistics import fmean

from rules_engine.games.roulette import layout
from training.drawing.free_space import around
from training.drawing.geometry import Box, Point

EVEN_CHANCES = ("low", "even", "red", "black", "odd", "high")
# On the French cloth, from the zero: on the players' side, and on the croupier's.
FRENCH = (("high", "even", "black"), ("low", "odd", "red"))
FIELDS = (*(f"{kind}.{which}" for kind in ("dozen", "column") for which in (1, 2, 3)), *EVEN_CHANCES)


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet: a cell along and across, the strips beside the numbers, the fields at both ends.

    `token` is the room for chips on a spot, `figure` the size of a printed number. The French cloth has no strip of
    dozens.
    """

    upright: bool
    row: int
    column: int
    dozens: int
    evens: int
    zero: int
    foot: int
    token: tuple[int, int]
    figure: int
    lift: int  # how far above the middle of its field a number stands, to leave room for chips
    french: bool = False
    as_printed: bool = False  # the print faces the players, instead of being turned to the reader

    # ---------- turning ----------

    def at(self, u: float, v: float) -> Point:
        return Point(round(v), round(u)) if self.upright else Point(round(-u), round(v))

    def box(self, u: float, v: float, to_u: float, to_v: float) -> Box:
        one, other = self.at(u, v), self.at(to_u, to_v)
        return Box(min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y))

    @property
    def long(self) -> int:
        """From the zero line to the end of the columns."""
        return 12 * self.row + self.foot

    @property
    def players(self) -> int:
        """The `v` of the players' edge."""
        return -self.dozens - self.evens

    @property
    def cloth(self) -> Box:
        beyond = self.evens if self.french else 0
        return self.box(-self.zero, self.players, self.long, 3 * self.column + beyond)

    # ---------- fields ----------

    def cell(self, number: int) -> Box:
        if not number:
            return self.box(-self.zero, 0, 0, 3 * self.column)
        row, column = divmod(number - 1, 3)
        return self.box(row * self.row, column * self.column, (row + 1) * self.row, (column + 1) * self.column)

    def field(self, key: str) -> Box:
        """The printed field of a dozen, a column or an even chance."""
        if key in EVEN_CHANCES:
            return self._even_chance(key)
        kind, _, which = key.partition(".")
        third = int(which) - 1
        if kind == "column":
            return self.box(12 * self.row, third * self.column, self.long, (third + 1) * self.column)
        return self.foot_dozen(third) if self.french else self._dozen(third)

    def _dozen(self, third: int) -> Box:
        return self.box(4 * self.row * third, -self.dozens, 4 * self.row * (third + 1), 0)

    def _even_chance(self, key: str) -> Box:
        if not self.french:
            first = 2 * self.row * EVEN_CHANCES.index(key)
            return self.box(first, self.players, first + 2 * self.row, -self.dozens)
        beyond = key in FRENCH[1]
        first = 4 * self.row * FRENCH[beyond].index(key)
        edge = 3 * self.column if beyond else -self.evens
        return self.box(first, edge, first + 4 * self.row, edge + self.evens)

    def foot_dozen(self, third: int, *, beyond: bool = False) -> Box:
        """A dozen at the foot of a French cloth, on the players' side or beyond the columns."""
        edge = 3 * self.column if beyond else -self.evens
        if self.upright:
            first = 12 * self.row + self.foot * third // 3
            return self.box(first, edge, 12 * self.row + self.foot * (third + 1) // 3, edge + self.evens)
        part = 2 - third if beyond else third  # the first dozen is outside
        across = self.evens / 3
        return self.box(12 * self.row, edge + across * part, self.long, edge + across * (part + 1))

    # ---------- spots ----------

    def spot(self, key: str) -> Point:
        """The point where chips on this spot lie."""
        spot = layout.at(key)
        if spot.chance in ("dozens", "columns"):
            return self._between(*(f"{spot.chance[:-1]}.{which}" for which in spot.numbers))
        if not key[0].isdigit():
            return self.printed(key)[1]
        return self.at(*self._inside(spot.numbers))

    def printed(self, key: str) -> tuple[Point, Point]:
        """The middle of the print in a field, and the point for chips beside it, further from the zero."""
        field, (wide, high) = self.field(key), self.token
        if self.french and key.startswith("dozen"):
            return self.at_foot(field)
        x, y = field.middle
        # Bets on two dozens lie on the line between them.
        aside = (high if self.upright else wide) if key.startswith("dozen") else 0
        if self.upright:
            word = min(high // 2, (field.height - high) // 2 - 4)
            return Point(x, y - word), Point(x, field.bottom - aside - high // 2 - 3)
        word = min(wide // 2, (field.width - wide) // 3)
        return Point(x + word, y), Point(field.left + aside + wide // 2 + 3, y)

    def at_foot(self, field: Box) -> tuple[Point, Point]:
        """The middle of the print, and the point for chips, in the field of a dozen at the foot of a French cloth."""
        wide = self.token[0]
        return Point(field.right - (field.width - wide) // 2, field.middle.y), Point(
            field.left + wide // 2 + 1, field.middle.y
        )

    def _between(self, one: str, other: str) -> Point:
        """The point on the line between two fields, level with the chips in them.

        On the French cloth two dozens share a line on the croupier's side, where no single dozen has chips.
        """
        if self.french and one.startswith("dozen"):
            boxes = [self.foot_dozen(int(key[-1]) - 1, beyond=True) for key in (one, other)]
            top, chips = max(box.top for box in boxes), self.at_foot(boxes[0])[1]
            return Point(chips.x, top)
        first, second, chips = self.field(one).middle, self.field(other).middle, self.printed(one)[1]
        return Point(
            chips.x if first.x == second.x else (first.x + second.x) // 2,
            chips.y if first.y == second.y else (first.y + second.y) // 2,
        )

    def _inside(self, numbers: tuple[int, ...]) -> tuple[float, float]:
        """The (u, v) of a bet on numbers: in one, or on the line or corner where two or four meet.

        Streets and lines lie on the edge of the third column.
        """
        if numbers == (0,):
            return -self.zero / 2, 2.2 * self.column
        others = [number for number in numbers if number]
        rows = [(number - 1) // 3 + 0.5 for number in others]
        columns = [(number - 1) % 3 + 0.5 for number in others]
        outer = len(others) in (3, 6)
        across = 3.0 if outer else fmean(columns)
        along = 0.0 if 0 in numbers else fmean(rows)
        return along * self.row, across * self.column

    def face(self, number: int) -> Box:
        """The part of a field where its number stands."""
        cell = self.cell(number)
        return cell._replace(bottom=cell.bottom - 2 * self.lift)

    def corners(self, number: int) -> list[Point]:
        """Where chips on a single number may lie, clear of its figure: in the lower corners of its field."""
        if not number:
            return [self.spot("0"), self.at(-self.zero / 2, 0.8 * self.column)]
        cell, (wide, high) = self.cell(number), self.token
        x, y = cell.middle
        dx, dy = (cell.width - wide) // 2 - 1, (cell.height - high) // 2 - 2
        return [Point(x + dx, y + dy), Point(x - dx, y + dy)]

    def target(self, key: str) -> Box:
        """The area to point at for a spot: its field, or the part of a line that is nearer to it than to any other."""
        if key == "0":
            return self.cell(0)
        if not key[0].isdigit() and "-" not in key:
            return self.field(key)
        x, y = self.spot(key)
        wide, high = (self.column, self.row) if self.upright else (self.row, self.column)
        return around(x, y, wide // 2, high // 2)


UPRIGHT = Frame(
    upright=True, row=68, column=76, dozens=44, evens=46, zero=62, foot=64, token=(28, 28), figure=22, lift=6
)  # fmt: skip
LYING = Frame(
    upright=False, row=54, column=72, dozens=44, evens=50, zero=54, foot=60, token=(26, 28), figure=21, lift=7
)  # fmt: skip
FRENCH_UPRIGHT = Frame(
    upright=True, row=68, column=70, dozens=0, evens=62, zero=62, foot=96, token=(28, 28), figure=22, lift=6,
    french=True,
)  # fmt: skip
FRENCH_LYING = Frame(
    upright=False, row=54, column=72, dozens=0, evens=84, zero=54, foot=68, token=(26, 28), figure=21, lift=7,
    french=True,
)  # fmt: skip
PRINTED = {frame: replace(frame, as_printed=True) for frame in (UPRIGHT, LYING, FRENCH_UPRIGHT, FRENCH_LYING)}
