"""The form fields of a situation, derived from the types of its facts, so that games need no code of their own.

A fact is a `Scalar` (one control), `Tokens` (several values typed in one line) or `Rows` (a list of controls).
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct, inspect, structs

from rules_engine import Rulebook
from rules_engine.equipment.cards import Card
from rules_engine.equipment.layout import SpotKey
from rules_engine.equipment.places import Place

What = Literal["flag", "number", "choice", "place", "card", "spot", "text"]
Packing = Literal["object", "list", "single"]


@dataclass(frozen=True)
class Scalar:
    """One value. `low` and `high` are the limits of a number."""

    what: What
    required: bool = True
    default: Any = None
    choices: tuple[Any, ...] = ()
    low: int | None = None
    high: int | None = None
    pattern: str = ""


@dataclass(frozen=True)
class Tokens:
    """Values typed one after another, such as cards or places."""

    item: Scalar


@dataclass(frozen=True)
class Rows:
    """A list of rows. A cell may hold several values, such as the numbers of a bet.

    `optional` lists may also be left out, which is not the same as empty.
    """

    columns: tuple[tuple[str, Scalar | Tokens], ...]
    packing: Packing
    optional: bool = False


Field = Scalar | Tokens | Rows


def table_fields(book: Rulebook) -> dict[str, Field]:
    """The facts of the table itself, by name."""
    # Cards that lie face down are marked in the field of their heap.
    situation: type[Struct] = book.game.situation
    return {name: field for name, field in fields_of(situation).items() if name != "hidden"}


def heaps_of(book: Rulebook) -> dict[str, str]:
    """The facts that hold cards lying on the cloth, each with the name that references use for that heap."""
    known = getattr(book.game.situation, "heap_facts", {})
    return {fact: heap for heap, fact in known.items() if heap != "next"}


@cache
def fields_of(model: type[Struct]) -> dict[str, Field]:
    info = inspect.type_info(model)
    assert isinstance(info, inspect.StructType)  # noqa: S101 (a Struct is described as one)
    written = {field.name: _literals(field.type) for field in structs.fields(model)}
    # A game may exclude a fact that others have, such as the amount of a call.
    asked = [
        field for field in info.fields if field.name != "incident" and not isinstance(field.type, inspect.NoneType)
    ]
    return {field.name: _in_order(_field(field), written[field.name]) for field in asked}


def _literals(annotation: Any) -> tuple[Any, ...]:
    """The values of a choice in source order, which the inspected type does not keep."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(value for part in get_args(annotation) for value in _literals(part))


def _in_order(found: Field, order: tuple[Any, ...]) -> Field:
    if isinstance(found, Rows) and found.packing == "single":
        ((name, item),) = found.columns
        return replace(found, columns=((name, _ordered(item, order) if isinstance(item, Scalar) else item),))
    return _ordered(found, order) if isinstance(found, Scalar) else found


def _ordered(found: Scalar, order: tuple[Any, ...]) -> Scalar:
    return replace(found, choices=order) if order else found


def _field(field: inspect.Field) -> Field:
    kind, optional = _without_none(field.type)
    if isinstance(kind, inspect.VarTupleType):
        return _several(kind.item_type, optional=optional)
    default = None if field.required else field.default
    return _scalar(kind, required=field.required, default=default)


def _several(item: inspect.Type, *, optional: bool) -> Tokens | Rows:
    plain = _plain(item)
    if isinstance(plain, inspect.StructType):
        return Rows(
            tuple((name, _column(name, found)) for name, found in fields_of(plain.cls).items()), "object", optional
        )
    if isinstance(plain, inspect.TupleType):
        columns = tuple((str(index), _scalar(part)) for index, part in enumerate(plain.item_types))
        return Rows(columns, "list", optional)
    if isinstance(plain, (inspect.LiteralType, inspect.BoolType)):
        return Rows((("", _listed(plain)),), "single", optional)
    return Tokens(_scalar(item))


def _column(name: str, found: Field) -> Scalar | Tokens:
    if isinstance(found, Rows):
        raise TypeError(f"{name}: a row cannot hold rows")
    return found


def _listed(kind: inspect.Type) -> Scalar:
    # Browsers do not send an unticked box, so in a list it would look like a missing row.
    if isinstance(kind, inspect.BoolType):
        return Scalar("choice", choices=(True, False))
    return _scalar(kind)


def _scalar(type_: inspect.Type, *, required: bool = True, default: Any = None) -> Scalar:
    kind, _optional = _without_none(type_)
    if isinstance(kind, inspect.BoolType):
        return Scalar("flag", required=False, default=bool(default))
    if isinstance(kind, inspect.IntType):
        return Scalar("number", required, default, low=kind.ge, high=kind.le)
    if isinstance(kind, inspect.LiteralType):
        return Scalar("choice", required, default, choices=tuple(kind.values))
    if isinstance(kind, inspect.StrType):
        return Scalar(_text(kind.pattern), required, default, pattern=kind.pattern or "")
    raise TypeError(f"no control for {kind}")


def _text(pattern: str | None) -> What:
    return {_pattern(Place): "place", _pattern(Card): "card", _pattern(SpotKey): "spot"}.get(pattern, "text")  # type: ignore[return-value]


@cache
def _pattern(annotated: Any) -> str | None:
    return getattr(_plain(inspect.type_info(annotated)), "pattern", None)


def _without_none(type_: inspect.Type) -> tuple[inspect.Type, bool]:
    kind = _plain(type_)
    if not isinstance(kind, inspect.UnionType):
        return kind, False
    (only,) = (part for part in kind.types if not isinstance(part, inspect.NoneType))
    return _plain(only), True


def _plain(type_: inspect.Type) -> inspect.Type:
    return type_.type if isinstance(type_, inspect.Metadata) else type_
