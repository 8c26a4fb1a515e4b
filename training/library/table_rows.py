"""Finds, adds and changes rows in the lists of a table's facts: chips, hands, calls."""

from collections.abc import Mapping

from rules_engine import Rulebook
from rules_engine.equipment.layout import Spot
from training.library.editor_fields import Rows, Scalar, Tokens, heaps_of
from training.library.editor_forms import INCIDENT, MAX_ROWS, Typed, all_fields, cell, row_numbers, tokens, written
from training.library.editor_rows import with_rows_changed
from training.library.table_people import person_column

SHOE = "next"
MOST_DIGITS = 12
LETTERS = " bcd"  # the second hand of a seat is b


def is_field(name: str, book: Rulebook, kind: str) -> bool:
    """Whether the form has a field with this name: a fact, or a cell of a list."""
    known = all_fields(book, kind)
    found = known.get(name)
    if found is not None:
        return isinstance(found, (Scalar, Tokens))
    for list_, rows in known.items():
        if isinstance(rows, Rows) and name.startswith(f"{list_}-"):
            number, _dash, column = name.removeprefix(f"{list_}-").partition("-")
            if number.isdigit() and column in dict(rows.columns):
                return True
    return False


def heaps(typed: Typed, book: Rulebook) -> dict[str, str]:
    """The form field of each heap of cards and each seat's hand, by the name in references."""
    found = {heap: fact for fact, heap in heaps_of(book).items()}
    known = all_fields(book, next(iter(book.kinds())))
    if SHOE in known:
        found[SHOE] = SHOE
    for name, rows in known.items():
        if not isinstance(rows, Rows) or "seat" not in dict(rows.columns):
            continue
        column = next(
            (key for key, inner in rows.columns if isinstance(inner, Tokens) and inner.item.what == "card"), ""
        )
        seats: dict[str, int] = {}
        for at in row_numbers(typed, name, rows) if column else ():
            seat = typed.get(cell(name, at, "seat"), "")
            nth = seats[seat] = seats.get(seat, -1) + 1
            found[f"seat{seat}{LETTERS[nth : nth + 1]}".strip()] = cell(name, at, column)
    return found


def with_row(typed: Typed, name: str, cells: Mapping[str, str], book: Rulebook, kind: str) -> Typed:
    """The facts with one more row: these cells, and usual values for the others."""
    rows = all_fields(book, kind).get(name)
    if not isinstance(rows, Rows) or len(row_numbers(typed, name, rows)) >= MAX_ROWS:
        return typed
    changed, _focus = with_rows_changed(dict(typed), f"add:{name}", book, kind)
    at = max(row_numbers(changed, name, rows))
    for column, inner in rows.columns:
        value = cells.get(column) or _usual(column, inner, cells, typed)
        if value:
            changed[cell(name, at, column)] = value
    return changed


def _usual(column: str, inner: Scalar | Tokens, cells: Mapping[str, str], typed: Typed) -> str:
    if isinstance(inner, Tokens) or inner.what == "flag" or not inner.required:
        return ""
    if column == "seat" and cells.get("player", "")[:1].isdigit():
        return cells["player"][0]
    if column in ("amount", "value"):
        return typed.get("minimum") or "100"
    if inner.what == "number":
        return str(max(inner.low or 0, 1))
    return written(inner.choices[0]) if inner.choices else ""


# ---- chips


def money_list(book: Rulebook, kind: str) -> tuple[str, Rows] | None:
    """The list of the table that holds the chips, with their owner and their amount; None if there is none."""
    for name, rows in all_fields(book, kind).items():
        if isinstance(rows, Rows) and not name.startswith(INCIDENT) and person_column(rows) and name != "calls":
            columns = dict(rows.columns)
            if "amount" in columns or "value" in columns:
                return name, rows
    return None


def on_spot(rows: Rows, spot: Spot | str) -> dict[str, str]:
    """The cells of chips that lie on a spot of the layout."""
    columns = dict(rows.columns)
    key = spot if isinstance(spot, str) else spot.key
    found: dict[str, str] = {column: key for column in ("spot", "on") if column in columns}
    if isinstance(spot, str) or found:
        return found
    numbers = " ".join(map(str, spot.numbers))
    return {
        name: value
        for name, value in (("chance", spot.chance), ("numbers", numbers), ("number", numbers))
        if name in columns and value
    }


def rows_with(typed: Typed, name: str, rows: Rows, cells: Mapping[str, str]) -> list[int]:
    """The numbers of the rows with all these cells."""
    return [
        at
        for at in row_numbers(typed, name, rows)
        if all(_same(typed.get(cell(name, at, column), ""), value) for column, value in cells.items())
    ]


def _same(one: str, other: str) -> bool:
    return sorted(tokens(one)) == sorted(tokens(other))


def with_chip(typed: Typed, who: str, spot: Spot | str | None, value: int, book: Rulebook, kind: str) -> Typed:
    """The facts with one more chip of somebody: added to those that lie there, or in a new row."""
    found = money_list(book, kind)
    if found is None:
        return typed
    name, rows = found
    columns = dict(rows.columns)
    cells = {str(person_column(rows)): who} | (on_spot(rows, spot) if spot else {})
    if "value" in columns:  # chips are counted
        cells["value"] = str(value)
        if there := rows_with(typed, name, rows, cells):
            field = cell(name, there[0], "count")
            return {**typed, field: str(number(typed, field) + 1)}
        return with_row(typed, name, cells | {"count": "1"}, book, kind)
    if there := rows_with(typed, name, rows, cells):
        field = cell(name, there[0], "amount")
        return {**typed, field: str(number(typed, field) + value)}
    return with_row(typed, name, cells | {"amount": str(value)}, book, kind)


At = tuple[str, str]  # where chips lie: `spot` and its key; anything else and whose they are


def shifted(typed: Typed, start: At, end: At, book: Rulebook, kind: str) -> Typed:
    """The facts with all chips of a place moved to another one."""
    found, changed = money_list(book, kind), dict(typed)
    if found is None:
        return changed
    name, rows = found

    def cells(place: At) -> dict[str, str]:
        on, what = place
        return on_spot(rows, book.game.spots.get(what, what)) if on == "spot" else {str(person_column(rows)): what}

    if cells(start) and cells(end):
        for at in rows_with(typed, name, rows, cells(start)):
            changed |= {cell(name, at, column): value for column, value in cells(end).items()}
    return changed


def number(typed: Typed, field: str) -> int:
    value = typed.get(field, "")
    return int(value) if value.isdecimal() and len(value) < MOST_DIGITS else 0
