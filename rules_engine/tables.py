"""Tables of a house: the currency, chips and limits with which cases are played.

A table is a value in the scenario document, so a case keeps its table whatever the house changes later. What the law
fixes is not part of it; `Game.check_table` refuses settings that the law does not allow.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rules_engine.errors import ImpossibleFacts
from rules_engine.situation import Sum, convert

Currency = Literal["EUR", "PTE"]
Paint = Annotated[str, Meta(pattern="^(#[0-9a-f]{6})?$", description="a colour, or empty for the usual one")]


class Chip(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A chip of face value: its colour and that of the spots on its edge. Without colours it looks as usual."""

    value: Annotated[int, Meta(ge=1, le=10_000_000)]
    colour: Paint = ""
    edge: Paint = ""


class Limit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The least and largest bet of a kind and the step between bets, where the law leaves them to the house. Zero: the
    house sets none."""

    bet: str
    minimum: Sum = 0
    maximum: Sum = 0
    step: Sum = 0


class Table(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One table of a house. `minimum` is its least bet, `packs` the packs of cards in use, `pace` the coups in an hour.

    `historical`: a table as it was when the regulation was made, in the money of that time; not used unless chosen.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    currency: Currency
    chips: Annotated[tuple[Chip, ...], Meta(min_length=1, max_length=16)]
    minimum: Annotated[int, Meta(ge=1, le=1_000_000)]
    limits: Annotated[tuple[Limit, ...], Meta(max_length=40)] = ()
    seats: Annotated[int, Meta(ge=0, le=20)] = 0
    packs: Annotated[int, Meta(ge=0, le=8)] = 0
    pace: Annotated[int, Meta(ge=0, le=500)] = 0
    historical: bool = False

    def limit(self, bet: str) -> Limit:
        """The limits of a kind of bet; all zero if the house sets none."""
        for limit in self.limits:
            if limit.bet == bet:
                return limit
        return Limit(bet)

    @property
    def values(self) -> tuple[int, ...]:
        """The face values of its chips, the largest first."""
        return tuple(sorted((chip.value for chip in self.chips), reverse=True))

    def chips_between(self, least: int, most: int) -> tuple[int, ...]:
        """The face values from one sum to another, the smallest first."""
        return tuple(value for value in reversed(self.values) if least <= value <= most)


class UnfitTable(ImpossibleFacts):
    """Settings of a table that cannot be used. `cite` is the article that does not allow them, if one does."""

    def __init__(self, fact: str, template: str, /, *, cite: str = "", **values: Any) -> None:
        self.cite = cite
        super().__init__(fact, template, **values)


def table_from(data: object) -> Table:
    """A table from plain data (parsed JSON or TOML). Raises an error that says what is wrong and where."""
    return convert(data, Table, "table")


def check_chips(table: Table, *sums: tuple[str, int]) -> None:
    """Raise UnfitTable if two chips have one value, or if the least bet or one of these sums cannot be paid in
    chips."""
    if len(set(table.values)) != len(table.values):
        raise UnfitTable("chips", "two chips have the same value")
    smallest = table.values[-1]
    for fact, amount in (("minimum", table.minimum), *sums):
        if amount % smallest:
            raise UnfitTable(
                fact, "{amount:amount} cannot be paid in chips of {chip:amount}", amount=amount, chip=smallest
            )


def load_tables(source: Traversable) -> Iterator[Table]:
    """The tables of a file, where chips may be given by their values alone."""
    for entry in tomllib.loads(source.read_text("utf-8"))["table"]:
        chips = [{"value": chip} if isinstance(chip, int) else chip for chip in entry["chips"]]
        yield table_from(entry | {"chips": chips})
