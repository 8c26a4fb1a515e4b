"""CSV and workbooks for people who open them in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.formats import get_format
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.utils import get_column_letter

# A cell that begins with one of these would be run as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
FILTER_BUTTON = 3  # characters of a title that it would cover


def csv_lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """The rows as CSV text, line by line, with a mark at the start by which Excel knows that it is UTF-8.

    Excel takes for a separator what the reader's country uses: a semicolon where a comma stands in numbers.
    """
    # Asked now: the lines may be made when another language is active, or none.
    return _lines(rows, ";" if get_format("DECIMAL_SEPARATOR") == "," else ",")


def _lines(rows: Iterable[Iterable[Any]], delimiter: str) -> Iterator[str]:
    yield "\N{BYTE ORDER MARK}"
    for row in rows:
        line = io.StringIO()
        csv.writer(line, delimiter=delimiter).writerow([_defused(cell) for cell in row])
        yield line.getvalue()


def _defused(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def write_workbook(rows: Iterable[Iterable[Any]], file: Path | BinaryIO, *, widths: Sequence[int]) -> None:
    """The rows, titles first, as an XLSX that can be filtered. `widths` are in characters, one for each column,
    and more where a title needs it."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sabot")
    sheet.freeze_panes = "A2"
    lines = iter(rows)
    titles = list(next(lines))
    for number, (title, width) in enumerate(zip(titles, widths, strict=True), 1):
        sheet.column_dimensions[get_column_letter(number)].width = max(width, len(str(title)) + FILTER_BUTTON)
    written = 0
    for row in chain([titles], lines):
        sheet.append([_cell(sheet, value) for value in row])
        written += 1
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(widths))}{written}"
    book.save(file)


def _cell(sheet: Any, value: Any) -> Any:
    """Text stays text, whatever it begins with: the library would make formulas and errors of some."""
    if not isinstance(value, str):
        return value
    clean = ILLEGAL_CHARACTERS_RE.sub("", value)
    if not clean.startswith(("=", "#")):
        return clean
    kept = WriteOnlyCell(sheet, value=clean)
    kept.data_type = "s"
    return kept
