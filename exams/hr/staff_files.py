"""Staff lists as files: CSV as spreadsheets write it, or XLSX. Here they become text and dates; `staff` makes sense
of them."""

import csv
import io
import zipfile
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from training.classes.enrolment import DELIMITERS
from training.folding import folded
from training.refusal import RowError, UnfitList

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 2000
MAX_UNPACKED = 40 * 1024 * 1024  # an XLSX is a ZIP, and a small ZIP can hold very much
MAX_COLUMNS = 60
LONGEST_CELL = 300
# What the columns may be called, without case and accents.
COLUMNS = {
    **dict.fromkeys(("name", "nome"), "name"),
    **dict.fromkeys(("email", "e-mail", "correio eletronico"), "email"),
    **dict.fromkeys(("staff number", "number", "numero", "numero mecanografico"), "staff_number"),
    **dict.fromkeys(("department", "departamento", "seccao"), "department"),
    **dict.fromkeys(("joined", "joined on", "entrada", "admissao"), "joined_on"),
    **dict.fromkeys(("left", "left on", "saida"), "left_on"),
}
DATES = ("%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y")


class StaffRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a list; an empty cell says nothing. `number` is its row as the spreadsheet counts."""

    number: int
    name: str = ""
    email: str = ""
    staff_number: str = ""
    department: str = ""
    joined_on: date | None = None
    left_on: date | None = None


class StaffList(msgspec.Struct, frozen=True):
    rows: list[StaffRow]
    ignored: list[str]  # titles of columns that mean nothing here


def unfit(reason: str) -> UnfitList:
    return UnfitList([RowError(0, "", reason)])


def read(content: bytes) -> StaffList:
    """The rows of a list; UnfitList with everything that cannot be read in it."""
    if len(content) > MAX_BYTES:
        raise unfit(_("The list is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
    lines = _xlsx(content) if content.startswith(b"PK\x03\x04") else _csv(content)
    filled = [(number, cells) for number, cells in lines if any(cell not in ("", None) for cell in cells)]
    if not filled:
        raise unfit(_("The list is empty."))
    columns, ignored = _columns([str(cell).strip() for cell in filled[0][1]])
    if len(filled) == 1:
        raise unfit(_("The list has its titles and nobody under them."))
    if len(filled) - 1 > MAX_ROWS:
        raise unfit(_("The list has more than %(limit)d rows.") % {"limit": MAX_ROWS})
    errors: list[RowError] = []
    rows = [_row(number, cells, columns, errors) for number, cells in filled[1:]]
    if errors:
        raise UnfitList(errors)
    return StaffList(rows, ignored)


def _csv(content: bytes) -> list[tuple[int, list[Any]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise unfit(_("The file is not in UTF-8. Save it as “CSV UTF-8” and choose it again.")) from None
    if "\x00" in text:
        raise unfit(_("The list has a character that cannot be stored."))
    titles = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=titles.count), strict=True)
    try:
        return [(number, [cell.strip() for cell in cells[:MAX_COLUMNS]]) for number, cells in enumerate(reader, 1)]
    except csv.Error as error:
        raise UnfitList([RowError(reader.line_num, "", _("cannot be read: %(why)s") % {"why": error})]) from None


def _xlsx(content: bytes) -> list[tuple[int, list[Any]]]:
    try:
        _check_archive(content)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()
        rows = sheet.iter_rows(values_only=True, max_row=MAX_ROWS + 200, max_col=MAX_COLUMNS)
        return [(number, [_plain(cell) for cell in cells]) for number, cells in enumerate(rows, 1)]
    except UnfitList:
        raise
    # A workbook may be broken in any of the ways that ZIP, XML and the library know.
    except (
        zipfile.BadZipFile,
        InvalidFileException,
        KeyError,
        ValueError,
        IndexError,
        SyntaxError,
        TypeError,
        OSError,
    ):
        raise unfit(_("This is no workbook that can be read. Save it as XLSX or as CSV and choose it again.")) from None


def _check_archive(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > 1000 or sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise unfit(_("The workbook is too large when unpacked."))
        # Workbooks declare no entities; a file that does wants the reader to expand them.
        if any(b"<!DOCTYPE" in archive.read(part) for part in parts if part.filename.endswith((".xml", ".rels"))):
            raise unfit(_("This is no workbook that can be read. Save it as XLSX or as CSV and choose it again."))


def _plain(cell: Any) -> Any:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell if isinstance(cell, date) else "" if cell is None else str(cell).strip()


def _columns(titles: list[str]) -> tuple[dict[str, int], list[str]]:
    found: dict[str, int] = {}
    ignored = []
    for place, title in enumerate(titles):
        known = COLUMNS.get(folded(title.replace("_", " ")).strip(" ."))
        if known and known not in found:
            found[known] = place
        elif title:
            ignored.append(title)
    if not found.keys() & {"email", "staff_number"}:
        told = _("The first row must name the columns: name, e-mail, staff number, department, joined, left")
        raise UnfitList([RowError(1, "", told)])
    return found, ignored


def _row(number: int, cells: list[Any], columns: dict[str, int], errors: list[RowError]) -> StaffRow:
    values: dict[str, Any] = {}
    for field, place in columns.items():
        cell = cells[place] if place < len(cells) else ""
        if cell == "":
            continue
        try:
            values[field] = _date(cell) if field.endswith("_on") else _text(cell, field)
        except ValueError as error:
            errors.append(RowError(number, field, str(error)))
    return StaffRow(number=number, **values)


def _date(cell: Any) -> date:
    if isinstance(cell, date):
        return cell
    for pattern in DATES:
        try:
            return datetime.strptime(cell, pattern).date()  # noqa: DTZ007 (a day of the calendar)
        except ValueError:
            continue
    raise ValueError(_("is no date; write it as 2026-11-16 or 16/11/2026"))


def _text(cell: Any, field: str) -> str:
    text = " ".join(str(cell).split())
    if len(text) > LONGEST_CELL or any(not character.isprintable() for character in text):
        raise ValueError(_("is too long, or has a character that cannot be stored"))
    return text.lower() if field == "email" else text


def rows_from(stored: Iterable[Any]) -> list[StaffRow]:
    return msgspec.convert(list(stored), list[StaffRow])
