"""Staff lists: read as people send them, checked whole, all or nothing; and what becomes of leavers."""

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from exams.audit.models import Entry
from exams.hr import staff, staff_files
from exams.hr.models import PendingStaffImport, StaffRecord
from tests.exams import staffing
from tests.exams.staffing import NOON, TODAY, days
from training.people.models import Role, User
from training.refusal import UnfitList

pytestmark = pytest.mark.django_db
TITLES = "nome;e-mail;número;departamento;entrada;saída\n"
ANA = "Ana Prates;ana@casa.example;A-1;Banca;01/02/2020;\n"


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: NOON)


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def send(client: Client, content: bytes | str, name: str = "lista.csv") -> Any:
    data = content.encode() if isinstance(content, str) else content
    return client.post("/hr/staff/", {"file": SimpleUploadedFile(name, data)})


def errors_of(content: bytes | str) -> list[tuple[int, str]]:
    data = content.encode() if isinstance(content, str) else content
    with pytest.raises(UnfitList) as unfit:
        staff.plan(staff_files.read(data).rows)
    return [(error.row, error.field) for error in unfit.value.errors]


def workbook(*rows: list[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_list_is_checked_shown_and_only_then_counts(hr: Client) -> None:
    page = send(hr, TITLES + ANA)
    assert page.status_code == 200
    assert "Ana Prates" in page.content.decode()
    assert not User.objects.filter(email="ana@casa.example").exists()
    assert hr.post("/hr/staff/confirm/").status_code == 302
    ana = User.objects.get(email="ana@casa.example")
    assert (ana.name, ana.roles, ana.has_usable_password()) == ("Ana Prates", {"trainee"}, False)
    record = ana.staff_record
    assert (record.staff_number, record.department, record.joined_on) == ("A-1", "Banca", date(2020, 2, 1))
    assert Entry.objects.get(act="staff.imported").details == {"entered": 1, "changed": 0}
    assert not PendingStaffImport.objects.exists()


def test_the_same_list_again_changes_nothing(hr: Client) -> None:
    for _again in range(2):
        send(hr, TITLES + ANA)
        hr.post("/hr/staff/confirm/")
    assert StaffRecord.objects.count() == 1
    assert staff.plan(staff_files.read((TITLES + ANA).encode()).rows) == staff.Plan([], [], 1)


def test_people_are_known_by_number_or_address_and_changes_are_shown(hr: Client) -> None:
    known = staffing.staff("Ana", number="A-1", email="ana@casa.example", department="Sala")
    other = staffing.PersonFactory(name="Rui", email="rui@casa.example")
    page = send(hr, TITLES + "Ana Prates;;A-1;Banca;;\n;RUI@casa.example;A-2;;;\n").content.decode()
    assert '<span class="before">Sala</span> Banca' in page
    hr.post("/hr/staff/confirm/")
    known.refresh_from_db()
    assert (known.name, known.staff_record.department) == ("Ana Prates", "Banca")
    assert StaffRecord.objects.get(person=other).staff_number == "A-2"
    assert User.objects.count() == 3


def test_an_empty_cell_changes_nothing() -> None:
    staffing.staff("Ana", number="A-1", department="Sala", joined_on=days(-9), left_on=days(9))
    assert staff.plan(staff_files.read((TITLES + ";;A-1;;;\n").encode()).rows).same == 1


def test_every_error_of_every_row_is_named_and_nothing_is_done(hr: Client) -> None:
    staffing.staff(number="A-7", email="dono@casa.example")
    listed = TITLES + (
        "Ana;ana@casa.example;A-1;;;\n"
        ";bia@casa.example;A-2;;;\n"  # 3: a new person needs a name
        "Caio;no-address;A-3;;;\n"  # 4
        "Dora;ana@casa.example;A-1;;;\n"  # 5: both are in row 2
        "Eva;eva@casa.example;A-5;;2026-11-16;2026-11-15\n"  # 6: left before joining
        "Fim;fim@casa.example;A-7;;;\n"  # 7: the number is somebody else's
        "Gil;gil@casa.example;;;;\n"  # 8: no number
        f"Hugo;hugo@casa.example;{'9' * 33};;;\n"  # 9
    )
    assert errors_of(listed) == [
        (3, "name"),
        (4, "email"),
        (5, "staff_number"),
        (5, "email"),
        (6, "left_on"),
        (7, "email"),
        (8, "staff_number"),
        (9, "staff_number"),
    ]
    page = send(hr, listed)
    assert page.status_code == 422
    assert page.content.decode().count("<code>") == 8
    assert hr.post("/hr/staff/confirm/").status_code == 302
    assert not User.objects.filter(name="Ana").exists()


def test_dates_that_are_none_are_all_named() -> None:
    assert errors_of(TITLES + "Ana;ana@casa.example;A-1;;ontem;31/02/2020\n") == [(2, "joined_on"), (2, "left_on")]


def test_a_list_does_not_move_an_address() -> None:
    """The mail that sets a password goes there."""
    staffing.staff("Chefe", number="A-1", email="chefe@casa.example", roles=[Role.ADMINISTRATOR])
    assert errors_of(TITLES + "Chefe;intruso@fora.example;A-1;;;\n") == [(2, "email")]


def test_leaving_before_the_joining_that_is_on_record_is_refused() -> None:
    staffing.staff("Ana", number="A-1", joined_on=TODAY)
    assert errors_of(TITLES + f";;A-1;;;{days(-1).isoformat()}\n") == [(2, "left_on")]
    assert staff.plan(staff_files.read((TITLES + f";;A-1;;;{TODAY.isoformat()}\n").encode()).rows).leaving == 1


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_csv_as_spreadsheets_write_it(delimiter: str) -> None:
    text = "\ufeff" + (TITLES + "\n" + ANA).replace(";", delimiter)
    (row,) = staff_files.read(text.encode()).rows
    assert (row.number, row.name, row.joined_on) == (3, "Ana Prates", date(2020, 2, 1))


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
        archive.writestr("xl/workbook.xml", b"0" * (staff_files.MAX_UNPACKED + 1))
    return file.getvalue()


def with_entities() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        TITLES.encode(),
        b"nome;idade\nAna;5\n",
        "nome;número\nJoão;1\n".encode("latin-1"),
        b"numero\nA\x001\n",
        b'numero;nome\n1;"aberto\n',
        b"PK\x03\x04 no workbook",
        bomb(),
        with_entities(),
        b"x" * (staff_files.MAX_BYTES + 1),
    ],
    ids=["none", "empty", "titles", "columns", "latin", "nul", "quote", "broken", "bomb", "entities", "large"],
)
def test_what_is_no_list_is_refused_with_a_reason(hr: Client, content: bytes) -> None:
    page = send(hr, content)
    assert page.status_code == 422
    assert not PendingStaffImport.objects.exists()


@pytest.mark.parametrize(("rows", "fits"), [(staff_files.MAX_ROWS, True), (staff_files.MAX_ROWS + 1, False)])
def test_a_list_has_so_many_rows_and_no_more(rows: int, fits: bool) -> None:
    content = (TITLES + "".join(f"P;p{n}@casa.example;N{n};;;\n" for n in range(rows))).encode()
    if fits:
        assert len(staff_files.read(content).rows) == rows
    else:
        assert errors_of(content) == [(0, "")]


def test_what_changed_between_check_and_confirmation_is_seen(hr: Client) -> None:
    send(hr, TITLES + ANA)
    staffing.staff("Outra", number="A-1")
    page = hr.post("/hr/staff/confirm/")
    assert page.status_code == 422
    assert not User.objects.filter(email="ana@casa.example").exists()


def test_all_or_nothing_when_something_breaks_halfway(hr: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    send(hr, TITLES + ANA + "Rui;rui@casa.example;A-2;;;\n")
    real, calls = staff.enter_person, []  # type: ignore[attr-defined]

    def second_breaks(**given: Any) -> User:
        calls.append(given)
        if len(calls) == 2:
            raise RuntimeError("the second breaks")
        return real(**given)

    monkeypatch.setattr(staff, "enter_person", second_breaks)
    with pytest.raises(RuntimeError, match="the second breaks"):
        hr.post("/hr/staff/confirm/")
    assert not StaffRecord.objects.exists()
    assert PendingStaffImport.objects.exists()


def test_nobody_confirms_the_list_of_another(hr: Client, signed_in: Callable[..., Client]) -> None:
    send(hr, TITLES + ANA)
    signed_in(Role.HR).post("/hr/staff/confirm/")
    assert not StaffRecord.objects.exists()


# ---- leavers


@pytest.mark.parametrize(("left_on", "closed"), [(days(-1), True), (TODAY, False), (days(1), False), (None, False)])
def test_an_account_is_closed_from_the_day_after_the_last(left_on: date | None, closed: bool) -> None:
    who = staffing.staff(left_on=left_on)
    assert staff.close_leavers() == closed
    assert staff.close_leavers() == 0
    who.refresh_from_db()
    assert who.is_active is not closed
    assert Entry.objects.filter(act="person.closed", subject=f"person:{who.pk}").count() == closed


def test_a_leaver_is_signed_out_at_once(client: Client) -> None:
    who = staffing.staff(left_on=days(-1))
    client.force_login(who)
    assert client.get("/").status_code == 200
    staff.close_leavers()
    assert client.get("/").status_code == 302


def test_who_comes_back_may_sign_in_again(hr: Client) -> None:
    who = staffing.staff(number="A-1", left_on=days(-1))
    staff.close_leavers()
    hr.post(f"/hr/people/{who.pk}/record/", {"staff_number": "A-1", "left_on": ""})
    who.refresh_from_db()
    assert who.is_active


def test_an_account_closed_for_another_reason_stays_closed(hr: Client) -> None:
    who = staffing.staff(number="A-1", is_active=False)
    hr.post(f"/hr/people/{who.pk}/record/", {"staff_number": "A-1", "department": "Banca"})
    who.refresh_from_db()
    assert not who.is_active
