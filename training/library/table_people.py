"""Finds and changes who is named in the facts of a table: in a field, in a line of places or in a row of a list."""

import re
from collections.abc import Iterator

from rules_engine import Rulebook
from rules_engine.equipment.places import is_place as is_place
from training.library.editor_fields import Field, Rows, Scalar, Tokens
from training.library.editor_forms import Typed, all_fields, cell, row_numbers, tokens
from training.library.editor_rows import with_rows_changed

PLACES = re.compile(r"\[1-9\]\[a-i\]\?")  # how the pattern of a field that names people begins


def names_people(found: Field) -> bool:
    return isinstance(found, Scalar) and (found.what == "place" or bool(PLACES.search(found.pattern)))


def is_named_by(name: str, book: Rulebook, kind: str) -> bool:
    """Whether this field names somebody at the table."""
    known = all_fields(book, kind)
    if name in known:
        return names_people(known[name])
    list_, _dash, rest = name.rpartition("-")
    rows = known.get(list_.rpartition("-")[0])
    return isinstance(rows, Rows) and names_people(dict(rows.columns).get(rest, Scalar("flag")))


def person_column(rows: Rows) -> str | None:
    """The column of a list that says whose row it is, if it has one."""
    return next((column for column, inner in rows.columns if names_people(inner)), None)


def renamed(typed: Typed, old: str, new: str, book: Rulebook, kind: str) -> Typed:
    """The facts with a person moved to another place."""
    changed = dict(typed)
    for name, found in all_fields(book, kind).items():
        if isinstance(found, Tokens) and found.item.what == "place" and name != "standing":
            changed[name] = " ".join(new if one == old else one for one in tokens(typed.get(name, "")))
        for field in _naming(typed, name, found):
            if typed.get(field) == old:
                changed[field] = new
    return changed


def without(typed: Typed, place: str, book: Rulebook, kind: str) -> Typed:
    """The facts without somebody's stakes and calls, and without their name in optional fields."""
    changed = dict(typed)
    for name, found in all_fields(book, kind).items():
        if isinstance(found, Tokens) and found.item.what == "place" and name != "standing":
            changed[name] = " ".join(one for one in tokens(typed.get(name, "")) if one != place)
        elif isinstance(found, Scalar) and not found.required and names_people(found) and typed.get(name) == place:
            changed[name] = ""
        elif isinstance(found, Rows) and (column := person_column(found)) is not None:
            theirs = [at for at in row_numbers(typed, name, found) if typed.get(cell(name, at, column)) == place]
            for at in reversed(theirs):
                changed = with_rows_changed(changed, f"remove:{name}:{at}", book, kind)[0]
    return changed


def _naming(typed: Typed, name: str, found: Field) -> Iterator[str]:
    """The form fields of this fact that hold one person each."""
    if names_people(found):
        yield name
    elif isinstance(found, Rows):
        for column, inner in found.columns:
            if names_people(inner):
                yield from (cell(name, at, column) for at in row_numbers(typed, name, found))
