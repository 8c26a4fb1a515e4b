"""Tables that people upload: CSV as spreadsheets write it, or XLSX, as rows of text and dates."""

import codecs
import csv
import io
import re
import zipfile
import zlib
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from training.refusal import RowError, UnfitList

DELIMITERS = ";,\t"
MAX_UNPACKED = 40 * 1024 * 1024  # an XLSX is a ZIP, and a small ZIP can hold very much


def unfit(reason: str) -> UnfitList:
    return UnfitList([RowError(0, "", reason)])


def lines(content: bytes, *, max_rows: int, max_columns: int) -> tuple[list[tuple[int, list[Any]]], bool]:
    """The rows with their numbers as a spreadsheet counts, and whether the letters were those of Windows."""
    if content.startswith(b"PK\x03\x04"):
        return _xlsx(content, max_rows, max_columns), False
    text, old_letters = _decoded(content)
    return _csv(text, max_columns), old_letters


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


def _csv(text: str, max_columns: int) -> list[tuple[int, list[Any]]]:
    if "\x00" in text:
        raise unfit(_("The list has a character that cannot be stored."))
    titles = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=titles.count), strict=True)
    try:
        return [(number, [cell.strip() for cell in cells[:max_columns]]) for number, cells in enumerate(reader, 1)]
    except csv.Error:
        told = _("cannot be read from here on: a quotation mark is opened and not closed, or text follows one")
        raise UnfitList([RowError(reader.line_num, "", told)]) from None


def _xlsx(content: bytes, max_rows: int, max_columns: int) -> list[tuple[int, list[Any]]]:
    try:
        _check_archive(content)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()
        rows = sheet.iter_rows(values_only=True, max_row=max_rows, max_col=max_columns)
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
