"""CSV and XLSX files for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.formats import get_format

# A cell that begins with one of these would be run as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


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
    # Imported when needed: every process imports this module, and few write a workbook.
    from training.platform import workbook_output

    workbook_output.write(rows, file, widths)
