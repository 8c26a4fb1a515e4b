"""The program that reads one file: `python -I program.py KIND LIMITS`, with the file on standard input.

Prints one JSON document: `{"found": …}`, or `{"refused": code, …}` if the file is invalid. It sets its own limits
before it reads a byte, and the kernel ends it when it exceeds them.

Run by path and not as a module of `training`, which would load Celery and Django first.
"""

import base64
import codecs
import contextlib
import csv
import io
import json
import re
import resource
import signal
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from typing import Any
from xml.etree import ElementTree

DELIMITERS = ";,\t|"
# How Excel writes "Unicode text" and other programs their CSV; the longer marks first.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"  # XLS, or an XLSX with a password
SEPARATOR = re.compile(r'"?sep=([;,\t|])"?\s*', re.IGNORECASE)  # Excel's own first line
MAX_PARTS = 1000  # files inside a workbook
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CELL = re.compile(
    rb'<c r="([A-Z]{1,3})([0-9]{1,7})"((?: [a-z]+="[^"<>]*+")*+)>(?:<f[^<>]*+>[^<>]*+</f>)?<v>(#[^<>]{1,20})</v>'
)
XML_START = re.compile(rb"""\s*+<\?xml[^>]*?encoding\s*+=\s*+["']([^"']++)""")


class Unreadable(Exception):
    """The file is invalid; `code` says why, and `more` where."""

    def __init__(self, code: str, **more: Any) -> None:
        super().__init__(code)
        self.told = {"refused": code} | more


# ---- tables


def table(content: bytes, limits: dict[str, Any]) -> dict[str, Any]:
    """The rows of a CSV or an XLSX that are not empty, each with its number in the spreadsheet."""
    if content.startswith(b"PK\x03\x04"):
        _check_archive(content, limits["unpacked"])
        rows, old_letters = _xlsx(content, limits["columns"]), False
    else:
        text, old_letters = _decoded(content)
        rows = _csv(text, limits["columns"])
    return {"rows": list(_filled(rows, limits)), "old_letters": old_letters}


def _filled(rows: Iterable[tuple[int, list[Any]]], limits: dict[str, Any]) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows that are not empty, at most one more than allowed, so that the caller sees there are too many."""
    left, letters = limits["rows"] + 1, limits["letters"]
    for number, cells in rows:
        if not any(cell != "" for cell in cells):
            continue
        letters -= sum(len(cell) for cell in cells if isinstance(cell, str))
        if letters < 0:
            raise Unreadable("too_long")
        yield number, cells
        left -= 1
        if not left:
            return


def _decoded(content: bytes) -> tuple[str, bool]:
    """The text, and whether it was in the Windows encoding, which many spreadsheets write by default."""
    if content.startswith(OLD_WORKBOOK):
        raise Unreadable("no_workbook")
    marked = next((encoding for mark, encoding in MARKS if content.startswith(mark)), None)
    for encoding in [marked] if marked else [*_unmarked(content), "utf-8", "cp1252"]:
        with contextlib.suppress(UnicodeDecodeError):
            return content.decode(encoding), encoding == "cp1252"
    raise Unreadable("not_utf_8")


def _unmarked(content: bytes) -> list[str]:
    """UTF-16 without its mark: every other byte of Latin text is zero."""
    start = content[:400]
    if start.count(0) * 3 < len(start):
        return []
    return ["utf-16-le" if start[1::2].count(0) >= start[::2].count(0) else "utf-16-be"]


def _csv(text: str, columns: int) -> Iterator[tuple[int, list[Any]]]:
    if "\x00" in text:
        raise Unreadable("unstorable")
    said = SEPARATOR.match(text)
    lines = text[said.end() :] if said else text
    titles = next((line for line in lines.splitlines() if line.strip()), "")
    delimiter = said[1] if said else max(DELIMITERS, key=titles.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, 1):
            if not (said and number == 1):
                yield number, [cell.strip() for cell in cells[:columns]]
    except csv.Error:
        raise Unreadable("broken_csv", row=reader.line_num) from None


def _check_archive(content: bytes, unpacked: int) -> None:
    """Refuse an XLSX that is too large unpacked, or whose XML declares a document type."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > unpacked:
                raise Unreadable("too_large_unpacked")
            texts = [part for part in parts if part.filename.endswith((".xml", ".rels"))]
            sound = all(_is_plain_xml(archive.read(part)) for part in texts)
    except (Unreadable, MemoryError):
        raise
    except Exception:  # encrypted, unknown compression, broken
        raise Unreadable("no_workbook") from None
    if not sound:
        raise Unreadable("no_workbook")


def _is_plain_xml(content: bytes) -> bool:
    """Whether the XML is in UTF-8 and declares no document type, which another encoding could hide.

    Workbooks declare no entities; a file that does is an attack on the parser.
    """
    encoding = XML_START.match(content.removeprefix(codecs.BOM_UTF8))
    return b"<!DOCTYPE" not in content and b"\x00" not in content and (not encoding or encoding[1].lower() == b"utf-8")


def _xlsx(content: bytes, columns: int) -> Iterator[tuple[int, list[Any]]]:
    """The rows of the first worksheet."""
    import python_calamine as calamine

    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        kinds = [sheet.typ for sheet in book.sheets_metadata]
        place = kinds.index(calamine.SheetTypeEnum.WorkSheet)
        sheet = book.get_sheet_by_index(place)
        # If a workbook keeps its sheets in an unusual place, its errors are read as empty cells.
        wrong = {}
        with contextlib.suppress(LookupError, StopIteration):
            wrong = _errors(content, place)
        before = [""] * min(columns, (sheet.start or (0, 0))[1])
        for number, found in enumerate(sheet.iter_rows(), 1):
            cells = [*before, *map(_plain, found[: columns - len(before)])]
            yield number, [wrong.get((number, at), cell) for at, cell in enumerate(cells, 1)] if wrong else cells
    except MemoryError:
        raise
    except Exception:  # any error of ZIP, XML or the library
        raise Unreadable("no_workbook") from None


def _errors(content: bytes, place: int) -> dict[tuple[int, int], str]:
    """The errors in cells, such as #REF!, by row and column. The library reads these cells as empty."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        part = archive.read(_part_of(archive, place))
    found = CELL.finditer(part) if b't="e"' in part else ()
    return {(int(one[2]), _column(one[1])): one[4].decode() for one in found if b' t="e"' in one[3]}


def _part_of(archive: zipfile.ZipFile, place: int) -> str:
    """The path of a sheet inside the workbook, by its index."""
    # Safe: `_check_archive` refuses XML that declares a document type, so there are no entities to expand.
    sheets = ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{{{MAIN}}}sheet")  # noqa: S314
    link = [sheet.get(f"{{{LINKS}}}id") for sheet in sheets][place]
    targets = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))  # noqa: S314
    path = next(str(one.get("Target")) for one in targets if one.get("Id") == link)
    return path.removeprefix("/") if path.startswith("/") else f"xl/{path}"


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _plain(cell: Any) -> Any:
    """A cell as text, or as a date."""
    if isinstance(cell, date):
        return {"day": (cell.date() if isinstance(cell, datetime) else cell).isoformat()}
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


# ---- PDF


def pdf(content: bytes, limits: dict[str, Any]) -> str:
    """The text of a PDF."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
        if len(document) > limits["pages"]:
            raise Unreadable("too_many_pages")
        texts, letters = [], 0
        for page in document:
            texts.append(page.get_textpage().get_text_range())
            letters += len(texts[-1])
            if letters > limits["letters"]:
                raise Unreadable("too_long")
    except pypdfium2.PdfiumError:
        raise Unreadable("no_pdf") from None
    return "\n".join(texts)


# ---- pictures


def picture(content: bytes, limits: dict[str, Any]) -> str:
    """A PNG redrawn by a typst template, which keeps only its pixels, in Base64."""
    import typst

    told = {"png": list(content), "width": limits["width"], "height": limits["height"]}
    try:
        compiler = typst.Compiler(limits["template"], ignore_system_fonts=True, sys_inputs={"data": json.dumps(told)})
        made = compiler.compile(format="png", ppi=72)
    except typst.TypstError:
        raise Unreadable("no_picture") from None
    if not isinstance(made, bytes):
        raise Unreadable("no_picture")
    return base64.b64encode(made).decode()


# ---- the process

KINDS: dict[str, Callable[[bytes, dict[str, Any]], Any]] = {"table": table, "pdf": pdf, "picture": picture}


def set_limits(*, seconds: float, memory: int) -> None:
    """Set hard limits that cannot be raised again."""
    # The kernel kills the process after this time, even if the parent is gone.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    processor = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(kind: str, written: str) -> None:
    limits = json.loads(written)
    set_limits(seconds=limits["seconds"], memory=limits["memory"])
    content = sys.stdin.buffer.read()
    try:
        told = {"found": KINDS[kind](content, limits)}
    except Unreadable as unreadable:
        told = unreadable.told
    sys.stdout.buffer.write(json.dumps(told, ensure_ascii=False).encode(errors="replace"))


if __name__ == "__main__":
    main(*sys.argv[1:])
