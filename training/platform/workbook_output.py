"""XLSX files, written with openpyxl; `spreadsheet_output` imports it when one is asked for."""

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.utils import get_column_letter

FILTER_BUTTON = 3  # the characters of a title that the button covers


def write(rows: Iterable[Iterable[Any]], file: Path | BinaryIO, widths: Sequence[int]) -> None:
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
