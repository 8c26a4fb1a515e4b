"""Chips: an amount as a stack, the largest at the bottom, with its total beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from django.utils.translation import get_language

from rules_engine import Table
from rules_engine.words import THOUSANDS
from training.drawing import chip_designs as designs
from training.drawing.chip_designs import VALUES
from training.drawing.geometry import Box
from training.drawing.primitives import Anchor, Part, at, head
from training.drawing.texts import width

# The values that amounts are made up of.
CHANGE = tuple(value for value in VALUES if value not in (25, 2_500, 25_000))
HIGHEST = 8  # most chips drawn of a stack
RADIUS, LIFT, LOW = 16, 3, 4  # the size of a chip, how much higher the next one lies, and up to how many
TOTAL = 15.5  # the font size of a total
TURN = 23  # how far each chip is turned against the one below, in degrees
DIGIT = 0.62  # the width of a bold digit, as a part of its size
FIVES = 5  # chips in one cut of a pile; the next five lie a little aside
MOST = 20  # chips in one pile; the rest lies beside it
BESIDE = 1.3  # from one pile to the next, as a part of the radius


@dataclass(frozen=True, slots=True)
class Kit:
    """The chips of a table: the values that amounts are made up of, the largest first, and what they look like."""

    change: tuple[int, ...] = CHANGE
    paint: tuple[tuple[int, str], ...] = ()

    def stacks(self, amount: int) -> list[tuple[int, int]]:
        """Few chips that make up an amount, as (value, count), the largest first. What is less than the smallest chip
        is left out, but there is always one."""
        found, rest = [], amount
        for value in self.change:
            count, rest = divmod(rest, value)
            if count:
                found.append((value, count))
        return found or ([(self.change[-1], 1)] if amount else [])

    def design(self, value: int) -> str:
        """The name of the design of a chip of this value, or of the largest that is not worth more."""
        fit = [(worth, name) for worth, name in self.paint if worth <= value]
        return max(fit)[1] if fit else self.paint[-1][1] if self.paint else designs.of_value(value)


USUAL = Kit()


@cache
def kit_of(table: Table | None) -> Kit:
    """The chips of a table; without a table, those that cases had before there were tables."""
    if table is None:
        return USUAL
    chips = sorted(table.chips, key=lambda chip: -chip.value)
    paint = tuple((chip.value, designs.painted(chip.value, chip.colour, chip.edge)) for chip in chips)
    return Kit(table.values, paint)


def printed(value: int) -> str:
    """The value as printed on a chip, with thousands and millions abbreviated."""
    if value >= 1_000_000:
        return f"{value // 1_000_000}M"
    return f"{value // 1_000}k" if value >= 1_000 else str(value)


def written(amount: int) -> str:
    """A total as written beside its chips in the reader's language, without a currency."""
    apart = THOUSANDS.get(get_language() or "en", "\N{NARROW NO-BREAK SPACE}")
    return f"{amount:,}".replace(",", apart)


# ---------- chips from above ----------


def disc(name: str, x: float, y: float, radius: float, turn: int) -> str:
    return f'<use href="#{name}" transform="translate({x:g} {y:g})rotate({turn})scale({radius / designs.RADIUS:.3g})"/>'


@cache
def face(name: str, text: str, radius: float, size: float) -> str:
    """The inlay of the chip on top: its sign, or its value squeezed into it."""
    made = designs.design(name)
    inlay = f'<circle class="inlay" r="{0.62 * radius if made.sign else 0.76 * radius:.1f}" stroke="{made.base}"/>'
    if made.sign:
        mark = f'<path d="{made.sign}" fill="{made.base}" transform="scale({0.58 * radius:.3g})"/>'
    elif text:
        room = 1.36 * radius
        narrow = f' textLength="{room:.0f}" lengthAdjust="spacingAndGlyphs"' if DIGIT * size * len(text) > room else ""
        mark = f'<text class="worth" y="{0.35 * size:.1f}" font-size="{size}"{narrow}>{escape(text)}</text>'
    else:
        mark = ""
    return f'{inlay}{mark}<circle class="gloss" r="{radius:g}"/>'


def _piles(count: int, radius: float, highest: float) -> Iterator[tuple[int, float, float]]:
    """How many chips are in each pile, how far aside it is, and how far below the middle its lowest chip lies."""
    full, rest = divmod(count - 1, MOST)
    for index, chips in enumerate([*[MOST] * full, rest + 1]):
        yield chips, (index - full / 2) * BESIDE * radius, min(rise(chips, radius), highest) / 2


@cache
def shade_of(count: int, radius: float, highest: float = 99) -> str:
    """The shadow of the chips of `pile_of`."""
    return "".join(
        f'<circle class="shade" cx="{aside + 1:.3g}" cy="{base + 2:.3g}" r="{1.2 * radius:.3g}"/>'
        for _chips, aside, base in _piles(count, radius, highest)
    )


@cache
def pile_of(name: str, count: int, radius: float, text: str, size: float, highest: float = 99) -> str:
    """Chips of one kind around (0, 0), cut in fives; what is more than a full pile lies beside it.

    `highest` is how much higher than the lowest the top chip may lie.
    """
    drawn, left = "", count
    for chips, aside, base in _piles(count, radius, highest):
        lift, cut = 2 * base / max(1, chips - 1), 0.08 * radius if chips > FIVES else 0
        for level in range(chips):
            x = aside + (cut if level // FIVES % 2 else -cut)
            drawn += disc(name, round(x, 1), round(base - level * lift, 1), radius, 10 + TURN * level)
        left -= chips
        top = f"translate({aside + (cut if (chips - 1) // FIVES % 2 else -cut):.3g} {-base:.3g})"
        drawn += f'<g transform="{top}">{face(name, "" if left else text, radius, size)}</g>'
    return drawn


def rise(count: int, radius: float) -> float:
    """How much higher the top chip of a pile lies than the lowest."""
    chips = min(count, MOST)
    return (chips - 1) * radius * (0.26 if chips <= FIVES else 0.18 if chips <= 2 * FIVES else 0.13)


def spread(count: int, radius: float) -> float:
    """How far the middle of the last pile is from the middle of all."""
    return (count - 1) // MOST / 2 * BESIDE * radius


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip of a design, with a value printed on it or not."""

    design: str
    x: int
    y: int
    radius: int
    print: str = ""
    size: float = TOTAL

    def svg(self) -> str:
        pile = pile_of(self.design, 1, self.radius, self.print, self.size)
        return f'<g class="one-chip"{at(self.x, self.y)}>{shade_of(1, self.radius)}{pile}</g>'


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of chips with its lowest chip at (x, y). The top chip shows its value."""

    x: int
    y: int
    values: Sequence[int]  # from the lowest
    kit: Kit = USUAL

    @property
    def box(self) -> Box:
        return Box(self.x - 17, self.y - 16 - rise_of(len(self.values)), self.x + 17, self.y + 16)

    def svg(self) -> str:
        return (
            f'<g class="stack"{at(self.x, self.y)}>{stacked(tuple(self.values), kit=self.kit)}</g>'
            if self.values
            else ""
        )


def rise_of(count: int) -> int:
    """How much higher the top chip of a stack lies than the lowest; those of a high stack lie closer."""
    return (LIFT if count <= LOW else LIFT - 1) * (count - 1)


@cache
def stacked(
    values: tuple[int, ...], radius: int = RADIUS, size: float = TOTAL, most: int = 99, kit: Kit = USUAL
) -> str:
    """Chips on one another, the first at (0, 0), the top one at most so much higher.

    Without a `size` no value is printed.
    """
    rise = min(rise_of(len(values)), most)
    lift = rise / max(1, len(values) - 1)
    chips = [disc(kit.design(value), 0, -lift * level, radius, 10 + TURN * level) for level, value in enumerate(values)]
    top = face(kit.design(values[-1]), printed(values[-1]) if size else "", radius, size)
    shade = f'<circle class="shade" cx="1" cy="2" r="{1.2 * radius:g}"/>'
    ring = (
        f'<rect class="chip-ring" x="{-radius}" y="{-radius - rise}" width="{2 * radius}" height="{2 * radius + rise}" '
        f'rx="{radius}"/>'
    )
    return f'{ring}{shade}{"".join(chips)}<g transform="translate(0 {-rise})">{top}</g>'


def stack(amount: int, x: int, y: int, kit: Kit = USUAL) -> Stack:
    """The chips that make up an amount, the largest below; of very many, the largest."""
    values = [value for value, count in kit.stacks(amount) for _ in range(min(count, HIGHEST))]
    return Stack(x, y, tuple(values[:HIGHEST]), kit)


@dataclass(frozen=True, slots=True)
class Pile:
    """A stack with its total beside it, and its owner where the place does not say whose it is.

    `id` identifies it in the pictures before and after the ruling; `kind` tells how it ended.
    """

    place: str
    stack: Stack
    total: str
    x: int  # the base line of the total
    y: int
    anchor: Anchor = "middle"
    owner: str = ""
    lit: bool = False
    kind: str = "pile"
    id: str = ""
    amount: int = 0
    point: str = ""  # set if it is not a stake

    @property
    def parts(self) -> Sequence[Part]:
        return (self.stack,)

    def svg(self) -> str:
        owner = f'<tspan class="owner">{escape(self.owner)} </tspan>' if self.owner else ""
        anchor = "" if self.anchor == "middle" else f' text-anchor="{self.anchor}"'
        named = head(self.kind, self.point or f"stake:{self.place}", lit=self.lit, id=self.id or f"stake:{self.place}")
        return (
            f'<g {named} data-group="pile:{escape(self.place)}" data-amount="{self.amount}">{self.stack.svg()}'
            f"{self._plate()}"
            f'<text class="total" x="{self.x}" y="{self.y}"{anchor}>{owner}{escape(self.total)}</text></g>'
        )

    def _plate(self) -> str:
        """What the total is written on."""
        wide = total_width(self.total, self.owner) + 4
        left = {"start": self.x - 3, "end": self.x - wide + 3}.get(self.anchor, self.x - wide / 2)
        return f'<rect class="total-plate" x="{left:g}" y="{self.y - 12.5:g}" width="{wide}" height="17" rx="8.5"/>'


def total_width(total: str, owner: str = "") -> int:
    return width(f"{owner} {total}" if owner else total, TOTAL, bold=True)
