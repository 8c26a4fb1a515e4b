"""CSV for people who open it in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

# A cell that begins with one of these would be run as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """The rows as CSV text, line by line, with a mark at the start by which Excel knows that it is UTF-8."""
    yield "\N{BYTE ORDER MARK}"
    for row in rows:
        line = io.StringIO()
        csv.writer(line).writerow([_defused(cell) for cell in row])
        yield line.getvalue()


def _defused(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
