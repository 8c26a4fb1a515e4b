"""The parts of a betting layout: tokens as small as a spot, and areas to point at."""

from dataclasses import dataclass
from html import escape
from math import ceil

from training.drawing import chips
from training.drawing.geometry import Box
from training.drawing.primitives import at, head

ROOMY = 33  # the width of a token that any worth fits on
PRINT = 12.5  # the font size on a token
TAG = 42  # the widest tag
BADGE = 7  # the radius of a badge


@dataclass(frozen=True, slots=True)
class Token:
    """A player's chips of one value on a spot: a pile, and a badge with the place of the player.

    `worth` is the value printed on the chips or, once the bet has ended, what it earned or lost, on a tag. `design`
    names the chip, `kind` may add how the bet ended. Chips of a player's own colour need no badge (`own`).
    """

    place: str
    x: int
    y: int
    width: int
    height: int
    count: int
    worth: str
    design: str = "chip-1"
    kind: str = "token"
    lit: bool = False
    spot: str = ""
    id: str = ""  # set if it is not a stake
    own: bool = False
    size: float = PRINT
    within: bool = False  # whether the pile must not be higher than the room for it

    @property
    def radius(self) -> float:
        return min((self.width - 1) / 2, (self.height - 3) / 2, 13 if self.within else 16)

    @property
    def _rise(self) -> float:
        natural = chips.rise(self.count, self.radius)
        return min(natural, self.height - 2 * self.radius) if self.within else natural

    @property
    def box(self) -> Box:
        """What the pile covers, without its badge."""
        across, down = ceil(self.radius), ceil(self.radius + self._rise / 2)
        return Box(self.x - across, self.y - down, self.x + across, self.y + down)

    def svg(self) -> str:
        id = self.id or f"stake:{self.place}:{self.spot}"
        named = head(self.kind, self.id or f"stake:{self.place}", lit=self.lit, id=id)
        worth = "" if self._ended else self.worth
        pile = chips.pile_of(self.design, self.count, self.radius, worth, self.size, self._rise)
        return (
            f'<g {named}{at(self.x, self.y)}><g class="chip">{self._ring()}{pile}</g>'
            f"{self._tag() if self._ended else ''}{'' if self.own else self._badge()}</g>"
        )

    @property
    def _ended(self) -> bool:
        return self.worth[:1] in ("+", "\N{MINUS SIGN}")

    def _ring(self) -> str:
        """A ring that shows only round chips that are pointed out."""
        rise = self._rise
        across, r = 2 * self.radius + 5, self.radius + 2.5
        return (
            f'<rect class="chip-ring" x="{-across / 2:g}" y="{-across / 2 - rise / 2:.3g}" width="{across:g}" '
            f'height="{across + rise:.3g}" rx="{r:g}"/>'
        )

    def _badge(self) -> str:
        top = self._rise / 2
        wide = 2 * BADGE + 5 * (len(self.place) - 1)
        x, y = 0.72 * self.radius, (0.8 if not self._ended else 1.1) * self.radius - top
        return (
            f'<g class="badge" transform="translate({x:.3g} {y:.3g})"><rect x="{-wide / 2:g}" y="{-BADGE}" '
            f'width="{wide}" height="{2 * BADGE}" rx="{BADGE}"/><text class="owner" y="{0.36 * self.size:.2g}" '
            f'font-size="{self.size}">{escape(self.place)}</text></g>'
        )

    def _tag(self) -> str:
        """What the bet earned or lost, across its chips."""
        top, high = self._rise / 2, self.size + 3
        natural = round(len(self.worth) * chips.DIGIT * self.size)
        wide = max(self.width, min(natural + 6, TAG))
        squeezed = f' textLength="{wide - 5}" lengthAdjust="spacingAndGlyphs"' if natural > wide - 5 else ""
        return (
            f'<g class="tag" transform="translate(0 {-top:.3g})"><rect x="{-wide / 2:g}" y="{-high / 2:g}" '
            f'width="{wide}" height="{high:g}" rx="4"/><text class="worth" y="{0.36 * self.size:.2g}" '
            f'font-size="{self.size}"{squeezed}>{escape(self.worth)}</text></g>'
        )


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
