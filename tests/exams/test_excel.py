"""Every file that HR, administrators and instructors can download, opened as the Excel of their language opens it.

The doors are found by asking every address of the platform: one that is new is read too, or the test says so.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from exams.audit.sentences import ACTS
from exams.certificates.lifecycle import Standing
from exams.hr import exports
from exams.hr.models import Export
from exams.hr.selectors import Filters
from exams.programmes.models import Programme
from rules_engine import RULEBOOKS
from tests.house import House, all_routes
from training.people.accounts import grant_role
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DOORS = {"hr_tonight_csv", "hr_staff_template", "hr_export_file", "audit_csv", "audit_xlsx"}
TAUGHT = {"export_class", "export_scenarios_csv", "export_scenarios_xlsx", "import_template"}  # of instructors
SEPARATOR = {"pt": ";", "en": ","}
ISO = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?")
OTHER_DATE = re.compile(r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}")
NUMBER = re.compile(r"-?\d+([.,]\d+)?")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TRANSLATED = {"pt": {"Name", "When", "Valid until", "Reason", "Seal"}, "en": {"Nome", "Quando", "Motivo", "Selo"}}

Rows = list[list[Any]]


def read_csv(content: bytes, language: str) -> Rows:
    """By a double click: the mark says UTF-8, the country says the separator, and what looks like a value is one."""
    assert content.startswith(b"\xef\xbb\xbf"), "without the mark Excel reads Windows-1252"
    text = content.decode("utf-8-sig")
    assert "\ufeff" not in text and "\r\n" in text
    return [
        [_value(cell, language) for cell in row] for row in csv.reader(io.StringIO(text), delimiter=SEPARATOR[language])
    ]


def _value(cell: str, language: str) -> Any:
    assert not OTHER_DATE.fullmatch(cell), f"{cell}: which of the two is the month?"
    if ISO.fullmatch(cell):
        return datetime.fromisoformat(cell)
    if NUMBER.fullmatch(cell):
        assert ("." if language == "pt" else ",") not in cell, f"{cell} is no number in this country"
        return float(cell.replace(",", "."))
    assert not cell.startswith(("=", "+", "-", "@")), f"{cell} would be run"
    return cell


def read_xlsx(content: bytes, language: str) -> Rows:
    book = load_workbook(io.BytesIO(content))
    [sheet] = book.worksheets
    rows = [list(row) for row in sheet.iter_rows()]
    last = get_column_letter(len(rows[0]))
    assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref == f"A1:{last}{len(rows)}"
    for number, title in enumerate(rows[0], 1):
        width = sheet.column_dimensions[get_column_letter(number)].width
        assert width >= min(len(str(title.value)), 60), f"{title.value} does not fit into its column"
    for cell in (cell for row in rows[1:] for cell in row):
        assert cell.data_type != "f", f"{cell.value} is a formula"
        if isinstance(cell.value, date):
            assert cell.is_date and "yy" in cell.number_format, f"{cell.value} is shown as a number"
        else:
            text = str(cell.value or "")
            assert not (cell.data_type == "s" and (ISO.fullmatch(text) or NUMBER.fullmatch(text))), f"{text} is text"
    return [[cell.value for cell in row] for row in rows]


READERS: dict[str, Callable[[bytes, str], Rows]] = {"text/csv": read_csv, XLSX: read_xlsx}


def codes() -> set[str]:
    """What only programs call things."""
    return {*RULEBOOKS, *ACTS, *Role.values, *Standing.values, *Programme.objects.values_list("code", flat=True)}


def verify(rows: Rows, language: str, door: str) -> None:
    titles, *lines = rows
    assert all(titles) and len(set(titles)) == len(titles), f"{door}: {titles}"
    assert not TRANSLATED[language] & set(titles), f"{door} speaks another language: {titles}"
    known = codes() - {"valid", "suspended", "expired", "withdrawn"}  # words too, in English
    for line in lines:
        assert len(line) == len(titles), f"{door}: {line}"
        told = {str(cell) for cell in line}
        assert not told & known, f"{door} tells codes: {told & known}"
        assert not any(UUID.search(cell) for cell in told), f"{door} tells ids: {line}"


def fetched(client: Client, house: House, names: Iterable[str]) -> Iterator[tuple[str, str, bytes]]:
    """Every spreadsheet behind these routes: the route, its kind and its bytes."""
    routes, parameters = all_routes(), house.parameters()
    for name in names:
        answer = client.get(routes[name].address(parameters))
        content = answer.getvalue() if answer.streaming else answer.content
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        if answer.status_code == 200 and kind in READERS:
            assert answer["Content-Disposition"].startswith("attachment"), name
            yield name, kind, content


def every_export(owner: User) -> Iterator[tuple[str, str, bytes]]:
    for what in Export.What.values:
        for format, kind in (("csv", "text/csv"), ("xlsx", XLSX)):
            export = exports.ask(owner, what=what, format=format, filters=Filters(staff="all"))
            assert exports.make(export.pk)
            export.refresh_from_db()
            path = exports.file_of(export)
            assert path is not None
            yield f"{what}.{format}", kind, path.read_bytes()


def test_excel_reads_every_file(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path
    house, client = House(), Client()
    # One person who may have all of them, so that every address is asked once.
    owner = house.instructor
    for role in (Role.HR, Role.ADMINISTRATOR):
        grant_role(owner, role, granted_by=None)
    Export.objects.update(owner=owner)
    client.force_login(owner)
    names: Iterable[str] = [name for name in all_routes() if not name.startswith(("api", "schema", "account_logout"))]
    for language in ("pt", "en"):
        User.objects.update(language=language)
        person = User.objects.get(pk=owner.pk)
        files = [*fetched(client, house, names), *every_export(person)]
        names = {door for door, _kind, _content in files if "." not in door}
        assert names == DOORS | TAUGHT, "a door that nobody knows of, or one that is gone"
        for door, kind, content in files:
            rows = READERS[kind](content, language)
            if door in TAUGHT:
                assert len({len(row) for row in rows}) == 1, door
                continue
            assert len(rows) > 1 or door.startswith(("hr_staff_template", "affected")), f"{door} is empty"
            verify(rows, language, door)
            if door.startswith("certificates."):
                titles, line = rows[:2]
                told = dict(zip(titles, line, strict=True))
                assert isinstance(told[{"pt": "Válido até", "en": "Valid until"}[language]], date), told
