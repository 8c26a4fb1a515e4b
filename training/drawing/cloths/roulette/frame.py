"""Where everything is printed on the cloth of single-zero roulette, upright for a phone or lying for a desktop.

`u` runs along the cloth from the line between zero and the first row; `v` runs across it from the line between the
numbers and the dozens. Both sheets show the same table, turned: the third column is on the croupier's side, the dozens
and the even chances are on the players' side, and the wheel is at the zero end.
"""

from dataclasses import dataclass
from statistics import fmean

from rules_engine.games.roulette import layout
from training.drawing.free_space import around
from training.drawing.geometry import Box, Point

EVEN_CHANCES = ("low", "even", "red", "black", "odd", "high")
FIELDS = (*(f"{kind}.{which}" for kind in ("dozen", "column") for which in (1, 2, 3)), *EVEN_CHANCES)
LINE_HIGH = 15  # the height of a line of a field name


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet: a cell along and across, the strips beside the numbers, the fields at both ends."""

    upright: bool
    row: int
    column: int
    dozens: int
    evens: int
    zero: int
    foot: int
    token: tuple[int, int]

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
    def cloth(self) -> Box:
        return self.box(-self.zero, -self.dozens - self.evens, self.long, 3 * self.column)

    # ---------- fields ----------

    def cell(self, number: int) -> Box:
        if not number:
            return self.box(-self.zero, 0, 0, 3 * self.column)
        row, column = divmod(number - 1, 3)
        return self.box(row * self.row, column * self.column, (row + 1) * self.row, (column + 1) * self.column)

    def field(self, key: str) -> Box:
        """The printed field of a dozen, a column or an even chance."""
        if key in EVEN_CHANCES:
            first = 2 * self.row * EVEN_CHANCES.index(key)
            return self.box(first, -self.dozens - self.evens, first + 2 * self.row, -self.dozens)
        kind, _, which = key.partition(".")
        third = int(which) - 1
        if kind == "dozen":
            return self.box(4 * self.row * third, -self.dozens, 4 * self.row * (third + 1), 0)
        return self.box(12 * self.row, third * self.column, self.long, (third + 1) * self.column)

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
        """The base line of the (first line of the) name in a field, and the point for chips clear of it."""
        field, (wide, high) = self.field(key), self.token
        x, y = field.middle
        if not self.upright and key.startswith("column"):  # bets on two columns lie above and below the name
            return Point(field.left + (field.width - wide) // 2, y - 3), Point(field.right - wide // 2 - 3, y)
        lines = self.lines(key)
        if lines == 1:
            return Point(x, field.top + LINE_HIGH), Point(x, (field.top + LINE_HIGH + 4 + field.bottom) // 2)
        top = y - (LINE_HIGH * lines + 4 + high) // 2
        return Point(x, top + LINE_HIGH - 4), Point(x, top + LINE_HIGH * lines + 4 + high // 2)

    def lines(self, key: str) -> int:
        """How many lines the name of a field takes."""
        return 2 if key.startswith("dozen" if self.upright else "column") else 1

    def _between(self, one: str, other: str) -> Point:
        """The point on the line between two fields, level with the chips in them."""
        first, second, chips = self.field(one).middle, self.field(other).middle, self.printed(one)[1]
        return Point(
            chips.x if first.x == second.x else (first.x + second.x) // 2,
            chips.y if first.y == second.y else (first.y + second.y) // 2,
        )

    def _inside(self, numbers: tuple[int, ...]) -> tuple[float, float]:
        """The (u, v) of a bet on numbers: the middle of one, the line or corner where two or four meet.

        Streets and lines lie on the croupier's edge.
        """
        if numbers == (0,):
            return -self.zero / 2, 1.5 * self.column
        others = [number for number in numbers if number]
        rows = [(number - 1) // 3 + 0.5 for number in others]
        columns = [(number - 1) % 3 + 0.5 for number in others]
        outer = len(others) in (3, 6)
        across = 3.0 if outer else fmean(columns)
        along = 0.0 if 0 in numbers else fmean(rows)
        return along * self.row, across * self.column

    def number_places(self, number: int) -> list[Point]:
        """Where a number may be printed: in the middle of its field, or clear of chips there."""
        cell, (wide, high) = self.cell(number), self.token
        x, y = cell.middle
        if not number:
            aside = [(0, -44), (0, 44)] if not self.upright else [(-44, 0), (44, 0)]
        else:
            dx, dy = (x - cell.left + wide // 2) // 2, (y - cell.top + high // 2) // 2
            aside = [(-dx, -dy), (dx, -dy), (-dx, dy), (dx, dy)]
        return [Point(x, y), *(Point(x + right, y + down) for right, down in aside)]

    def target(self, key: str) -> Box:
        """The area to point at for a spot: its field, or the part of a line that is nearer to it than to any other."""
        if key == "0":
            return self.cell(0)
        if not key[0].isdigit() and "-" not in key:
            return self.field(key)
        x, y = self.spot(key)
        wide, high = (self.column, self.row) if self.upright else (self.row, self.column)
        return around(x, y, wide // 2, high // 2)


UPRIGHT = Frame(upright=True, row=58, column=68, dozens=54, evens=70, zero=58, foot=54, token=(32, 28))
LYING = Frame(upright=False, row=54, column=62, dozens=52, evens=52, zero=54, foot=60, token=(26, 28))
