"""The parts of a betting layout: tokens as small as a spot, and areas to point at."""

from dataclasses import dataclass
from html import escape
from math import ceil

from training.drawing import chips
from training.drawing.geometry import Box
from training.drawing.primitives import at, head

ROOMY = 33  # the width of a token that any worth fits on
PRINT = 12.9  # the font size on a token
IN_LINE, LINE_PRINT = 60, 13.5  # from this width on chips, owner and sum are in one line, in this size
ASIDE, STAKE, FEW = 36, 10, 4  # sums are beside chips from this width on; the radius and number of such chips
BADGE = 7  # the radius of a badge
LEGIBLE = 10  # the least radius of a chip with its value on it


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
    kit: chips.Kit = chips.USUAL
    amount: int = 0  # if set, these are the chips that make up an amount, with `worth` written beside or below them

    @property
    def radius(self) -> float:
        largest = 12 if self.within and self.width < ROOMY else 16
        return min((self.width - 1) / 2, (self.height - 3) / 2, largest)

    @property
    def _rise(self) -> float:
        natural = chips.rise(self.count, self.radius)
        return min(natural, self.height - 2 * self.radius) if self.within else natural

    @property
    def box(self) -> Box:
        """What the pile covers, without its badge."""
        across = ceil(self.radius + chips.spread(self.count, self.radius))
        down = ceil(self.radius + self._rise / 2)
        return Box(self.x - across, self.y - down, self.x + across, self.y + down)

    def svg(self) -> str:
        id = self.id or f"stake:{self.place}:{self.spot}"
        named = head(self.kind, self.id or f"stake:{self.place}", lit=self.lit, id=id)
        if self.amount:
            return f"<g {named}{at(self.x, self.y)}>{self._sum()}</g>"
        worth = "" if self._ended else self.worth
        pile = chips.pile_of(self.design, self.count, self.radius, worth, self.size, self._rise)
        return (
            f"<g {named}{at(self.x, self.y)}>{self._ring()}{chips.shade_of(self.count, self.radius, self._rise)}"
            f'<g class="chip">{pile}</g>'
            f"{self._cap()}{self._tag() if self._ended else ''}{'' if self.own else self._badge(*self._on_chips())}</g>"
        )

    def _sum(self) -> str:
        """The chips of an amount; at their right the owner over the sum, or in a narrow box the sum below."""
        if self.width >= IN_LINE:
            return self._line()
        aside = self.width >= ASIDE
        radius = STAKE if aside else round(self.height - self.size - 2) // 2
        x, y = (radius - self.width // 2, 3) if aside else (-2, radius - self.height // 2 + 3)
        room = self.width - 2 * radius - 2 if aside else self.width
        left, down = (self.width // 2 - room // 2, self.height // 2) if aside else (0, self.height // 2 - 1)
        narrow = len(self.worth) * chips.DIGIT * self.size > room
        squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if narrow else ""
        values = tuple(chips.stack(self.amount, 0, 0, self.kit).values[:FEW])
        badge = (
            "" if self.own else self._badge(left, BADGE - self.height // 2 - 1) if aside else self._badge(radius, y - 3)
        )
        return (
            f'<g class="chip" transform="translate({x} {y})">'
            f"{chips.stacked(values, radius, self.size if aside or radius >= LEGIBLE else 0, 4, self.kit)}</g>"
            f'<text class="sum" x="{left}" y="{down}" font-size="{self.size}"{squeezed}>'
            f"{escape(self.worth)}</text>{badge}"
        )

    def _line(self) -> str:
        """The chips of an amount, their owner and the sum, one after the other."""
        values = tuple(chips.stack(self.amount, 0, 0, self.kit).values[:FEW])
        left, size = -self.width // 2, LINE_PRINT
        badge = left + 2 * STAKE + 2 + BADGE + 5 * (len(self.place) - 1) / 2
        start = badge + BADGE + 2 + 5 * (len(self.place) - 1) / 2
        room = self.width / 2 - start - 3
        squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if _long(self.worth, size) > room else ""
        plate, wide = left + STAKE, self.width / 2 - left - STAKE
        return (
            f'<rect class="total-plate" x="{plate}" y="-8.5" width="{wide:g}" height="17" rx="8.5"/>'
            f'<g class="chip" transform="translate({left + STAKE:g} 2)">'
            f"{chips.stacked(values, STAKE, size, 4, self.kit)}</g>"
            f'<text class="sum in-line" x="{start:g}" y="{0.36 * size:.2g}" font-size="{size}"{squeezed}>'
            f"{escape(self.worth)}</text>{self._badge(badge, 0)}"
        )

    @property
    def _ended(self) -> bool:
        return self.worth[:1] in ("+", "\N{MINUS SIGN}")

    def _ring(self) -> str:
        """The outline of the pile, which shows only round chips that are pointed out."""
        across = self.radius + chips.spread(self.count, self.radius)
        down = self.radius + self._rise / 2
        return (
            f'<rect class="chip-ring" x="{-across:.3g}" y="{-down:.3g}" width="{2 * across:.3g}" '
            f'height="{2 * down:.3g}" rx="{self.radius:g}"/>'
        )

    def _cap(self) -> str:
        """A small marker on top of chips that carry one."""
        if "marked" not in self.kind.split():
            return ""
        return (
            f'<use href="#marker" x="{-self.radius:g}" y="{-self.radius - self._rise / 2:.3g}" width="10" height="16"/>'
        )

    def _badge(self, x: float, y: float) -> str:
        wide = 2 * BADGE + 5 * (len(self.place) - 1)
        return (
            f'<g class="badge" transform="translate({x:.3g} {y:.3g})"><rect x="{-wide / 2:g}" y="{-BADGE}" '
            f'width="{wide}" height="{2 * BADGE}" rx="{BADGE}"/><text class="owner" y="{0.36 * self.size:.2g}" '
            f'font-size="{self.size}">{escape(self.place)}</text></g>'
        )

    def _on_chips(self) -> tuple[float, float]:
        """Where the badge is on a pile: at the lower right of the top chip."""
        x = 0.72 * self.radius + chips.spread(self.count, self.radius)
        return x, (1.1 if self._ended else 0.8) * self.radius - self._rise / 2

    def _tag(self) -> str:
        """What the bet earned or lost, across its chips."""
        top, high = self._rise / 2, self.size + 3
        natural = round(len(self.worth) * chips.DIGIT * self.size)
        wide = min(natural + 6, self.width + 2)
        squeezed = f' textLength="{wide - 5}" lengthAdjust="spacingAndGlyphs"' if natural > wide - 5 else ""
        return (
            f'<g class="tag" transform="translate(0 {-top:.3g})"><rect x="{-wide / 2:g}" y="{-high / 2:g}" '
            f'width="{wide}" height="{high:g}" rx="4"/><text class="worth" y="{0.36 * self.size:.2g}" '
            f'font-size="{self.size}"{squeezed}>{escape(self.worth)}</text></g>'
        )


def _long(text: str, size: float) -> float:
    return len(text) * chips.DIGIT * size


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
