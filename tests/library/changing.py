"""Every field of a situation changed: other values that the form itself would take, by what the field holds."""

from collections.abc import Iterator

from rules_engine import Rulebook
from training.library.editor_controls import Control, RowsControl, Sheet
from training.library.editor_fields import Field, Rows, Scalar, Tokens
from training.library.editor_forms import ON, Typed, all_fields, cell, tokens, written
from training.library.editor_rows import with_rows_changed

OTHER_CARDS = ("4c", "9d")
MOST_CHOICES = 4


def changes(typed: Typed, book: Rulebook, kind: str) -> Iterator[tuple[str, Typed]]:
    """The name of each field of the incident and the table with the facts after one change of it, several for each."""
    sheet = Sheet(typed, {}, book, kind, "en")
    controls = {control.name: control for group in sheet.groups() for control in group.controls}
    for name, found in all_fields(book, kind).items():
        control = controls.get(name)
        if name == "seats":
            yield name, _flipped(typed, "seats-5")
        elif isinstance(found, Rows) and isinstance(control, RowsControl):
            yield from ((name, changed) for changed in _of_rows(typed, found, control, book, kind))
        elif isinstance(control, Control):
            yield from ((name, {**typed, name: value}) for value in others(typed.get(name, ""), found, control))


def others(now: str, found: Field, control: Control) -> list[str]:
    """Values of one field that differ from the one it has."""
    if isinstance(found, Tokens):
        return _of_line(now, found.item)
    assert isinstance(found, Scalar)
    if found.what == "flag":
        return ["" if now else ON]
    if control.choices:
        values = [value for value, _label in control.choices if value != now]
        return values[:MOST_CHOICES] + ([""] if not found.required and now else [])
    if found.what == "number":
        value = int(now or 0)
        near = [value + 1, value - 1, found.low, found.high]
        fit = [one for one in near if one is not None and (found.low or 0) <= one <= (found.high or one)]
        return list(dict.fromkeys(str(one) for one in fit if str(one) != now))
    if found.what == "card":
        return [card for card in OTHER_CARDS if card != now][:1]
    return [one for one in ("3", "4a") if one != now][:1]


def _of_line(now: str, item: Scalar) -> list[str]:
    """One less, one more, and in another order."""
    there = tokens(now)
    more = {"card": "4c", "place": "3", "spot": "1", "number": str(item.low or 1)}.get(item.what, "")
    found = [there[:-1], there[::-1], [*there, more or (there[-1] if there else "banker.1")]]
    return list(dict.fromkeys(" ".join(one) for one in found if one != there))


def _of_rows(typed: Typed, rows: Rows, control: RowsControl, book: Rulebook, kind: str) -> Iterator[Typed]:
    """One row more, one less, and each cell of the first changed."""
    added, _focus = with_rows_changed(dict(typed), f"add:{control.name}", book, kind)
    at = len(control.rows)
    for column, inner in rows.columns:
        added[cell(control.name, at, column)] = _usual(inner)
    yield added
    if not control.rows:
        return
    first = control.rows[0]
    yield with_rows_changed(dict(typed), f"remove:{control.name}:{first.number}", book, kind)[0]
    for (_column, inner), part in zip(rows.columns, first.controls, strict=True):
        for value in others(part.value, inner, part)[:2]:
            yield {**typed, part.name: value}


def _usual(inner: Scalar | Tokens) -> str:
    if isinstance(inner, Tokens):
        return ""
    if inner.choices:
        return written(inner.choices[0])
    return {"number": str(inner.low or 1), "place": "3", "card": "4c", "spot": "1"}.get(inner.what, "")


def _flipped(typed: Typed, name: str) -> Typed:
    return {key: value for key, value in typed.items() if key != name} | ({} if typed.get(name) else {name: ON})
