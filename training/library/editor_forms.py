"""A situation as flat form fields and back: `seats-4`, `stakes-0-player`, `incident-wish`. Nothing here is stored.

What was typed stays as it was typed, right or wrong; `read` makes facts of it or says which field is wrong.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct

from rules_engine import Rulebook
from rules_engine.equipment.places import MOST_SEATS
from rules_engine.words import grouped
from training.library import editor_typing
from training.library.editor_fields import Field, Rows, Scalar, Tokens, fields_of, heaps_of, table_fields
from training.people.request import language

Typed = dict[str, str]
INCIDENT = "incident"
FACE_DOWN = "*"
ON = "on"
MAX_ROWS = 60
MAX_TYPED = 400
MOST_DIGITS = 9
BETWEEN = re.compile(r"[\s,;]+")
FACT = re.compile(r"([a-z_]+)(?:\[(\d+)\])?(?:\.(.+))?")


@dataclass
class Facts:
    """What was read: the situation as plain data, and what is wrong, by the name of the field."""

    situation: dict[str, Any] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    # For each list, the rows that hold something: facts count those only, and the form all of them.
    filled: dict[str, list[int]] = field(default_factory=dict)


class Unfit(ValueError):
    """A value that cannot be what its field holds."""


# ---- facts to fields


def typed(situation: Any, book: Rulebook) -> Typed:
    """The fields that stand for a situation."""
    found: Typed = {}
    heaps = heaps_of(book)
    for name, kind in table_fields(book).items():
        value = getattr(situation, name)
        if name == "seats":
            found |= {f"seats-{seat}": ON for seat in value}
        elif name in heaps:
            found[name] = " ".join(_lying(situation, heaps[name], value))
        else:
            found |= _typed(value, kind, name)
    incident: type[Struct] = type(situation.incident)
    for name, kind in fields_of(incident).items():
        found |= _typed(getattr(situation.incident, name), kind, f"{INCIDENT}-{name}")
    return found


def _lying(situation: Any, heap: str, cards: tuple[str, ...]) -> Iterator[str]:
    for number, card in enumerate(cards, start=1):
        yield card + (FACE_DOWN if f"{heap}.{number}" in situation.hidden else "")


def _typed(value: Any, kind: Field, name: str) -> Typed:
    if isinstance(kind, Scalar):
        return _typed_one(value, kind, name)
    if isinstance(kind, Tokens):
        return {name: " ".join(map(str, value))}
    if value is None:
        return {}
    found = {f"{name}-said": ON} if kind.optional else {}
    for index, item in enumerate(value):
        parts = [item] if kind.packing == "single" else list(msgspec.to_builtins(item))
        if kind.packing == "object":
            parts = [getattr(item, column) for column, _kind in kind.columns]
        for (column, inner), part in zip(kind.columns, parts, strict=True):
            found |= _typed(part, inner, cell(name, index, column))
    return found


def _typed_one(value: Any, kind: Scalar, name: str) -> Typed:
    if kind.what == "flag":
        return {name: ON} if value else {}
    return {} if value is None else {name: written(value)}


def written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def cell(name: str, index: int, column: str) -> str:
    return f"{name}-{index}-{column}" if column else f"{name}-{index}"


# ---- fields to facts


def read(posted: Mapping[str, str], book: Rulebook, kind: str) -> Facts:
    facts = Facts()
    heaps, fields = heaps_of(book), table_fields(book)
    for name, field_kind in fields.items():
        if name == "seats":
            facts.situation["seats"] = [seat for seat in range(1, MOST_SEATS + 1) if posted.get(f"seats-{seat}")]
        elif name not in heaps:
            _read(posted, name, field_kind, facts, facts.situation, name)
    for name, heap in heaps.items():
        _read_heap(posted, name, heap, fields[name], facts)
    incident = facts.situation[INCIDENT] = {"kind": kind}
    for name, field_kind in fields_of(book.kinds()[kind]).items():
        _read(posted, name, field_kind, facts, incident, f"{INCIDENT}-{name}")
    return facts


def _read(posted: Mapping[str, str], key: str, kind: Field, facts: Facts, into: dict[str, Any], name: str) -> None:
    """One fact into the plain data, left out where the field is empty so that its default holds."""
    try:
        if isinstance(kind, Scalar):
            value = _one(posted.get(name, ""), kind)
            if value is None and kind.required:
                raise Unfit(_("Please fill this in."))
        elif isinstance(kind, Tokens):
            value = [_one(token, kind.item) for token in tokens(_as_written(posted.get(name, ""), kind, name))]
        else:
            value = _rows(posted, name, kind, facts)
    except Unfit as error:
        facts.wrong[name] = str(error)
        return
    if value is not None:
        into[key] = value


def _read_heap(posted: Mapping[str, str], name: str, heap: str, kind: Field, facts: Facts) -> None:
    line = editor_typing.cards(posted.get(name, ""))
    marked = [(token.rstrip(FACE_DOWN), token.endswith(FACE_DOWN)) for token in tokens(line)]
    _read({name: " ".join(card for card, _down in marked)}, name, kind, facts, facts.situation, name)
    hidden = [f"{heap}.{number}" for number, (_card, down) in enumerate(marked, start=1) if down]
    facts.situation["hidden"] = [*facts.situation.get("hidden", []), *hidden]


def _as_written(line: str, kind: Tokens, name: str) -> str:
    """A line as the engine would write it, from how people do."""
    if kind.item.what == "card":
        return editor_typing.cards(line)
    return editor_typing.places(line, standing=name == "standing") if kind.item.what == "place" else line


def standing(posted: Mapping[str, str]) -> list[str]:
    """The places of those who stand at the table."""
    return tokens(editor_typing.places(posted.get("standing", ""), standing=True))


def tokens(line: str) -> list[str]:
    return [token for token in BETWEEN.split(line) if token]


def _rows(posted: Mapping[str, str], name: str, kind: Rows, facts: Facts) -> list[Any] | None:
    if kind.optional and not posted.get(f"{name}-said"):
        return None
    found = []
    facts.filled[name] = []
    for index in row_numbers(posted, name, kind):
        given = {column: posted.get(cell(name, index, column), "") for column, _kind in kind.columns}
        if not any(value.strip() for value in given.values()):
            continue
        facts.filled[name].append(index)
        row: dict[str, Any] = {}
        for column, inner in kind.columns:
            _read(posted, column, inner, facts, row, cell(name, index, column))
        values = list(row.values())
        found.append({"object": row, "list": values, "single": values[0] if values else None}[kind.packing])
    return found


def row_numbers(posted: Mapping[str, str], name: str, kind: Rows) -> list[int]:
    """The rows of a list that are on the form, empty ones too."""
    pattern = re.compile(re.escape(name) + r"-(\d{1,3})(?:-(.+))?")
    columns = {column for column, _kind in kind.columns}
    found = {int(match[1]) for key in posted if (match := pattern.fullmatch(key)) and (match[2] or "") in columns}
    return sorted(found)[:MAX_ROWS]


def counted(number: str) -> int:
    """The number of a row, card or chip as the page's own orders write it; -1 for what is none."""
    return int(number) if number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS else -1


def _one(value: str, kind: Scalar) -> Any:
    value = value.strip()
    if len(value) > MAX_TYPED:
        raise Unfit(_("This is too long."))
    if kind.what == "flag":
        return bool(value)
    if kind.what == "choice":
        return _choice(value, kind)
    if not value:
        return None
    if kind.what == "number":
        return _number(value, kind)
    if kind.what == "card":
        value = editor_typing.cards(value)
    elif kind.what == "place":
        value = editor_typing.places(value)
    if kind.pattern and not re.search(kind.pattern, value):
        raise Unfit(_misfit(kind) % {"value": value})
    return value


def _misfit(kind: Scalar) -> str:
    if kind.what == "place":
        return _(
            "“%(value)s” is not a place: enter a seat from 1 to 9, with a letter for a player standing there, such "
            "as 4a."
        )
    if kind.what == "card":
        return _("“%(value)s” is not a card: rank and suit, such as 7h, 10♦ or Ks.")
    return _("“%(value)s” cannot be used here.")


def _choice(value: str, kind: Scalar) -> Any:
    known = {written(choice): choice for choice in kind.choices}
    if value in known:
        return known[value]
    if value:
        raise Unfit(_("“%(value)s” is not one of the choices.") % {"value": value})
    return None


def _number(value: str, kind: Scalar) -> int:
    digits = re.sub(r"[\s.,'\u202f\u00a0](?=\d{3}(\D|$))", "", value)
    if not re.fullmatch(r"-?[0-9]{1,12}", digits):
        raise Unfit(_("“%(value)s” is not a whole number.") % {"value": value})
    number = int(digits)
    if kind.low is not None and number < kind.low:
        raise Unfit(_("The minimum here is %(limit)s.") % {"limit": grouped(kind.low, language())})
    if kind.high is not None and number > kind.high:
        raise Unfit(_("The maximum here is %(limit)s.") % {"limit": grouped(kind.high, language())})
    return number


# ---- which field an engine error means


def field_of(fact: str, facts: Facts, book: Rulebook, kind: str) -> str:
    """The name of the field for a fact that the engine names: `stakes[1].player`, `incident.wish`, `cards`."""
    match = FACT.fullmatch(fact.removeprefix(f"{INCIDENT}."))
    if match is None:
        return ""
    known = all_fields(book, kind)
    names = (f"{INCIDENT}-{match[1]}", match[1]) if fact.startswith(INCIDENT) else (match[1], f"{INCIDENT}-{match[1]}")
    name = next((name for name in names if name in known), "cards" if match[1] in ("cards", "hidden") else "")
    filled = facts.filled.get(name, [])
    if match[2] is None or int(match[2]) >= len(filled):
        return name
    rows = known[name]
    # A row as a whole is told at its first cell: what has no control could not be shown or gone to.
    first = rows.columns[0][0] if isinstance(rows, Rows) else ""
    return cell(name, filled[int(match[2])], match[3] or first)


def all_fields(book: Rulebook, kind: str) -> dict[str, Field]:
    incident = fields_of(book.kinds()[kind])
    return {**table_fields(book), **{f"{INCIDENT}-{key}": value for key, value in incident.items()}}
