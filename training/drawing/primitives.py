"""What every drawing is made of: shapes of the cloth, labels, groups and dice; people, cards and chips lie beside it.

A part renders itself to SVG in one pass, without template machinery, because pages are full of them. Whatever is text
is escaped here; coordinates are whole numbers. `kind` is the CSS class. `point` is what a page may let be pointed at,
and what a step of the reasoning may light: `place:4a`, `card:ponto.3`, `stake:4a`, `spot:17-20`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, Protocol

Anchor = Literal["start", "middle", "end"]


class Part(Protocol):
    """Anything that can be drawn."""

    def svg(self) -> str: ...


def render(parts: Sequence[Part]) -> str:
    return "".join([part.svg() for part in parts])


def walk(parts: Sequence[Part]) -> Iterator[Part]:
    """Every part and whatever it is made of, in the order of drawing."""
    for part in parts:
        yield part
        yield from walk(getattr(part, "parts", ()))


def head(kind: str, point: str = "", *, lit: bool = False, id: str = "") -> str:
    """The attributes that say what a part is; by its `id` it is the same thing in the pictures before and after."""
    named = f' data-point="{escape(point)}"' if point else ""
    named += f' data-id="{escape(id)}"' if id else ""
    return f'class="{kind} lit"{named}' if lit else f'class="{kind}"{named}'


def at(x: int, y: int) -> str:
    return f' transform="translate({x} {y})"'


# ---------- shapes printed on the cloth ----------


@dataclass(frozen=True, slots=True)
class Ellipse:
    kind: str
    rx: int
    ry: int
    cx: int = 0
    cy: int = 0

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies on it."""
        return ((x - self.cx) / self.rx) ** 2 + ((y - self.cy) / self.ry) ** 2 < 1

    def svg(self) -> str:
        return f'<ellipse class="{self.kind}" cx="{self.cx}" cy="{self.cy}" rx="{self.rx}" ry="{self.ry}"/>'


@dataclass(frozen=True, slots=True)
class HalfMoon(Ellipse):
    """The upper half of an ellipse on straight sides: a table with a straight edge at `cy`, the dealer's side."""

    leg: int = 0

    def holds(self, x: int, y: int) -> bool:
        bend = self.cy - self.leg
        if y >= bend:
            return y < self.cy and abs(x - self.cx) < self.rx
        return ((x - self.cx) / self.rx) ** 2 + ((y - bend) / self.ry) ** 2 < 1

    def svg(self) -> str:
        left, right, bend = self.cx - self.rx, self.cx + self.rx, self.cy - self.leg
        d = f"M{left} {self.cy}V{bend}A{self.rx} {self.ry} 0 0 1 {right} {bend}V{self.cy}z"
        return f'<path class="{self.kind}" d="{d}"/>'


@dataclass(frozen=True, slots=True)
class Rect:
    kind: str
    x: int
    y: int
    width: int
    height: int
    rx: int = 0
    point: str = ""

    def svg(self) -> str:
        return (
            f'<rect {head(self.kind, self.point)} x="{self.x}" y="{self.y}" '
            f'width="{self.width}" height="{self.height}" rx="{self.rx}"/>'
        )


@dataclass(frozen=True, slots=True)
class Path:
    kind: str
    d: str

    def svg(self) -> str:
        return f'<path class="{self.kind}" d="{escape(self.d)}"/>'


@dataclass(frozen=True, slots=True)
class Label:
    """Text at a point of its base line. `wide` squeezes it into so much room; `turn` leans it, in degrees."""

    kind: str
    x: int
    y: int
    text: str
    anchor: Anchor | None = None
    wide: int = 0
    turn: int = 0

    def svg(self) -> str:
        turn = f' transform="rotate({self.turn} {self.x} {self.y})"' if self.turn else ""
        anchor = f' text-anchor="{self.anchor}"' if self.anchor else ""
        wide = f' textLength="{self.wide}" lengthAdjust="spacingAndGlyphs"' if self.wide else ""
        return f'<text class="{self.kind}" x="{self.x}" y="{self.y}"{anchor}{wide}{turn}>{escape(self.text)}</text>'


@dataclass(frozen=True, slots=True)
class Symbol:
    """A thing drawn once in `templates/table/symbols.svg` and used here: the shoe, a basket, a marker."""

    name: str
    x: int
    y: int
    width: int
    height: int
    kind: str = "symbol"

    def svg(self) -> str:
        box = f'x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}"'
        return f'<use class="{self.kind}" href="#{self.name}" {box}/>'


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that belong together: they are pointed at and lit as one."""

    kind: str
    parts: Sequence[Part]
    point: str = ""
    lit: bool = False

    def svg(self) -> str:
        return f"<g {head(self.kind, self.point, lit=self.lit)}>{render(self.parts)}</g>"


# ---------- dice ----------

DIE = 44
# Where the pips of each face lie, on a grid of three by three.
_PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


@dataclass(frozen=True, slots=True)
class Die:
    """A die at its top left corner. Without a face nobody sees yet what it shows. `turn` leans it, in degrees."""

    x: int
    y: int
    face: int = 0
    point: str = ""
    lit: bool = False
    turn: int = 0

    def svg(self) -> str:
        lean = f' rotate({self.turn} {DIE // 2} {DIE // 2})"' if self.turn else '"'
        pips = "".join(f'<circle cx="{10 + 12 * x}" cy="{10 + 12 * y}" r="4.4"/>' for x, y in _PIPS.get(self.face, ()))
        return (
            f"<g {head('die', self.point, lit=self.lit)}{at(self.x, self.y)[:-1]}{lean}>"
            f'<rect width="{DIE}" height="{DIE}" rx="8"/>{pips}</g>'
        )
