"""The basic parts of every drawing: shapes on the cloth, labels, groups and dice.

A part renders itself to SVG without a template, because pages contain very many of them. Text is escaped here;
coordinates are whole numbers. `kind` is the CSS class. `point` names what the reader can point at and what a step of
the reasoning can highlight: `place:4a`, `card:ponto.3`, `stake:4a`, `spot:17-20`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, Protocol

from training.drawing.geometry import Box

Anchor = Literal["start", "middle", "end"]


class Part(Protocol):
    """Anything that can be drawn."""

    def svg(self) -> str: ...


def render(parts: Sequence[Part]) -> str:
    return "".join([part.svg() for part in parts])


def walk(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield every part and the parts inside it, in drawing order."""
    for part in parts:
        yield part
        yield from walk(getattr(part, "parts", ()))


def head(kind: str, point: str = "", *, lit: bool = False, id: str = "") -> str:
    """The attributes of a part. `id` identifies the same thing in the pictures before and after the ruling."""
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
        """Whether the point lies inside."""
        return ((x - self.cx) / self.rx) ** 2 + ((y - self.cy) / self.ry) ** 2 < 1

    def svg(self) -> str:
        return f'<ellipse class="{self.kind}" cx="{self.cx}" cy="{self.cy}" rx="{self.rx}" ry="{self.ry}"/>'


@dataclass(frozen=True, slots=True)
class Rect:
    kind: str
    x: int
    y: int
    width: int
    height: int
    rx: int = 0
    point: str = ""

    @classmethod
    def of(cls, kind: str, box: Box, rx: int = 0, point: str = "") -> "Rect":
        return cls(kind, box.left, box.top, box.width, box.height, rx, point)

    def svg(self) -> str:
        return (
            f'<rect {head(self.kind, self.point)} x="{self.x}" y="{self.y}" '
            f'width="{self.width}" height="{self.height}" rx="{self.rx}"/>'
        )


@dataclass(frozen=True, slots=True)
class Path:
    kind: str
    d: str
    point: str = ""

    def svg(self) -> str:
        return f'<path {head(self.kind, self.point)} d="{escape(self.d)}"/>'


@dataclass(frozen=True, slots=True)
class Label:
    """Text at a point on its base line. `wide` squeezes it into this width; `turn` rotates it, in degrees.

    `size` is the font size where the style sheet does not set it.
    """

    kind: str
    x: int
    y: int
    text: str
    anchor: Anchor | None = None
    wide: int = 0
    turn: int = 0
    size: float = 0

    def svg(self) -> str:
        size = f' font-size="{self.size:g}"' if self.size else ""
        turn = f' transform="rotate({self.turn} {self.x} {self.y})"' if self.turn else ""
        anchor = f' text-anchor="{self.anchor}"' if self.anchor else ""
        wide = f' textLength="{self.wide}" lengthAdjust="spacingAndGlyphs"' if self.wide else ""
        return (
            f'<text class="{self.kind}" x="{self.x}" y="{self.y}"{size}{anchor}{wide}{turn}>{escape(self.text)}</text>'
        )


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol from `templates/table/symbols.svg`: the shoe, a basket, a marker."""

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
    """Parts that are pointed at and highlighted together."""

    kind: str
    parts: Sequence[Part]
    point: str = ""
    lit: bool = False

    def svg(self) -> str:
        return f"<g {head(self.kind, self.point, lit=self.lit)}>{render(self.parts)}</g>"


# ---------- dice ----------

DIE = 44
# The pips of each face on a grid of three by three.
_PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


@dataclass(frozen=True, slots=True)
class PrintedDie:
    """The face of a die printed on a cloth, around its middle."""

    x: int
    y: int
    size: int
    face: int

    def svg(self) -> str:
        box = f'x="{self.x - self.size // 2}" y="{self.y - self.size // 2}" width="{self.size}" height="{self.size}"'
        return f'<use class="printed-die" href="#die-{self.face}" {box}/>'


@dataclass(frozen=True, slots=True)
class Die:
    """A die at its top left corner. Face 0 shows no pips. `turn` rotates it, in degrees."""

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
