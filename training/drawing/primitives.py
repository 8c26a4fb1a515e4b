"""What every drawing is made of: shapes of the cloth, people, cards, chips, marks and labels.

A part renders itself to SVG in one pass, without template machinery, because pages are full of them. Whatever is text
is escaped here; coordinates are whole numbers. `kind` is the CSS class. `point` is what a page may let be pointed at,
and what a step of the reasoning may light: `place:4a`, `card:ponto.3`, `stake:4a`, `spot:17-20`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, Protocol

Anchor = Literal["start", "middle", "end"]
CARD_WIDE, CARD_HIGH = 58, 80


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


def head(kind: str, point: str = "", *, lit: bool = False) -> str:
    """The attributes that say what a part is."""
    named = f' data-point="{escape(point)}"' if point else ""
    return f'class="{kind} lit"{named}' if lit else f'class="{kind}"{named}'


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
    """The upper half of an ellipse: a table with a straight edge, where the dealer stands."""

    def holds(self, x: int, y: int) -> bool:
        return y < self.cy and Ellipse.holds(self, x, y)

    def svg(self) -> str:
        d = f"M{self.cx - self.rx} {self.cy}A{self.rx} {self.ry} 0 0 1 {self.cx + self.rx} {self.cy}z"
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


# ---------- people ----------


@dataclass(frozen=True, slots=True)
class Person:
    """A place at the table: a seat, or somebody standing at one, smaller. Ring and fan of cards tell what they hold."""

    place: str
    x: int
    y: int
    taken: bool = True
    lit: bool = False
    ring: bool = False
    cards: bool = False
    percent: int = 0  # of the usual size, where the table has less room

    @property
    def seated(self) -> bool:
        return self.place.isdigit()

    def svg(self) -> str:
        kind = "mark" if self.seated else "mark standing"
        kind += ("" if self.taken else " free") + (" has-cards" if self.cards else "")
        ring = '<circle class="ring" r="28"/>' if self.ring else ""
        return (
            f'<g {head(kind, f"place:{self.place}", lit=self.lit)} transform="translate({self.x} {self.y})">'
            f"<g{_scaled(self.percent or (100 if self.seated else 74))}>"
            f'<circle class="halo-edge" r="33"/><circle class="halo" r="33"/>{ring}<circle class="body" r="23"/>'
            f'<text y="8">{escape(self.place)}</text>{_FAN if self.cards else ""}</g></g>'
        )


def _scaled(percent: int) -> str:
    return "" if percent == 100 else f' transform="scale(.{percent:02})"'


_FAN = (
    '<g class="holding" transform="translate(13 -32)">'
    '<rect x="-2" y="3" width="13" height="18" rx="2" transform="rotate(-12)"/>'
    '<rect x="7" y="0" width="13" height="18" rx="2" transform="rotate(8)"/></g>'
)


@dataclass(frozen=True, slots=True)
class Croupier:
    """Whoever deals, at the rim of the table."""

    x: int
    y: int
    name: str

    def svg(self) -> str:
        return (
            f'<g class="croupier" transform="translate({self.x} {self.y})">'
            f'<rect x="-66" y="-15" width="132" height="32" rx="16"/><text y="7">{escape(self.name)}</text></g>'
        )


# ---------- cards ----------


@dataclass(frozen=True, slots=True)
class Card:
    """A card at its top left corner; face down it has neither rank nor suit."""

    ref: str
    x: int
    y: int
    rank: str = ""
    suit: str = ""
    lit: bool = False
    kind: str = "playing-card"

    @property
    def hidden(self) -> bool:
        return not self.rank

    def svg(self) -> str:
        return f"<g {head(self.kind, f'card:{self.ref}', lit=self.lit)}{at(self.x, self.y)}>{self._face()}</g>"

    def _face(self) -> str:
        if self.hidden:
            return f'<use href="#card-back" width="{CARD_WIDE}" height="{CARD_HIGH}"/>'
        narrow = ' textLength="29" lengthAdjust="spacingAndGlyphs"' if len(self.rank) > 1 else ""
        return (
            f'<rect class="card-edge" x="1" y="1" width="56" height="78" rx="6"/><g class="suit-{self.suit}">'
            f'<text class="rank" x="19" y="34"{narrow}>{escape(self.rank)}</text>'
            f'<use href="#suit-{self.suit}" x="4" y="42" width="29" height="29"/></g>'
        )


@dataclass(frozen=True, slots=True)
class Thing:
    """Something of a card's size that is no card of the facts: the warning card, a back that nothing is known of."""

    name: str
    x: int
    y: int
    lit: bool = False

    def svg(self) -> str:
        named = head("playing-card", f"card:{self.name}", lit=self.lit)
        return f'<g {named}{at(self.x, self.y)}><use href="#{self.name}" width="{CARD_WIDE}" height="{CARD_HIGH}"/></g>'


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that lie together under a label; without any, the place where they would lie is shown."""

    name: str
    label: Label
    x: int
    y: int
    cards: Sequence[Card | Thing]

    @property
    def parts(self) -> Sequence[Part]:
        place = Rect("heap-place", self.x, self.y, CARD_WIDE, CARD_HIGH, 6)
        return (self.label, *(self.cards or (place,)))

    def svg(self) -> str:
        return render(self.parts)


def at(x: int, y: int) -> str:
    return f' transform="translate({x} {y})"'


# ---------- chips ----------


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip at its point. Only the top chip of a stack carries the printed value."""

    x: int
    y: int
    shape: str
    label: str = ""

    def svg(self) -> str:
        box = f'x="{self.x - 20}" y="{self.y - 16}" width="40" height="32"'
        value = f'<text class="chip-value" x="{self.x}" y="{self.y + 5}">{escape(self.label)}</text>'
        return f'<use class="chip" href="#chip-{self.shape}" {box}/>{value if self.label else ""}'


@dataclass(frozen=True, slots=True)
class Pile:
    """Chips with their total written beside them, and whose they are where the seat does not say it.

    `owner_y` is where the owner is written when it does not fit beside the total.
    """

    place: str
    x: int
    chips: Sequence[Chip]
    total: str
    total_y: int
    owner: str = ""
    owner_y: int | None = None
    lit: bool = False

    @property
    def parts(self) -> Sequence[Part]:
        return self.chips

    def svg(self) -> str:
        above = "" if self.owner_y is None else Label("owner", self.x, self.owner_y, self.owner).svg()
        beside = f'<tspan class="owner">{escape(self.owner)} </tspan>' if self.owner and not above else ""
        total = (
            f'<text class="{"total close" if above else "total"}" x="{self.x}" y="{self.total_y}">'
            f"{beside}{escape(self.total)}</text>"
        )
        return f"<g {head('pile', f'stake:{self.place}', lit=self.lit)}>{render(self.chips)}{above}{total}</g>"


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
