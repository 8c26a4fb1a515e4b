"""Chips: an amount as a stack, the largest at the bottom, with its total beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from django.utils.translation import get_language

from rules_engine.words import THOUSANDS
from training.drawing.geometry import Box
from training.drawing.primitives import Anchor, Part, head
from training.drawing.texts import width

# Value -> outline: discs for small change, plaques for large sums, as in casinos. Neighbouring values differ, so that
# they can be told apart without colour.
SHAPES: dict[int, str] = {
    1_000_000: "plaque-oval",
    500_000: "plaque-cut",
    100_000: "plaque",
    50_000: "plaque-oval",
    10_000: "plaque-cut",
    5_000: "plaque",
    1_000: "octagon",
    500: "diamond",
    100: "square",
    50: "hexagon",
    10: "disc",
    5: "hexagon",
    1: "disc",
}
DRAWN, HIGHEST = 2, 4  # most chips drawn of one value, and of a stack
WIDE, HIGH, LIFT = 40, 32, 3  # the size of a chip, and how much higher the next one lies
TOTAL = 15.5  # the font size of a total
PRINT = 27  # the width for the value on a chip


def stacks(amount: int) -> list[tuple[int, int]]:
    """The fewest chips that make up an amount, as (value, count), the largest first."""
    found = []
    for value in SHAPES:
        count, amount = divmod(amount, value)
        if count:
            found.append((value, count))
    return found


def printed(value: int) -> str:
    """The value as printed on a chip, with thousands and millions abbreviated."""
    if value >= 1_000_000:
        return f"{value // 1_000_000}M"
    return f"{value // 1_000}k" if value >= 1_000 else str(value)


def written(amount: int) -> str:
    """A total as written beside its chips in the reader's language, without a currency."""
    apart = THOUSANDS.get(get_language() or "en", "\N{NARROW NO-BREAK SPACE}")
    return f"{amount:,}".replace(",", apart)


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of chips with its lowest chip at (x, y). The top chip shows its value."""

    x: int
    y: int
    values: Sequence[int]  # from the lowest

    @property
    def box(self) -> Box:
        return Box(self.x - 18, self.y - 16 - LIFT * (len(self.values) - 1), self.x + 18, self.y + 16)

    def svg(self) -> str:
        if not self.values:
            return ""
        chips = [
            f'<use class="chip v{value}" href="#chip-{SHAPES[value]}" x="{self.x - WIDE // 2}" '
            f'y="{self.y - HIGH // 2 - LIFT * level}" width="{WIDE}" height="{HIGH}"/>'
            for level, value in enumerate(self.values)
        ]
        text = printed(self.values[-1])
        narrow = f' textLength="{PRINT}" lengthAdjust="spacingAndGlyphs"' if len(text) > 2 else ""
        base = self.y - LIFT * (len(self.values) - 1) + 5
        return (
            f'<g class="stack">{"".join(chips)}'
            f'<text class="chip-value" x="{self.x}" y="{base}"{narrow}>{text}</text></g>'
        )


def stack(amount: int, x: int, y: int) -> Stack:
    found = stacks(amount)
    several = DRAWN if len(found) * DRAWN <= HIGHEST else 1
    values = [value for value, count in found for _ in range(min(count, several))]
    return Stack(x, y, tuple(values[-HIGHEST:]))


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
            f'<text class="total" x="{self.x}" y="{self.y}"{anchor}>{owner}{escape(self.total)}</text></g>'
        )


def total_width(total: str, owner: str = "") -> int:
    return width(f"{owner} {total}" if owner else total, TOTAL, bold=True)
