"""Exports as files, written row by row so that their length costs no memory."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from exams.certificates.models import Certificate
from exams.hr.columns import Table
from training.spreadsheets import csv_lines

BATCH = 500
PDF_BATCH = 20
# Called with how many rows are written; it raises to stop.
Progress = Callable[[int], None]


def write_csv(table: Table, path: Path, progress: Progress) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(csv_pieces(table, progress))


def csv_pieces(table: Table, progress: Progress = lambda _done: None) -> Iterator[str]:
    return csv_lines(_with_titles(table, progress))


def write_json(table: Table, path: Path, progress: Progress) -> None:
    with path.open("wb") as file:
        for piece in json_pieces(table, progress):
            file.write(piece)


def json_pieces(table: Table, progress: Progress = lambda _done: None) -> Iterator[bytes]:
    """A list of objects, piece by piece."""
    names = list(table.titles)
    yield b"["
    for number, row in enumerate(_counted(table.rows, progress, BATCH)):
        yield (b",\n" if number else b"\n") + msgspec.json.encode(dict(zip(names, row, strict=True)))
    yield b"\n]\n"


def write_xlsx(table: Table, path: Path, progress: Progress) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.freeze_panes = "A2"

    def cell(value: Any) -> Any:
        """Text stays text, whatever it begins with: the library would make formulas and errors of some."""
        if not isinstance(value, str):
            return value
        clean = ILLEGAL_CHARACTERS_RE.sub("", value)
        if not clean.startswith(("=", "#")):
            return clean
        kept = WriteOnlyCell(sheet, value=clean)
        kept.data_type = "s"
        return kept

    for row in _with_titles(table, progress):
        sheet.append([cell(value) for value in row])
    book.save(path)


def write_zip(certificates: Iterable[Certificate], path: Path, progress: Progress) -> None:
    """The PDF of each, by its number. They are compressed already, so the archive stores them as they are."""
    from exams.certificates.document import document

    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for certificate in _counted(certificates, progress, PDF_BATCH):
            moment = certificate.granted_at.timetuple()[:6]
            archive.writestr(zipfile.ZipInfo(f"{certificate.number}.pdf", moment), document(certificate))


def _with_titles(table: Table, progress: Progress) -> Iterator[Iterable[Any]]:
    yield list(table.titles.values())
    for row in _counted(table.rows, progress, BATCH):
        yield [_shown(value) for value in row]


def _shown(value: Any) -> Any:
    if isinstance(value, bool):
        return "x" if value else ""
    return "" if value is None else value.isoformat() if isinstance(value, date) else value


def _counted(rows: Iterable[Any], progress: Progress, batch: int) -> Iterator[Any]:
    done = 0
    for row in rows:
        yield row
        done += 1
        if done % batch == 0:
            progress(done)
    progress(done)
