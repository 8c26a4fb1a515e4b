"""Adds, removes and moves rows of a list on the editor's form, on the server."""

from rules_engine import Rulebook
from training.library.editor_fields import Rows
from training.library.editor_forms import MAX_ROWS, ON, Typed, all_fields, cell, counted, row_numbers


def with_rows_changed(posted: Typed, order: str, book: Rulebook, kind: str) -> tuple[Typed, str]:
    """Apply `add:calls`, `remove:calls:2`, `up:calls:2` or `down:calls:2`.

    Returns the new fields and the name of the field to focus. An invalid order changes nothing.
    """
    act, _colon, rest = order.partition(":")
    name, _colon, number = rest.partition(":")
    rows = _list_of(name, book, kind)
    if rows is None:
        return posted, ""
    numbers = row_numbers(posted, name, rows)
    if act == "add" and len(numbers) < MAX_ROWS:
        new = cell(name, max(numbers, default=-1) + 1, rows.columns[0][0])
        said = {f"{name}-said": ON} if rows.optional else {}
        return {**posted, **said, new: ""}, new
    if act not in ("remove", "up", "down") or counted(number) not in numbers:
        return posted, ""
    place = numbers.index(counted(number))
    if act == "remove":
        del numbers[place]
    else:
        other = place + (-1 if act == "up" else 1)
        if not 0 <= other < len(numbers):
            return posted, ""
        numbers[place], numbers[other] = numbers[other], numbers[place]
        place = other
    changed = _renumbered(posted, name, rows, numbers)
    near = min(place, len(numbers) - 1)
    return changed, cell(name, near, rows.columns[0][0]) if numbers else ""


def _list_of(name: str, book: Rulebook, kind: str) -> Rows | None:
    found = all_fields(book, kind).get(name)
    return found if isinstance(found, Rows) else None


def _renumbered(posted: Typed, name: str, rows: Rows, order: list[int]) -> Typed:
    columns = [column for column, _kind in rows.columns]
    of_rows = {cell(name, index, column) for index in row_numbers(posted, name, rows) for column in columns}
    kept = {key: value for key, value in posted.items() if key not in of_rows}
    for new, old in enumerate(order):
        # Always keep the first column, so that an empty row stays on the form.
        kept |= {cell(name, new, columns[0]): posted.get(cell(name, old, columns[0]), "")}
        kept |= {
            cell(name, new, key): posted[cell(name, old, key)] for key in columns if cell(name, old, key) in posted
        }
    return kept
