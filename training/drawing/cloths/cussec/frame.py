"""Where every zone of the cussec board is printed, upright for a phone or lying for a desktop.

The print of a zone is at its top, or at its left where it is one large die; chips lie on the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules_engine.games.cussec import layout
from training.drawing.geometry import Box, Point
from training.drawing.tokens import ROOMY

TALL = 44  # the height of a token that is alone in its zone
STRIP = 24  # the room for print at the top of a zone, unless the sheet says otherwise


@dataclass(frozen=True, eq=False)
class Frame:
    """One sheet: the zones by key, the room for print by chance, the size of a token and of the dice apparatus."""

    upright: bool
    zones: dict[str, Box]
    strips: Mapping[str, int]  # at the top
    beside: int  # at the left of the zones of one number; 0 if it is at the top there, too
    token: tuple[int, int]
    radius: int  # of the apparatus

    @property
    def board(self) -> Box:
        boxes = self.zones.values()
        right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
        return Box(0, 0, right, bottom)

    def print(self, key: str) -> Box:
        zone, chance = self.zones[key], layout.SPOTS[key].chance
        if chance == "single" and self.beside:
            return zone._replace(right=zone.left + self.beside)
        return zone._replace(bottom=zone.top + self.strips.get(chance, STRIP))

    def room(self, key: str) -> Box:
        """The part of a zone where chips lie."""
        zone, print = self.zones[key], self.print(key)
        return zone._replace(left=print.right) if print.right < zone.right else zone._replace(top=print.bottom)

    def spot(self, key: str) -> Point:
        """The middle of the room for chips."""
        return self.room(key).middle

    def holds(self, key: str, count: int) -> bool:
        """Whether this many tokens lie in a zone without touching; nowhere if there is no zone."""
        if not key:
            return False
        room, (wide, high) = self.room(key), self.token
        return count <= ((room.width - 2) // wide) * (room.height // high)

    def size(self, key: str, count: int) -> tuple[int, int]:
        """The size of each of this many tokens in a zone: one alone may be higher."""
        high = min(self.room(key).height - 2, TALL) if count == 1 else self.token[1]
        return self.wide(key, count), max(high, self.token[1])

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
    wide, top, even, double, triple = 768, 162, 108, 138, 76
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
    zones |= dict(_row(_keys("total"), Box(0, top, wide, top + 116)))
    zones |= dict(_row(_keys("pair"), Box(0, top + 116, wide, top + 232)))
    zones |= dict(_row(_keys("single"), Box(0, top + 232, wide, top + 292)))
    return zones


def _upright() -> dict[str, Box]:
    """The same zones in rows, each with room for two tokens; totals hold one below the other."""
    totals, pairs = _keys("total"), _keys("pair")
    rows = [
        (["small", "big"], 76),
        (_keys("double"), 68),
        (_keys("triple"), 62),
        (["triples"], 68),
        (totals[:7], 108),
        (totals[7:], 108),
        *((pairs[first : first + 5], 68) for first in (0, 5, 10)),
        (_keys("single"), 74),
    ]
    zones: dict[str, Box] = {}
    top = 0
    for keys, high in rows:
        zones |= dict(_row(keys, Box(0, top, 348, top + high)))
        top += high
    return zones


UPRIGHT = Frame(
    upright=True, zones=_upright(), beside=0,
    strips={"small": 34, "big": 34, "triples": 30, "double": 30, "single": 36, "total": 36, "pair": 30},
    token=(27, 34), radius=68,
)  # fmt: skip
LYING = Frame(
    upright=False,
    zones=_lying(),
    strips={"small": 86, "big": 86, "double": 66, "triple": 18, "triples": 110, "total": 54, "pair": 54},
    beside=56,
    token=(26, 30),
    radius=92,
)
