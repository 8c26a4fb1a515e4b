"""People at a table, seen from above: head and shoulders, with the number of their place; and what they say."""

from dataclasses import dataclass
from html import escape

from training.drawing.geometry import Box
from training.drawing.primitives import at, head
from training.drawing.texts import width

HEAD = 23  # the radius of a head at 100 %
BUBBLE_HIGH = 24
SHOULDERS = 25  # from the middle of somebody beside an upright table to the edge of the picture
_SHOULDERS = "M-36-4c0-17 16-24 36-24s36 7 36 24c0 9-9 12-18 12h-36c-9 0-18-3-18-12z"
_CLOTHES = 5  # the number of colours of clothes; neighbours differ


@dataclass(frozen=True, slots=True)
class Person:
    """A place at the table: a seat, or somebody standing behind one, drawn smaller.

    `ring` and `cards` show what they hold. `turn` is where they look, in degrees clockwise from straight down.
    """

    place: str
    x: int
    y: int
    taken: bool = True
    lit: bool = False
    ring: bool = False
    cards: bool = False
    percent: int = 0  # of the usual size; 0 chooses the default
    turn: int = 0
    plain: bool = False  # only the plate on the rail, without the person

    @property
    def seated(self) -> bool:
        return self.place.isdigit()

    @property
    def radius(self) -> int:
        return -(-HEAD * self._percent // 100)

    @property
    def _percent(self) -> int:
        return self.percent or (100 if self.seated else 74)

    def svg(self) -> str:
        kind = "mark" if self.seated else "mark standing"
        kind += ("" if self.taken else " free") + (" has-cards" if self.cards else "")
        ring = '<circle class="ring" r="28"/>' if self.ring else ""
        turned = f' transform="rotate({self.turn})"' if self.turn else ""
        scaled = "" if self._percent == 100 else f' transform="scale(.{self._percent:02})"'
        named = head(kind, f"place:{self.place}", lit=self.lit, id=f"place:{self.place}")
        return (
            f'<g {named}{at(self.x, self.y)}><g{scaled}><circle class="halo-edge" r="33"/><circle class="halo" r="33"/>'
            f'{self._figure(turned)}{ring}<circle class="body" r="{HEAD}"/>'
            f'<text y="9">{escape(self.place)}</text>{_FAN if self.cards else ""}</g></g>'
        )

    def _figure(self, turned: str) -> str:
        if self.plain:
            return ""
        if not self.taken:
            return f'<path class="chair" d="M-21-20a30 30 0 0 1 42 0"{turned}/>'
        clothes = (int(self.place[0]) * 2 + len(self.place)) % _CLOTHES if self.place[:1].isdigit() else 0
        return (
            f'<g{turned}><path class="shoulders clothes-{clothes}" d="{_SHOULDERS}"/>'
            f'<circle class="hair" cy="-4" r="24"/></g>'
        )


_FAN = (
    '<g class="holding" transform="translate(13 -32)">'
    '<rect x="-2" y="3" width="13" height="18" rx="2" transform="rotate(-12)"/>'
    '<rect x="7" y="0" width="13" height="18" rx="2" transform="rotate(8)"/></g>'
)


@dataclass(frozen=True, slots=True)
class Croupier:
    """The croupier or dealer at the rim of the table, with their role on a plate."""

    x: int
    y: int
    name: str
    wide: int = 132
    high: int = 32

    def svg(self) -> str:
        half, round_ = self.wide // 2, self.high // 2
        chest = half - 6
        return (
            f'<g class="croupier" data-id="place:croupier" transform="translate({self.x} {self.y})">'
            f'<path class="waistcoat" d="M{-chest} 8c0-20 {half // 3}-26 {chest}-26s{chest} 6 {chest} 26z"/>'
            f'<rect class="plate" x="{-half}" y="{-round_}" width="{self.wide}" height="{self.high}" rx="{round_}"/>'
            f'<text y="6">{escape(self.name)}</text></g>'
        )


@dataclass(frozen=True, slots=True)
class Bubble:
    """A speech balloon. `number` is the number of the call in the log."""

    number: int
    by: str
    text: str
    box: Box
    x: int  # the person its tip points to
    y: int

    def svg(self) -> str:
        left, top, right, bottom = self.box
        middle = (left + right) // 2
        base = max(left + 12, min(right - 12, self.x))
        edge = bottom if self.y > bottom else top
        out = edge + (8 if self.y > bottom else -8)
        tip = f"M{base - 6} {edge}L{base + (self.x - base) // 4} {out}L{base + 6} {edge}z"
        return (
            f'<g class="bubble" data-id="call:{self.number}" data-by="{escape(self.by)}">'
            f'<rect class="balloon" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="10"/>'
            f'<path class="tip" d="{tip}"/><text x="{middle}" y="{bottom - 7}">{escape(self.text)}</text></g>'
        )


def bubble_width(text: str) -> int:
    return width(text, 15) + 14
