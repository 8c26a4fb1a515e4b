"""CSV and XLSX files for spreadsheets."""

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
FILTER_BUTTON = 3  # the characters of a title that the button covers


def csv_lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the rows as CSV text, with a byte order mark that tells Excel it is UTF-8.

    Excel expects the separator of the reader's country: a semicolon where the decimal separator is a comma.
    """
    # Chosen now, because the lines may be generated when another language is active.
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
    """Write the rows, titles first, as an XLSX with filters. `widths` are the least column widths in characters."""
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
    """Keep text as text: the library would turn some into formulas and errors."""
    if not isinstance(value, str):
        return value
    clean = ILLEGAL_CHARACTERS_RE.sub("", value)
    if not clean.startswith(("=", "#")):
        return clean
    kept = WriteOnlyCell(sheet, value=clean)
    kept.data_type = "s"
    return kept
