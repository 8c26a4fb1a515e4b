"""Staff lists as workbooks: what spreadsheets write is read, and a file made to do harm is refused."""

import dataclasses
import io
import re
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from django.test import Client
from openpyxl import Workbook

from exams.hr import staff_files
from exams.hr.models import StaffImport
from tests.exams.staff_lists import TITLES, send, workbook
from training.people.models import Role
from training.platform import spreadsheet_input
from training.platform.errors import UnfitList
from training.platform.uploads import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def test_xlsx_with_real_dates_and_numbers() -> None:
    content = workbook(
        ["Name", "E-mail", "Staff number", "Joined", "Salary"],
        ["Ana Prates", "Ana@casa.example", 1017, datetime(2020, 2, 1), 9],  # noqa: DTZ001 (as a spreadsheet has it)
        [None, None, None, None, None],
        ["Rui", "rui@casa.example", 1018.0, "2021-03-04", None],
    )
    listed = staff_files.read(content)
    assert listed.ignored == ["Salary"]
    assert [(row.number, row.email, row.staff_number, row.joined_on) for row in listed.rows] == [
        (2, "ana@casa.example", "1017", date(2020, 2, 1)),
        (4, "rui@casa.example", "1018", date(2021, 3, 4)),
    ]


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (spreadsheet_input.IN_BACKGROUND.unpacked + 1))
    return file.getvalue()


# A list that would be taken: whatever is refused of it is refused for what was changed.
SOUND = (["Number", "Name", "E-mail"], ["1", "Ana", "ana@casa.example"])


def altered(change: Callable[[bytes], bytes], part: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A real workbook with one part changed; without the change it is read."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(*SOUND))) as real,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for info in real.infolist():
            content = real.read(info)
            made.writestr(info.filename, change(content) if info.filename == part else content)
    return file.getvalue()


def with_entities(content: bytes) -> bytes:
    """The name of the sheet's only person is an entity."""
    doctype = b'<!DOCTYPE worksheet [<!ENTITY who "Ana">]>'
    head, mark, rest = content.partition(b"<worksheet")
    return head + doctype + mark + rest


def in_utf_16(content: bytes) -> bytes:
    return with_entities(content.replace(b"UTF-8", b"UTF-16").replace(b"utf-8", b"UTF-16")).decode().encode("utf-16")


def in_another_encoding(content: bytes) -> bytes:
    """After its declaration the reader decodes the rest otherwise, and sees what a search for bytes does not."""
    declaration = b'<?xml version="1.0" encoding="cp037"?>'
    return declaration + with_entities(re.sub(rb"^<\?xml[^>]*\?>", b"", content)).decode().encode("cp037")


def raw(find: bytes, offset: int, value: bytes) -> bytes:
    """A real workbook with bytes changed after every mark of a ZIP's headers."""
    content = bytearray(workbook(*SOUND))
    place = content.find(find)
    while place >= 0:
        content[place + offset : place + offset + len(value)] = value
        place = content.find(find, place + 4)
    return bytes(content)


LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"


def encrypted() -> bytes:
    return raw(CENTRAL, 8, b"\x01\x00")


def packed_in_an_unknown_way() -> bytes:
    return raw(CENTRAL, 10, b"\x63\x00")


def with_broken_deflate() -> bytes:
    return raw(LOCAL, 60, b"\xff" * 12)


def test_a_workbook_without_a_change_is_taken(hr: Client) -> None:
    send(hr, altered(lambda content: content))
    assert StaffImport.objects.get().state == "checked"


@pytest.mark.parametrize("change", [with_entities, in_utf_16, in_another_encoding], ids=["entities", "utf-16", "cp037"])
def test_a_workbook_that_declares_entities_is_not_even_read(
    change: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_xlsx", lambda *_args: pytest.fail("it was read"))
    with pytest.raises(program.Unreadable, match="no_workbook"):
        program.table(
            altered(change), {"unpacked": spreadsheet_input.MAX_UNPACKED, "columns": 5, "rows": 5, "letters": 1000}
        )


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_a_workbook_unpacks_to_so_much_and_no_more(monkeypatch: pytest.MonkeyPatch, more: int, fits: bool) -> None:
    content = altered(lambda content: content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(part.file_size for part in archive.infolist())
    background = dataclasses.replace(spreadsheet_input.IN_BACKGROUND, unpacked=size - more)
    monkeypatch.setattr(spreadsheet_input, "IN_BACKGROUND", background)
    if fits:
        assert staff_files.read(content).rows
    else:
        with pytest.raises(UnfitList) as unfit:
            staff_files.read(content)
        assert "demasiado grande" in unfit.value.errors[0].reason


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        TITLES.encode(),
        b"nome;idade\nAna;5\n",
        b"nome;numero\nJo\x81o;1\n",
        b"numero\nA\x001\n",
        b'numero;nome\n1;"aberto\n',
        b"PK\x03\x04 no workbook",
        bomb(),
        altered(with_entities),
        altered(in_utf_16),
        altered(in_another_encoding),
        altered(lambda content: content + b" " * spreadsheet_input.IN_BACKGROUND.unpacked),
        encrypted(),
        packed_in_an_unknown_way(),
        with_broken_deflate(),
        b"x" * (staff_files.MAX_BYTES + 1),
    ],
    ids=[
        "none",
        "empty",
        "titles",
        "columns",
        "letters",
        "nul",
        "quote",
        "broken",
        "bomb",
        "entities",
        "utf-16",
        "cp037",
        "unpacked",
        "encrypted",
        "packing",
        "deflate",
        "large",
    ],
)
def test_what_is_no_list_is_refused_with_a_reason(hr: Client, content: bytes) -> None:
    page = send(hr, content)
    assert page.status_code == 422 or "Nada foi alterado" in page.content.decode()
    assert not StaffImport.objects.exclude(state="unfit").exists()


@pytest.mark.parametrize("mark", ["", "sep=;\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_way_in_which_excel_writes_text_is_read(mark: str, encoding: str, end: str) -> None:
    text = mark + "nome;e-mail;número\nJoão, o “Zé”;joao@casa.example;A|1\n"
    (row,) = staff_files.read(text.replace("\n", end).encode(encoding)).rows
    assert (row.name, row.staff_number, row.number) == ("João, o “Zé”", "A|1", 3 if mark else 2)


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_every_separator_is_known_by_the_titles(separator: str, encoding: str) -> None:
    cells = [["nome", "e-mail", "número"], ["Ana", "ana@casa.example", "1"]]
    text = "\n".join(separator.join(row) for row in cells)
    (row,) = staff_files.read(text.encode(encoding)).rows
    assert (row.name, row.email, row.staff_number) == ("Ana", "ana@casa.example", "1")


def test_an_old_workbook_is_named_as_what_it_is(hr: Client) -> None:
    assert "Guarde-o como XLSX ou CSV" in send(hr, b"\xd0\xcf\x11\xe0" + b"\0" * 600, "lista.xls").content.decode()


def test_cells_of_every_kind_are_read() -> None:
    kinds: list[Any] = [
        "Ana",
        " Ana ",
        1017,
        1017.0,
        1.5,
        "00123",
        True,
        "#REF!",
        "=1+1",
        datetime(2020, 2, 1, 13, 5),  # noqa: DTZ001 (as a spreadsheet has it)
        None,
    ]
    book = Workbook()
    for place, value in enumerate(kinds, 3):
        cell = book.active.cell(4, place, value)
        if value == "#REF!":
            cell.data_type = "e"
    book.active.cell(6, 3, "merged")
    book.active.merge_cells("C6:D7")
    book.active.cell(2000, 3).number_format = "0"  # a cell that was touched and is empty
    book.save(file := io.BytesIO())
    rows, _old = spreadsheet_input.lines(file.getvalue(), max_rows=20, max_columns=13)
    read = ["", "", "Ana", "Ana", "1017", "1017", "1.5", "00123", "True", "#REF!", "", date(2020, 2, 1)]
    assert [(number, cells[: len(read)]) for number, cells in rows] == [(4, read), (6, ["", "", "merged", *[""] * 9])]


def test_rows_that_lie_far_apart_are_all_read() -> None:
    book = Workbook()
    for number, row in ((1, SOUND[0]), (2, SOUND[1]), (9000, ["2", "Rui", "rui@casa.example"])):
        for place, value in enumerate(row, 1):
            book.active.cell(number, place, value)
    book.save(file := io.BytesIO())
    assert [row.number for row in staff_files.read(file.getvalue()).rows] == [2, 9000]
