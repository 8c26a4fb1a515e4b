"""The rack of a table: a chip of each value, to pay with."""

from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from rules_engine import Rulebook
from rules_engine.words import grouped, money
from training.drawing import chip_designs as designs
from training.drawing.chips import CHANGE, face, printed
from training.drawing.cloths.roulette.cloth import is_french

MOST = 10  # chips in a rack
SIZE = 17.0  # the font size of the value on a chip
# For cases from before there were tables: what was in use, by currency.
EARLIER = {"EUR": (1, 1_000), "PTE": (100, 1_000_000)}


class RackChip(NamedTuple):
    value: int
    label: str
    svg: SafeString


class ChipRack(NamedTuple):
    """The chips, the smallest first, what stands between thousands in a total, and the classes of the game's felt."""

    chips: list[RackChip]
    apart: str
    felt: str


def values(book: Rulebook) -> tuple[int, ...]:
    """The face values of the chips in the rack, the largest first."""
    if book.given_table:
        return book.given_table.values[-MOST:]
    least, most = EARLIER[book.currency]
    return tuple(value for value in CHANGE if least <= value <= most)[-MOST:]


def rack(book: Rulebook, language: str) -> ChipRack:
    chips = [RackChip(value, money(value, book.currency, language), _drawn(value)) for value in reversed(values(book))]
    felt = f"{book.game.id} french" if is_french(book.id) else book.game.id
    return ChipRack(chips, grouped(1_000, language)[1], felt)


def _drawn(value: int) -> SafeString:
    name = designs.of_value(value)
    radius = designs.RADIUS
    # The same chip may be on the drawing of the table, and an id must be unique.
    chip = designs.symbol(name).replace(f' id="{name}"', "", 1)
    return mark_safe(  # noqa: S308 (made of numbers and our own colours)
        f'<svg viewBox="-{radius + 1} -{radius + 1} {2 * radius + 2} {2 * radius + 2}" aria-hidden="true">'
        f"{chip}{face(name, printed(value), radius, SIZE)}</svg>"
    )
