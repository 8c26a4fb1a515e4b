"""Where everything is printed on the cloth of craps, upright for a phone or lying for a desk.

Every spot has a field of its own. The six numbers stand side by side as columns; a row across them is one chance, with
its name beside it or above it. All other fields carry their name on their first line, and chips lie below it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rules_engine.games.craps.layout import BOXES
from training.drawing.geometry import Box

# The rows of the numbers from the top: those against a number above it, those for it below.
ABOVE = ("dont-come", "dont-come-odds", "to-lose")
BELOW = ("to-win", "come", "come-odds")
PRINT_HIGH = 16  # the line of a name
ROW, HEAD = 32, 30  # of a chance across the numbers, and of the numbers themselves


class Point(NamedTuple):
    x: int
    y: int


class Row(NamedTuple):
    """Fields side by side: their keys with the part of the width that each takes."""

    top: int
    high: int
    keys: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet. `names` is the room for the names of rows beside the numbers; none, above them."""

    upright: bool
    wide: int
    names: int
    token: tuple[int, int]
    rows: tuple[Row, ...]
    # The box before the stickman, where it does not lie under the rest: above the numbers, from here to the right.
    props: tuple[Row, ...] = ()
    props_left: int = 0

    @property
    def column(self) -> int:
        return (self.wide - self.names) // len(BOXES)

    @property
    def _step(self) -> int:
        return ROW if self.names else ROW + PRINT_HIGH

    def row_top(self, chance: str) -> int:
        """Where the fields of a chance begin that has one on every number."""
        if chance in ABOVE:
            return self._step * ABOVE.index(chance) + self._step - ROW
        return self._step * (len(ABOVE) + BELOW.index(chance)) + HEAD + self._step - ROW

    def number(self, box: int) -> Box:
        """Where a number is printed, and where the marker stands on it."""
        left, top = self._left(box), self._step * len(ABOVE)
        return Box(left, top, left + self.column, top + HEAD)

    def row_name(self, chance: str) -> tuple[Point, int]:
        """The base line of a row's name, and the room for it."""
        top = self.row_top(chance)
        if self.names:
            return Point(self.names // 2, top + ROW // 2 + 5), self.names - 8
        return Point(self.wide // 2, top - 4), self.wide - 8

    def _left(self, box: int) -> int:
        return self.names + self.column * BOXES.index(box)

    @cached_property
    def fields(self) -> dict[str, Box]:
        """The field of every spot, by key."""
        found: dict[str, Box] = {}
        for chance in (*ABOVE, *BELOW):
            top = self.row_top(chance)
            found |= {
                f"{chance}.{box}": Box(self._left(box), top, self._left(box) + self.column, top + ROW) for box in BOXES
            }
        for row in self.rows:
            found |= _side_by_side(row, 0, self.wide)
        for row in self.props:
            found |= _side_by_side(row, self.props_left, self.wide)
        return found

    @property
    def named(self) -> tuple[str, ...]:
        """The fields that carry their own name."""
        return tuple(key for row in (*self.rows, *self.props) for key, _part in row.keys)

    def chips(self, key: str) -> Box:
        """The part of a field where its chips lie, clear of its name."""
        field = self.fields[key]
        return field._replace(top=field.top + PRINT_HIGH) if key in self.named else field

    def printed(self) -> list[Box]:
        """Where the numbers and names are, which chips without a place of their own keep clear of."""
        names = [self.fields[key]._replace(bottom=self.fields[key].top + PRINT_HIGH) for key in self.named]
        rows = [self.row_top(chance) for chance in (*ABOVE, *BELOW)]
        beside = [Box(0, top, self.names, top + ROW) for top in rows if self.names]
        above = [Box(0, top - PRINT_HIGH, self.wide, top) for top in rows if not self.names]
        return [*map(self.number, BOXES), *names, *beside, *above]

    @property
    def bottom(self) -> int:
        return max(field.bottom for field in self.fields.values())

    @property
    def top(self) -> int:
        return min(0, *(field.top for field in self.fields.values()))


def _side_by_side(row: Row, left: int, right: int) -> dict[str, Box]:
    whole = sum(part for _key, part in row.keys)
    found, at = {}, 0
    for key, part in row.keys:
        begin, end = (left + (right - left) * edge // whole for edge in (at, at + part))
        found[key] = Box(begin, row.top, end, row.top + row.high)
        at += part
    return found


def middle(box: Box) -> Point:
    return Point((box.left + box.right) // 2, (box.top + box.bottom) // 2)


HARDWAYS = tuple((f"hard.{number}", 1) for number in (4, 6, 8, 10))
TOTALS = tuple((f"total.{number}", 1) for number in (2, 3, 11, 12))
OTHERS = (("total.7", 1), ("craps", 1), ("under", 1), ("over", 1))
BIG = (("big.6", 1), ("big.8", 1))
DONT_PASS, PASS = (("dont-pass", 2), ("dont-pass-odds", 1)), (("pass", 2), ("pass-odds", 1))
COME = (("dont-come", 1), ("come", 2))

UPRIGHT = Frame(
    upright=True,
    wide=336,
    names=0,
    token=(27, 28),
    rows=(
        Row(320, 50, COME),
        Row(370, 50, (("field", 1),)),
        Row(420, 50, DONT_PASS),
        Row(470, 50, PASS),
        Row(532, 48, HARDWAYS),
        Row(580, 48, TOTALS),
        Row(628, 48, OTHERS),
        Row(676, 48, BIG),
    ),
)
LYING = Frame(
    upright=False,
    wide=780,
    names=108,
    token=(27, 28),
    rows=(
        Row(224, 50, (("dont-come", 5), ("come", 9), *((key, 3) for key, _ in BIG))),
        Row(274, 50, (("field", 1),)),
        Row(324, 50, DONT_PASS),
        Row(374, 50, PASS),
    ),
    props=(Row(-152, 48, HARDWAYS), Row(-104, 48, TOTALS), Row(-56, 48, OTHERS)),
    props_left=396,
)
