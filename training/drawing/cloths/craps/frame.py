"""Where everything is printed on the craps cloth, upright for a phone or lying for a desktop.

Every spot has its own field. The six numbers are columns; a row across them is one chance, with its name beside or
above it. All other fields have their name on the first line, and chips lie below it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rules_engine.games.craps.layout import BOXES
from training.drawing.geometry import Box, Point

# The rows across the numbers from the top: bets against a number lie above it, bets on it below.
ABOVE = ("dont-come", "dont-come-odds", "to-lose")
BELOW = ("to-win", "come", "come-odds")
ROW = 38  # the height of a chance across the numbers
ROW_PRINT = 20  # the height of the name of such a row
# The room for large words beside chips.
LARGE = {"come": 200, "field": 380, "dont-pass": 290, "dont-pass-odds": 84, "pass": 240, "pass-odds": 84}


class Row(NamedTuple):
    """Fields side by side: their keys, each with its share of the width from `left` on."""

    top: int
    high: int
    keys: tuple[tuple[str, int], ...]
    left: int = 0


@dataclass(frozen=True)
class Frame:
    """The measures of one sheet. `names` is the room for row names beside the numbers; at 0 they stand above.

    `turn` is the room at the left for the two lines that turn the corner; without it they only run along the edge.
    """

    upright: bool
    wide: int
    names: int
    token: tuple[int, int]
    rows: tuple[Row, ...]
    # The proposition bets before the stickman: above the numbers, from `props_left` to the right, or part of `rows`.
    props: tuple[Row, ...] = ()
    props_left: int = 0
    turn: int = 0
    print_high: int = 22  # the height of a name above chips
    head: int = 44  # the height of the numbers; where it is more, the marker stands below them

    @property
    def column(self) -> int:
        return (self.wide - self.turn - self.names) // len(BOXES)

    @property
    def _step(self) -> int:
        return ROW if self.names else ROW + ROW_PRINT

    def row_top(self, chance: str) -> int:
        """The top of the row of a chance that has a field on every number."""
        if chance in ABOVE:
            return self._step * ABOVE.index(chance) + self._step - ROW
        return self._step * (len(ABOVE) + BELOW.index(chance)) + self.head + self._step - ROW

    def number(self, box: int) -> Box:
        """The box where a number is printed and the marker stands."""
        left, top = self._left(box), self._step * len(ABOVE)
        return Box(left, top, left + self.column, top + self.head)

    def row_name(self, chance: str) -> tuple[Point, int]:
        """The base line of a row's name, and the width it may take."""
        top = self.row_top(chance)
        if self.names:
            return Point(self.turn + self.names // 2, top + ROW // 2 + 5), self.names - 8
        return Point(self.wide // 2, top - 4), self.wide - 8

    def _left(self, box: int) -> int:
        return self.turn + self.names + self.column * BOXES.index(box)

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
            found |= _side_by_side(row, row.left, self.wide)
        for row in self.props:
            found |= _side_by_side(row, self.props_left, self.wide)
        return found

    @property
    def named(self) -> tuple[str, ...]:
        """The keys of the fields that show their own name."""
        return tuple(key for row in (*self.rows, *self.props) for key, _part in row.keys)

    def chips(self, key: str) -> Box:
        """The part of a field where its chips lie, clear of its name."""
        field = self.fields[key]
        if self.large(key):
            return field._replace(left=field.left + LARGE[key], top=field.top + 4, bottom=field.bottom - 4)
        return field._replace(top=field.top + self.print_high) if key in self.named else field

    def large(self, key: str) -> bool:
        """Whether the name of a field stands beside its chips in large print."""
        return bool(self.turn) and key in LARGE

    @property
    def proposals(self) -> tuple[str, ...]:
        """The keys of the bets on one throw."""
        return tuple(key for key, _part in (*HARDWAYS, *TOTALS, *OTHERS))

    def printed(self) -> list[Box]:
        """The boxes of the printed numbers and names, which chips outside their field must not cover."""
        names = [self._name_box(key) for key in self.named]
        rows = [self.row_top(chance) for chance in (*ABOVE, *BELOW)]
        beside = [Box(0, top, self.turn + self.names, top + ROW) for top in rows if self.names]
        above = [Box(0, top - ROW_PRINT, self.wide, top) for top in rows if not self.names]
        return [*map(self.number, BOXES), *names, *beside, *above]

    def _name_box(self, key: str) -> Box:
        field = self.fields[key]
        return (
            field._replace(right=self.chips(key).left)
            if self.large(key)
            else field._replace(bottom=field.top + self.print_high)
        )

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


HARDWAYS = tuple((f"hard.{number}", 1) for number in (4, 6, 8, 10))
TOTALS = tuple((f"total.{number}", 1) for number in (2, 3, 11, 12))
OTHERS = (("total.7", 1), ("craps", 1), ("under", 1), ("over", 1))
BIG = (("big.6", 1), ("big.8", 1))
DONT_PASS, PASS = (("dont-pass", 2), ("dont-pass-odds", 1)), (("pass", 2), ("pass-odds", 1))
COME = (("dont-come", 1), ("come", 2))

UPRIGHT = Frame(
    upright=True,
    wide=348,
    names=0,
    token=(28, 28),
    print_high=27,
    head=68,
    rows=(
        Row(422, 72, COME),
        Row(494, 68, (("field", 1),)),
        Row(562, 68, DONT_PASS),
        Row(630, 68, PASS),
        Row(708, 68, HARDWAYS),
        Row(776, 68, TOTALS),
        Row(844, 68, OTHERS),
        Row(912, 68, BIG),
    ),
)
LYING = Frame(
    upright=False,
    wide=780,
    names=108,
    token=(28, 28),
    turn=72,
    rows=(
        Row(272, 56, (("dont-come", 5), ("come", 10), *((key, 3) for key, _ in BIG)), 72),
        Row(328, 48, (("field", 1),), 72),
        Row(376, 46, DONT_PASS, 36),
        Row(422, 48, PASS),
    ),
    props=(Row(-198, 56, HARDWAYS), Row(-142, 56, TOTALS), Row(-86, 56, OTHERS)),
    props_left=396,
)
