"""The parts of a betting layout: tokens as small as a spot, and areas to point at."""

from dataclasses import dataclass
from html import escape
from typing import Literal

from training.drawing.chips import SHAPES
from training.drawing.primitives import at, head

Outline = Literal["round", "square", "cut", "soft"]
ROOMY = 33  # the width of a token that any worth fits on
CORNERS: dict[Outline, int] = {"round": 12, "square": 2, "cut": 6, "soft": 6}
OUTLINES: dict[str, Outline] = {
    "disc": "round",
    "hexagon": "cut",
    "square": "square",
    "diamond": "soft",
    "octagon": "cut",
    "plaque": "square",
    "plaque-cut": "soft",
    "plaque-oval": "round",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A player's chips of one value on a spot: the place of the player, how many chips, and what each is worth.

    `kind` may add how the bet ended; the outline tells values apart without colour.
    """

    place: str
    x: int
    y: int
    width: int
    height: int
    count: int
    worth: str
    outline: Outline = "round"
    kind: str = "token"
    lit: bool = False
    spot: str = ""
    id: str = ""  # set if it is not a stake

    def svg(self) -> str:
        many = f'<tspan class="many">\N{NARROW NO-BREAK SPACE}×{self.count}</tspan>' if self.count > 1 else ""
        owner = f"{escape(self.place)}{many}"
        room = self.width - 4
        id = self.id or f"stake:{self.place}:{self.spot}"
        named = head(self.kind, self.id or f"stake:{self.place}", lit=self.lit, id=id)
        return (
            f"<g {named}{at(self.x, self.y)}>"
            f'<path class="chip" d="{self._edge()}"/><path class="band" d="{self._band()}"/>'
            f'<text class="owner" y="-3"{_squeezed(len(self.place) + (len(str(self.count)) + 1.5) * bool(many), room)}>'
            f'{owner}</text><text class="worth" y="{self.height // 2 - 3}"{_squeezed(len(self.worth), self.width - 3)}>'
            f"{escape(self.worth)}</text></g>"
        )

    def _edge(self) -> str:
        wide, high, corner = self.width, self.height // 2, CORNERS[self.outline]
        upper = self._band().removesuffix("z")
        lower = f"{self._turn(-corner, corner)}h{2 * corner - wide}{self._turn(-corner, -corner)}z"
        return f"{upper}v{high - corner}{lower}"

    def _band(self) -> str:
        """The upper half."""
        wide, high, corner = self.width, self.height // 2, CORNERS[self.outline]
        return (
            f"M{-(wide // 2)} 0v{corner - high}{self._turn(corner, -corner)}h{wide - 2 * corner}"
            f"{self._turn(corner, corner)}V0z"
        )

    def _turn(self, dx: int, dy: int) -> str:
        corner = CORNERS[self.outline]
        return f"l{dx} {dy}" if self.outline == "cut" else f"a{corner} {corner} 0 0 1 {dx} {dy}"


DIGIT = 9  # the width of a bold digit in the widest font that a reader may have


def _squeezed(chars: float, room: int) -> str:
    return f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if chars * DIGIT > room else ""


def outline(value: int) -> Outline:
    """The outline of the largest chip that is not worth more than the value."""
    return OUTLINES[SHAPES[max((known for known in SHAPES if known <= value), default=1)]]


def short(value: int, language: str) -> str:
    """An exact value in little room: whole tenths of thousands and millions are abbreviated."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= unit and value * 10 % unit == 0:
            tenths = f"{value / unit:.1f}".removesuffix(".0")
            return (tenths if language == "en" else tenths.replace(".", ",")) + letter
    return str(value)


# ---------- pointing ----------


@dataclass(frozen=True, slots=True)
class Target:
    """A box to point at, over whatever lies there. Tab reaches only the first target of a sheet."""

    point: str
    name: str
    x: int
    y: int
    width: int
    height: int
    first: bool = False

    def svg(self) -> str:
        return (
            f'<rect {head("target pointable", self.point)} x="{self.x}" y="{self.y}" width="{self.width}" '
            f'height="{self.height}" rx="4" role="button" tabindex="{0 if self.first else -1}" '
            f'aria-pressed="false" aria-label="{escape(self.name)}"/>'
        )


@dataclass(frozen=True, slots=True)
class Area:
    """A target of any shape, such as a band that runs round a table."""

    point: str
    name: str
    d: str
    first: bool = False

    def svg(self) -> str:
        return (
            f'<path {head("target pointable", self.point)} d="{escape(self.d)}" role="button" '
            f'tabindex="{0 if self.first else -1}" aria-pressed="false" aria-label="{escape(self.name)}"/>'
        )
