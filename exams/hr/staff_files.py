"""Staff lists as files: CSV as spreadsheets write it, or XLSX. Here they become text and dates; `staff` makes sense
of them."""

import codecs
import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from training.classes.enrolment import DELIMITERS
from training.folding import folded
from training.refusal import RowError, UnfitList
from training.spreadsheets import FORMULA_STARTS, write_workbook

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 2000
MAX_UNPACKED = 40 * 1024 * 1024  # an XLSX is a ZIP, and a small ZIP can hold very much
MAX_COLUMNS = 60
LONGEST_CELL = 300
# What the columns may be called, without case and accents.
COLUMNS = {
    **dict.fromkeys(("name", "nome"), "name"),
    **dict.fromkeys(("email", "e-mail", "correio eletronico"), "email"),
    **dict.fromkeys(("staff number", "number", "numero", "numero mecanografico", "numero de pessoal"), "staff_number"),
    **dict.fromkeys(("department", "departamento", "seccao"), "department"),
    **dict.fromkeys(("shift", "turno"), "shift"),
    **dict.fromkeys(("joined", "joined on", "entrada", "admissao", "data de entrada"), "joined_on"),
    **dict.fromkeys(("left", "left on", "saida", "last day at work", "ultimo dia de trabalho"), "left_on"),
}
# What they are called in the template, and where a file has no such column.
FIELD_NAMES = {
    "name": gettext_lazy("Name"),
    "email": gettext_lazy("E-mail"),
    "staff_number": gettext_lazy("Staff number"),
    "department": gettext_lazy("Department"),
    "shift": gettext_lazy("Shift"),
    "joined_on": gettext_lazy("Joined on"),
    "left_on": gettext_lazy("Last day at work"),
}
DATES = ("%Y-%m-%d", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y")


class StaffRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a list; an empty cell says nothing. `number` is its row as the spreadsheet counts."""

    number: int
    name: str = ""
    email: str = ""
    staff_number: str = ""
    department: str = ""
    shift: str = ""
    joined_on: date | None = None
    left_on: date | None = None


class StaffList(msgspec.Struct, frozen=True, kw_only=True):
    """`titles` are what the file itself calls its columns. A cell that cannot be read is empty in its row and among the
    `errors`, so that everything else about the list can be said at the same time."""

    rows: list[StaffRow]
    ignored: list[str]  # titles of columns that mean nothing here
    titles: dict[str, str]
    errors: list[RowError]
    old_letters: bool = False  # as spreadsheets of Windows write CSV: accents may be wrong


def unfit(reason: str) -> UnfitList:
    return UnfitList([RowError(0, "", reason)])


def read(content: bytes) -> StaffList:
    """The rows of a list; UnfitList where it is none at all."""
    if len(content) > MAX_BYTES:
        raise unfit(_("The list is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
    old_letters = False
    if content.startswith(b"PK\x03\x04"):
        lines = _xlsx(content)
    else:
        text, old_letters = _decoded(content)
        lines = _csv(text)
    filled = [(number, cells) for number, cells in lines if any(cell not in ("", None) for cell in cells)]
    if not filled:
        raise unfit(_("The list is empty."))
    titles = [str(cell).strip() for cell in filled[0][1]]
    columns, ignored = _columns(titles)
    if len(filled) == 1:
        raise unfit(_("The list has its titles and nobody under them."))
    if len(filled) - 1 > MAX_ROWS:
        raise unfit(_("The list has more than %(limit)d rows.") % {"limit": MAX_ROWS})
    errors: list[RowError] = []
    rows = [_row(number, cells, columns, errors) for number, cells in filled[1:]]
    called = {field: titles[place] for field, place in columns.items()}
    return StaffList(rows=rows, ignored=ignored, titles=called, errors=errors, old_letters=old_letters)


def _decoded(content: bytes) -> tuple[str, bool]:
    """The text, and whether it was in the letters of Windows: a spreadsheet that is not told otherwise writes those."""
    try:
        return content.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        pass
    try:
        return content.decode("cp1252"), True
    except UnicodeDecodeError:
        raise unfit(_("The file is not in UTF-8. Save it as “CSV UTF-8” and choose it again.")) from None


def _csv(text: str) -> list[tuple[int, list[Any]]]:
    if "\x00" in text:
        raise unfit(_("The list has a character that cannot be stored."))
    titles = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=titles.count), strict=True)
    try:
        return [(number, [cell.strip() for cell in cells[:MAX_COLUMNS]]) for number, cells in enumerate(reader, 1)]
    except csv.Error:
        told = _("cannot be read from here on: a quotation mark is opened and not closed, or text follows one")
        raise UnfitList([RowError(reader.line_num, "", told)]) from None


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
        # A part packed in a way that is not known, encrypted, or broken.
        NotImplementedError,
        RuntimeError,
        zlib.error,
    ):
        raise unfit(_("This is no workbook that can be read. Save it as XLSX or as CSV and choose it again.")) from None


def _check_archive(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > 1000 or sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise unfit(_("The workbook is too large when unpacked."))
        # Workbooks declare no entities; a file that does wants the reader to expand them.
        if not all(_is_plain_xml(archive.read(part)) for part in parts if part.filename.endswith((".xml", ".rels"))):
            raise unfit(_("This is no workbook that can be read. Save it as XLSX or as CSV and choose it again."))


def _is_plain_xml(content: bytes) -> bool:
    """Whether it declares no document type, in UTF-8 as spreadsheets write it: another encoding could hide one."""
    encoding = re.match(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']([^"']+)""", content.removeprefix(codecs.BOM_UTF8))
    return b"<!DOCTYPE" not in content and b"\x00" not in content and (not encoding or encoding[1].lower() == b"utf-8")


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
        told = _("The first row must name the columns: name, e-mail, staff number, department, shift, joined, left")
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
    if text.startswith(FORMULA_STARTS):
        raise ValueError(_("begins with “%(sign)s”, as formulas do; write it without") % {"sign": text[0]})
    if len(text) > LONGEST_CELL or any(not character.isprintable() for character in text):
        raise ValueError(_("is too long, or has a character that cannot be stored"))
    return text.lower() if field == "email" else text


def rows_from(stored: Iterable[Any]) -> list[StaffRow]:
    return msgspec.convert(list(stored), list[StaffRow])


def template() -> bytes:
    """An empty list with its titles, in the language in force."""
    file = io.BytesIO()
    write_workbook([[str(title) for title in FIELD_NAMES.values()]], file, widths=[32, 32, 18, 24, 16, 16, 18])
    return file.getvalue()
