"""Writes exports row by row, so that memory use does not depend on their length."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from exams import clock
from exams.certificates.lifecycle import standing
from exams.certificates.models import Certificate
from exams.hr.columns import Named, Table
from training.platform.spreadsheet_output import csv_lines, write_workbook

BATCH = 500
PDF_BATCH = 20
# In characters, for the longest usual value of a column.
WIDTHS = {
    "name": 32,
    "email": 32,
    "programme": 36,
    "scope": 44,
    "may_deal": 44,
    "rulebook": 36,
    "standing": 24,
    "certificate": 22,
    "number": 22,
}
PLAIN_WIDTH = 16
# Called with the number of rows written; raises to stop.
Progress = Callable[[int], None]


def write_csv(table: Table, path: Path, progress: Progress) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(csv_pieces(table, progress))


def csv_pieces(table: Table, progress: Progress = lambda _done: None) -> Iterator[str]:
    return csv_lines([_dated(value) for value in row] for row in _with_titles(table, progress))


def write_json(table: Table, path: Path, progress: Progress) -> None:
    with path.open("wb") as file:
        for piece in json_pieces(table, progress):
            file.write(piece)


def json_pieces(table: Table, progress: Progress = lambda _done: None) -> Iterator[bytes]:
    """A JSON list of objects, piece by piece."""
    names = list(table.titles)
    yield b"["
    for number, row in enumerate(_counted(table.rows, progress, BATCH)):
        values = (value.code if isinstance(value, Named) else value for value in row)
        yield (b",\n" if number else b"\n") + msgspec.json.encode(dict(zip(names, values, strict=True)))
    yield b"\n]\n"


def write_xlsx(table: Table, path: Path, progress: Progress) -> None:
    widths = [WIDTHS.get(name, PLAIN_WIDTH) for name in table.titles]
    write_workbook(_with_titles(table, progress), path, widths=widths)


def write_zip(certificates: Iterable[Certificate], path: Path, progress: Progress) -> None:
    """The PDF of each certificate, named by its number, and a table of whose they are. Stored uncompressed, because
    PDFs already are."""
    from exams.certificates.document import document

    listed: list[list[Any]] = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for certificate in _counted(certificates, progress, PDF_BATCH):
            moment = certificate.granted_at.timetuple()[:6]
            name = f"{certificate.number}.pdf"
            archive.writestr(zipfile.ZipInfo(name, moment), document(certificate))
            listed.append([name, *_indexed(certificate)])
        if listed:
            archive.writestr(f"{_('index')}.csv", "".join(csv_lines([_index_titles(), *listed])))


def _index_titles() -> list[str]:
    return [_("File"), _("Name"), _("Staff number"), _("Programme"), _("Status"), _("Valid from"), _("Valid until")]


def _indexed(certificate: Certificate) -> list[Any]:
    record = getattr(certificate.holder, "staff_record", None)
    return [
        certificate.holder_name,
        record.staff_number if record else "",
        certificate.programme_version.name(get_language() or ""),
        str(standing(certificate, clock.today()).label),
        certificate.valid_from.isoformat(),
        certificate.valid_until.isoformat(),
    ]


def _with_titles(table: Table, progress: Progress) -> Iterator[Iterable[Any]]:
    yield list(table.titles.values())
    for row in _counted(table.rows, progress, BATCH):
        yield [_shown(value) for value in row]


def _shown(value: Any) -> Any:
    if isinstance(value, bool):
        return "x" if value else ""
    if isinstance(value, Named):
        return value.name
    return "" if value is None else value


def _dated(value: Any) -> Any:
    """Dates as text; workbooks keep real dates."""
    return value.isoformat() if isinstance(value, date) else value


def _counted(rows: Iterable[Any], progress: Progress, batch: int) -> Iterator[Any]:
    done = 0
    for row in rows:
        yield row
        done += 1
        if done % batch == 0:
            progress(done)
    progress(done)
