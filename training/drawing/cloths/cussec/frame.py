"""Where every zone of the cussec board is printed, upright for a phone or lying for a desktop.

The top strip of a zone holds its print; chips lie on the rest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules_engine.games.cussec import layout
from training.drawing.geometry import Box, Point
from training.drawing.tokens import ROOMY

PRINT = 20  # the strip above chips


@dataclass(frozen=True, eq=False)
class Frame:
    """One sheet: the zones by key, and the size of a token and of the dice apparatus."""

    upright: bool
    zones: dict[str, Box]
    token: tuple[int, int]
    radius: int  # of the apparatus

    @property
    def board(self) -> Box:
        boxes = self.zones.values()
        right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
        return Box(0, 0, right, bottom)

    def print(self, key: str) -> Box:
        zone = self.zones[key]
        return Box(zone.left, zone.top, zone.right, zone.top + PRINT)

    def room(self, key: str) -> Box:
        """The part of a zone where chips lie."""
        zone = self.zones[key]
        return Box(zone.left, zone.top + PRINT, zone.right, zone.bottom)

    def spot(self, key: str) -> Point:
        """The middle of the room for chips."""
        return self.room(key).middle

    def wide(self, key: str, count: int) -> int:
        """How wide each of this many tokens in a zone is: few tokens are wide enough for any sum."""
        room = self.room(key)
        return ROOMY if count * ROOMY <= room.width - 2 else self.token[0]

    def tokens(self, key: str, count: int) -> list[Point]:
        """Where each of this many tokens in a zone lies: side by side in rows, closer together when there are many."""
        room, wide, high = self.room(key), self.wide(key, count), self.token[1]
        across = max(1, min(count, (room.width - 2) // wide))
        rows = -(-count // across)
        step = min(high, (room.height - high) // max(1, rows - 1)) if rows > 1 else high
        x, y = room.middle
        top = y - step * (rows - 1) // 2
        places = []
        for index in range(count):
            row, column = divmod(index, across)
            in_row = min(across, count - row * across)
            places.append(Point(x - wide * (in_row - 1) // 2 + wide * column, top + step * row))
        return places


def _row(keys: Sequence[str], box: Box) -> Iterator[tuple[str, Box]]:
    """Zones of equal width side by side."""
    wide = box.width
    edges = [box.left + round(wide * index / len(keys)) for index in range(len(keys) + 1)]
    for key, left, right in zip(keys, edges, edges[1:], strict=False):
        yield key, Box(left, box.top, right, box.bottom)


def _keys(chance: str) -> list[str]:
    return [key for key in layout.SPOTS if layout.SPOTS[key].chance == chance]


def _lying() -> dict[str, Box]:
    """The board as on a real table: doubles and triples between small and big, then totals, pairs and numbers."""
    wide, top, even, double, triple = 768, 156, 100, 150, 74
    doubles, triples = _keys("double"), _keys("triple")
    zones = {"small": Box(0, 0, even, top), "big": Box(wide - even, 0, wide, top)}
    zones |= dict(_row(doubles[:3], Box(even, 0, even + double, top)))
    zones |= dict(_row(doubles[3:], Box(wide - even - double, 0, wide - even, top)))
    inner = even + double
    for index, key in enumerate(triples):
        left = inner if index < 3 else wide - inner - triple
        third = top // 3
        zones[key] = Box(left, third * (index % 3), left + triple, third * (index % 3 + 1))
    zones["triples"] = Box(inner + triple, 0, wide - inner - triple, top)
    zones |= dict(_row(_keys("total"), Box(0, top, wide, top + 80)))
    zones |= dict(_row(_keys("pair"), Box(0, top + 80, wide, top + 160)))
    zones |= dict(_row(_keys("single"), Box(0, top + 160, wide, top + 216)))
    return zones


def _upright() -> dict[str, Box]:
    """The same zones in rows, each with room for two tokens; totals hold one below the other."""
    totals, pairs = _keys("total"), _keys("pair")
    rows = [
        (["small", "big"], 58),
        (_keys("double"), 58),
        (_keys("triple"), 58),
        (["triples"], 52),
        (totals[:7], 78),
        (totals[7:], 78),
        *((pairs[first : first + 5], 56) for first in (0, 5, 10)),
        (_keys("single"), 58),
    ]
    zones: dict[str, Box] = {}
    top = 0
    for keys, high in rows:
        zones |= dict(_row(keys, Box(0, top, 348, top + high)))
        top += high
    return zones


UPRIGHT = Frame(upright=True, zones=_upright(), token=(27, 28), radius=68)
LYING = Frame(upright=False, zones=_lying(), token=(26, 28), radius=104)
