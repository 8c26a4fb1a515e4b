"""Incidents for a running table: generated facts, moved to the people and sums that are there.

A game's cases make facts at tables of their own. Here everybody they mention becomes somebody at the running table, in
the same order round it, and every sum is brought to its scale. Whether the result can occur, and what is wrong with it,
the game's own checks and rules decide.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from re import fullmatch
from typing import Any, get_args

from msgspec import Struct, structs

from rules_engine.cases import Case
from rules_engine.draw import Draw
from rules_engine.equipment.places import PLACE
from rules_engine.errors import EngineError
from rules_engine.game import rulebook
from rules_engine.live.flow import plain
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Ruling
from rules_engine.situation import Situation, Sum, kind_of
from rules_engine.topics import cases

SAMPLES = 3
Order = Callable[[Iterable[str]], Sequence[str]]


class Misfit(Exception):
    """Generated facts that do not fit the running table."""


@cache
def cases_of(book_id: str) -> Mapping[str, tuple[Case, ...]]:
    """The cases that make incidents of each kind."""
    book = rulebook(book_id)
    found: dict[str, dict[str, Case]] = {}
    for case in cases(book_id):
        for seed in range(SAMPLES):
            made = case.make(book.game.draw("kinds", case.name, seed), book, 2 + seed)
            found.setdefault(kind_of(made.incident), {})[case.name] = case
    return {kind: tuple(by_name.values()) for kind, by_name in found.items()}


def generated(book: Rulebook, kind: str, draw: Draw, level: int) -> Any:
    """Facts with an incident of this kind, at a table of their own."""
    case = draw.pick(cases_of(book.id)[kind])
    made = case.make(book.game.draw(after=draw), book, level)
    if kind_of(made.incident) != kind:
        raise Misfit
    return made


def ruled(book: Rulebook, situation: Situation) -> Ruling:
    """The ruling on moved facts. Raises Misfit if the text does not decide them, or only in a reading that the house
    has not adopted: nobody can be asked to notice what the text leaves open."""
    try:
        ruling = book.rule(situation)
    except EngineError:
        raise Misfit from None
    if not ruling.exam_safe:
        raise Misfit
    return ruling


def storable(book: Rulebook, situation: Situation) -> bool:
    """Whether facts can be stored and read again. Generators build them without the checks that reading makes."""
    try:
        return bool(book.read(plain(situation)))
    except EngineError:
        return False


class Move(Struct):
    """How facts are moved: who becomes whom, how sums change, and which seats numbers stand for.

    `factor` is the ratio of two sums and `units` the smallest stakes, each at the running table and where the facts
    come from. `skip` names facts that stay as they are.
    """

    places: dict[str, str]
    factor: tuple[int, int]
    units: tuple[int, int]
    seats: dict[int, int]
    seat_fields: tuple[str, ...]
    skip: tuple[str, ...]

    def struct(self, value: Any) -> Any:
        changes = {
            field.name: self.field(field.name, field.type, getattr(value, field.name))
            for field in structs.fields(type(value))
            if field.name not in self.skip
        }
        kept = {name: getattr(value, name) for name in self.skip if hasattr(value, name)}
        return changes if isinstance(value, Situation) else type(value)(**changes, **kept)

    def field(self, name: str, kind: Any, value: Any) -> Any:
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int):
            seat = name in self.seat_fields and kind is not Sum
            return self.seats.get(value, value) if seat else self.sum(kind, value)
        return self.value(value)

    def value(self, value: Any) -> Any:
        if isinstance(value, Struct):
            return self.struct(value)
        if isinstance(value, tuple):
            return tuple(map(self.value, value))
        return self.places.get(value, value) if isinstance(value, str) else value

    def sum(self, kind: Any, value: int) -> int:
        """A sum at the scale of the running table, in whole units if it was so before."""
        if not value or (kind is not Sum and Sum not in get_args(kind)):
            return value
        if value == self.factor[1]:
            return self.factor[0]
        units, odd = divmod(value, self.units[1])
        scaled = units * self.units[1] * self.factor[0] // self.factor[1] // self.units[0]
        return max(scaled, min(units, 1)) * self.units[0] + odd * self.units[0] // self.units[1]


def mentioned(value: Any, skip: tuple[str, ...]) -> set[str]:
    """The places that facts mention."""
    if isinstance(value, str):
        return {value} if fullmatch(PLACE, value) else set()
    if isinstance(value, tuple):
        return {place for item in value for place in mentioned(item, skip)}
    if isinstance(value, Struct):
        names = [name for name in value.__struct_fields__ if name not in skip]
        return {place for name in names for place in mentioned(getattr(value, name), skip)}
    return set()


def fitted(names: Sequence[str], among: Sequence[str], draw: Draw) -> dict[str, str]:
    """Each of `names` as one of `among`, in the same order. Raises Misfit if there are too few."""
    if len(names) > len(among):
        raise Misfit
    chosen = sorted(draw.sample(range(len(among)), len(names)))
    return {name: among[index] for name, index in zip(names, chosen, strict=True)}
