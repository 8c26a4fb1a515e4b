"""Staff lists: read as people send them, checked whole, all or nothing; and what becomes of leavers."""

import io
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from exams.audit.models import Entry
from exams.audit.services import verify
from exams.hr import staff, staff_files, staff_import
from exams.hr.models import StaffImport, StaffImportPart, StaffRecord
from exams.records.models import NameCorrection
from tests.exams import staffing
from tests.exams.staff_lists import TITLES, applied, checked, confirm, send, work, workbook
from tests.exams.staffing import NOON, TODAY, days
from training.mail import password
from training.mail.models import Mail
from training.operations import heartbeats
from training.people.accounts import withdraw_role
from training.people.models import Role, User
from training.platform.errors import Refused, UnfitList

pytestmark = pytest.mark.django_db
ANA = "Ana Prates;ana@casa.example;A-1;Banca;01/02/2020;\n"


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: NOON)


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def planned(content: str) -> staff.Plan:
    return staff.examine(staff_files.read(content.encode()).rows, User(), staff.Met())[0]


def errors_of(content: bytes | str) -> list[tuple[int, str]]:
    data = content.encode() if isinstance(content, str) else content
    with pytest.raises(UnfitList) as unfit:
        staff.check(staff_files.read(data), User())
    return [(error.row, error.field) for error in unfit.value.errors]


def test_a_list_is_checked_shown_and_only_then_counts(hr: Client) -> None:
    page = send(hr, TITLES + ANA)
    assert page.status_code == 200
    assert "Ana Prates" in page.content.decode()
    assert not User.objects.filter(email="ana@casa.example").exists()
    assert "foi aplicada" in confirm(hr).content.decode()
    ana = User.objects.get(email="ana@casa.example")
    assert (ana.name, ana.roles, ana.has_usable_password()) == ("Ana Prates", {"trainee"}, False)
    record = ana.staff_record
    assert (record.staff_number, record.department, record.joined_on) == ("A-1", "Banca", date(2020, 2, 1))
    assert Entry.objects.get(act="staff.imported").details == {"entered": 1, "changed": 0, "left_out": 0}
    assert not StaffImportPart.objects.exists() and "ana@" not in str(StaffImport.objects.values())


def test_the_same_list_again_changes_nothing(hr: Client) -> None:
    for _again in range(2):
        page = send(hr, TITLES + ANA)
        hr.post("/hr/staff/confirm/")
        work()
    assert StaffRecord.objects.count() == 1 and "Não há nada a alterar" in page.content.decode()
    assert planned(TITLES + ANA) == staff.Plan([], [], 1)


def test_people_are_known_by_number_or_address_and_changes_are_shown(hr: Client) -> None:
    known = staffing.staff("Ana", number="A-1", email="ana@casa.example", department="Sala")
    other = staffing.PersonFactory(name="Rui", email="rui@casa.example")
    page = send(hr, TITLES + "Ana Prates;;A-1;Banca;;\n;RUI@casa.example;A-2;;;\n").content.decode()
    assert '<span class="before">Sala</span> Banca' in page
    assert '<span class="before">Ana</span> Ana Prates' in page
    confirm(hr)
    known.refresh_from_db()
    assert (known.name, known.staff_record.department) == ("Ana", "Banca")
    assert NameCorrection.objects.get(holder=known).name == "Ana Prates"
    assert StaffRecord.objects.get(person=other).staff_number == "A-2"
    assert User.objects.count() == 3


def test_an_empty_cell_changes_nothing() -> None:
    staffing.staff("Ana", number="A-1", department="Sala", joined_on=days(-9), left_on=days(9))
    assert planned(TITLES + ";;A-1;;;\n").same == 1


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
        (3, "nome"),
        (4, "e-mail"),
        (5, "número"),
        (5, "e-mail"),
        (6, "saída"),
        (7, "e-mail"),
        (8, "número"),
        (9, "número"),
    ]
    page = send(hr, listed)
    assert page.content.decode().count('data-label="O que está mal"') == 8
    assert "<code>" not in page.content.decode()
    confirm(hr)
    assert not User.objects.filter(name="Ana").exists()


def test_dates_that_are_none_are_all_named() -> None:
    assert errors_of(TITLES + "Ana;ana@casa.example;A-1;;ontem;31/02/2020\n") == [(2, "entrada"), (2, "saída")]


@pytest.mark.parametrize(("wrong", "told"), [(200, False), (201, True)])
def test_so_many_errors_are_shown_and_the_rest_counted(hr: Client, wrong: int, *, told: bool) -> None:
    page = send(hr, TITLES + "".join(f"Ana;no-address-{number};A-{number};;;\n" for number in range(wrong)))
    text = page.content.decode()
    assert text.count("<tr>") == 1 + 200
    assert (f"Só se mostram os primeiros 200 de {wrong} erros." in text) is told


def test_a_cell_that_cannot_be_read_hides_no_other_error() -> None:
    listed = TITLES + (
        "Ana;ana@casa.example;A-1;;ontem;\n"  # 2
        ";bia@casa.example;A-2;;;\n"  # 3: a new person needs a name
        "=Caio;caio@casa.example;A-1;;;31/02/2020\n"  # 4: and the name is not called missing as well
    )
    assert errors_of(listed) == [(2, "entrada"), (3, "nome"), (4, "nome"), (4, "saída"), (4, "número")]


def test_columns_are_called_as_the_file_calls_them() -> None:
    with pytest.raises(UnfitList) as unfit:
        staff.check(staff_files.read(b"NOME, E-MAIL ,Number\n=x,no-address,A-1\n"), User())
    assert [error.field for error in unfit.value.errors] == ["NOME", "E-MAIL"]


def test_what_no_column_of_the_file_holds_is_called_as_on_the_page() -> None:
    assert errors_of("nome;e-mail\nAna;ana@casa.example\n") == [(2, "Número mecanográfico")]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_a_name_that_is_a_formula_is_refused_in_words(sign: str) -> None:
    for cell in (f'{sign}HYPERLINK("x")', sign):
        for content in (
            TITLES.encode() + f"'{cell}';ana@casa.example;A-1;;;\n".replace("'", "").encode(),
            workbook(["nome", "e-mail", "número"], [f" {cell}", "ana@casa.example", "A-1"]),
        ):
            with pytest.raises(UnfitList) as unfit:
                staff.check(staff_files.read(content), User())
            (error,) = unfit.value.errors
            assert (error.row, error.field) == (2, "nome")
            assert f"«{sign}»" in error.reason
    inside = TITLES + f"Ana{sign}Gil;ana@casa.example;A-1;;;\n"
    assert staff.check(staff_files.read(inside.encode()), User()).anything


def test_the_letters_of_windows_are_read_and_said_so(hr: Client) -> None:
    text = TITLES + "João Conceição – “Zé”;joao@casa.example;A-1;;;\n"
    listed = staff_files.read(text.encode("cp1252"))
    assert (listed.rows[0].name, listed.old_letters) == ("João Conceição – “Zé”", True)
    assert not staff_files.read(text.encode()).old_letters
    assert "caracteres do Windows" in send(hr, text.encode("cp1252")).content.decode()
    assert "caracteres do Windows" not in send(hr, text).content.decode()


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_template_is_a_list_that_is_understood(hr: Client, language: str) -> None:
    hr.person.language = language  # type: ignore[attr-defined]
    hr.person.save()  # type: ignore[attr-defined]
    sheet: Any = load_workbook(io.BytesIO(hr.get("/hr/staff/template.xlsx").content))
    sheet.active.append(["Ana", "ana@casa.example", "A-1", "Banca", "Noite", date(2020, 2, 1), date(2030, 2, 1)])
    file = io.BytesIO()
    sheet.save(file)
    listed = staff_files.read(file.getvalue())
    assert (listed.ignored, set(listed.titles)) == ([], set(staff_files.FIELD_NAMES))
    assert listed.rows[0].shift == "Noite"
    assert (listed.rows[0].joined_on, listed.rows[0].left_on) == (date(2020, 2, 1), date(2030, 2, 1))


def test_the_page_names_the_columns_as_the_template_does(hr: Client) -> None:
    told = "Nome, E-mail, Número mecanográfico, Departamento, Turno, Entrada, Último dia de trabalho"
    told += ", Número da licença, Licença válida até"
    assert told in hr.get("/hr/staff/").content.decode()
    assert told in send(hr, "Olá;Adeus\n1;2\n").content.decode()
    listed = staff_files.read(f"{told.replace(', ', ';')}\nAna;ana@casa.example;A-1;;;;\n".encode())
    assert set(listed.titles) == set(staff_files.FIELD_NAMES) and not listed.ignored


def test_who_is_new_gets_an_invitation_and_nobody_else_does(hr: Client) -> None:
    staffing.staff("Zoe", number="A-9", email="zoe@casa.example")
    left = f"Rui;rui@casa.example;A-2;;;{days(-1).isoformat()}\n"
    send(hr, TITLES + ANA + left + "Zoe Dias;;A-9;;;\n")
    confirm(hr)
    (mail,) = Mail.objects.all()
    assert mail.address == "ana@casa.example"
    assert hr.person.name in mail.body  # type: ignore[attr-defined]
    assert password.LINK in mail.body


def test_a_list_does_not_move_an_address() -> None:
    """The mail that sets a password goes there."""
    staffing.staff("Chefe", number="A-1", email="chefe@casa.example", roles=[Role.ADMINISTRATOR])
    assert errors_of(TITLES + "Chefe;intruso@fora.example;A-1;;;\n") == [(2, "e-mail")]


def test_leaving_before_the_joining_that_is_on_record_is_refused() -> None:
    staffing.staff("Ana", number="A-1", joined_on=TODAY)
    assert errors_of(TITLES + f";;A-1;;;{days(-1).isoformat()}\n") == [(2, "saída")]
    assert planned(TITLES + f";;A-1;;;{TODAY.isoformat()}\n").leaving == 1


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_csv_as_spreadsheets_write_it(delimiter: str) -> None:
    text = "\ufeff" + (TITLES + "\n" + ANA).replace(";", delimiter)
    (row,) = staff_files.read(text.encode()).rows
    assert (row.number, row.name, row.joined_on) == (3, "Ana Prates", date(2020, 2, 1))


@pytest.mark.parametrize(("rows", "fits"), [(staff_files.MAX_ROWS, True), (staff_files.MAX_ROWS + 1, False)])
def test_a_list_has_so_many_rows_and_no_more(rows: int, fits: bool) -> None:
    content = (TITLES + "".join(f"P;p{n}@casa.example;N{n};;;\n" for n in range(rows))).encode()
    if fits:
        assert len(staff_files.read(content).rows) == rows
    else:
        assert errors_of(content) == [(0, "")]


def test_a_row_that_no_longer_fits_is_left_out_and_the_others_are_applied(hr: Client) -> None:
    send(hr, TITLES + ANA + "Rui;rui@casa.example;A-2;;;\n")
    staffing.staff("Outra", number="A-1")
    page = confirm(hr).content.decode()
    assert "já não puderam ser aplicadas" in page.lower() and "A-1" in page
    assert not User.objects.filter(email="ana@casa.example").exists()
    assert User.objects.filter(email="rui@casa.example").exists()
    assert Entry.objects.get(act="staff.imported").details == {"entered": 1, "changed": 0, "left_out": 1}


def long_list(count: int) -> str:
    return TITLES + "".join(f"P{n};p{n}@casa.example;N{n};;;\n" for n in range(count))


def test_a_list_goes_on_where_a_dead_worker_stopped(hr: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker dies in the middle of a batch, and once more between two batches."""
    rows = 5 * staff_import.BATCH + 3
    checked(hr.person, long_list(rows))  # type: ignore[attr-defined]
    job = staff_import.confirm(hr.person)  # type: ignore[attr-defined]
    whole, batches = password.invite_to_house, [0]

    class Killed(BaseException):
        """Derives from BaseException, so that no code catches it: like a killed worker."""

    def breaks(*given: Any) -> None:
        batches[0] += 1
        if batches[0] in (2, 5):
            raise Killed
        whole(*given)

    monkeypatch.setattr(staff_import, "invite_to_house", breaks)
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    for done in (1, 3):
        with pytest.raises(Killed):
            staff_import.go_on(job.pk)
        job.refresh_from_db()
        assert (job.done, StaffRecord.objects.count()) == (done * staff_import.BATCH,) * 2
        assert not staff_import.go_on(job.pk), "it may still be at work"
        StaffImport.objects.update(beat_at=NOON - 2 * staff_import.SILENT)
    job = work()
    assert (job.state, job.entered, job.left_out) == ("done", rows, 0)
    assert StaffRecord.objects.count() == Mail.objects.count() == rows
    assert Entry.objects.filter(act="staff.changed").count() == rows and not list(verify())


def test_a_worker_that_lost_its_list_writes_nothing(hr: Client) -> None:
    checked(hr.person, long_list(3))  # type: ignore[attr-defined]
    staff_import.confirm(hr.person)  # type: ignore[attr-defined]
    slow = staff_import._taken_up(StaffImport.objects.get().pk)
    StaffImport.objects.update(beat_at=NOON - 2 * staff_import.SILENT)
    assert work().state == "done" and slow
    with pytest.raises(staff_import.Stopped):
        staff_import._write(slow, staff_files.read(long_list(9).encode()).rows[3:])
    assert StaffRecord.objects.count() == 3


def test_a_list_that_fails_again_and_again_is_given_up(hr: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    send(hr, TITLES + ANA)
    monkeypatch.setattr(staff_import, "_change", lambda *_given: 1 / 0)
    hr.post("/hr/staff/confirm/")
    for _try in range(staff_import.MAX_FAILURES):
        staff_import.go_on(StaffImport.objects.get().pk)
    assert not staff_import.go_on(StaffImport.objects.get().pk)
    page = hr.get("/hr/staff/").content.decode()
    assert "Não foi possível acabar" in page and "0 de 1 linhas" in page


def test_a_list_is_stopped_by_its_importer_or_when_they_leave_human_resources(hr: Client) -> None:
    importer = hr.person  # type: ignore[attr-defined]
    for leaves in (False, True):
        send(hr, long_list(30))
        hr.post("/hr/staff/confirm/")
        assert send(hr, long_list(3)).status_code == 422, "another list waits for its end"
        if leaves:
            withdraw_role(importer, Role.HR)
        else:
            hr.post("/hr/staff/stop/")
        assert work().state == "stopped" and not StaffRecord.objects.exists() and not StaffImportPart.objects.exists()
    assert Entry.objects.filter(act="staff.imported").latest("number").details["rows_left"] == 30


def test_the_page_polls_how_far_it_is_and_all_changes_are_a_file(hr: Client) -> None:
    hr.post("/hr/staff/", {"file": SimpleUploadedFile("lista.csv", long_list(30).encode())})
    part = hr.get("/hr/staff/", headers={"HX-Request": "true"}).content.decode()
    assert "hx-get" in part and "<html" not in part
    work()
    page = hr.get("/hr/staff/").content.decode()
    assert "P19" in page and "P20" not in page and 'hx-get="/hr/staff/"' not in page
    lines = b"".join(hr.get("/hr/staff/changes.csv")).decode().splitlines()
    assert len(lines) == 1 + 3 * 30 and "p29@casa.example" in lines[-1]


@pytest.mark.parametrize("rest", [";;;", ";2020-02-01;2020-03-01;", ";2020-02-01;2030-03-01;noite"])
def test_a_batch_is_applied_with_as_many_queries_as_one_row(rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeats, "leave_at_work", lambda _queue: None)  # not every time
    importer, counts = staffing.staff(roles=[Role.HR]), []
    for first, last in ((1, 3), (10, 10 + staff_import.BATCH)):
        # Entered and gone at once, or still here: then they are changed, leave, and come back.
        for cells in (rest, f"Mesas;2020-02-01;{days(-1)};noite", f"Mesas;2020-02-01;{days(9)};noite"):
            listed = "".join(f"P{n};p{n}@casa.example;N{n};{cells}\n" for n in range(first, last))
            checked(importer, "nome;email;numero;seccao;entrada;saida;turno\n" + listed)
            with CaptureQueriesContext(connection) as queries:
                applied(importer)
            counts.append(len(queries))
    assert all(long <= short for short, long in zip(counts[:3], counts[3:], strict=True)), counts
    assert (
        User.objects.filter(email__startswith="p", is_active=True, staff_record__left_on=days(9)).count()
        == 2 + staff_import.BATCH
    )


def test_nobody_confirms_sees_or_stops_the_list_of_another(hr: Client, signed_in: Callable[..., Client]) -> None:
    send(hr, TITLES + ANA)
    other = signed_in(Role.HR)
    other.post("/hr/staff/confirm/")
    other.post("/hr/staff/stop/")
    assert "Ana Prates" not in other.get("/hr/staff/").content.decode()
    assert other.get("/hr/staff/changes.csv").status_code == 302
    assert work().state == "checked" and not StaffRecord.objects.exists()


def test_two_rows_that_mean_one_person_are_an_error() -> None:
    staffing.staff("Ana", number="A-1", email="ana@casa.example")
    assert errors_of(TITLES + ";;A-1;Mesas;;\n;ana@casa.example;;Banca;;\n") == [(3, "e-mail")]


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


def test_nobody_changes_their_own_record_by_list_or_by_hand() -> None:
    clerk = staffing.staff("Rita", number="A-9", email="rita@casa.example", roles=[Role.HR])
    desk = Client()
    desk.force_login(clerk)
    page = send(desk, TITLES + "Outro Nome;;A-9;Banca;;\n")
    assert "a sua própria ficha" in page.content.decode()
    assert send(desk, TITLES + "Rita;;A-9;;;\n").status_code == 200, "a list of all staff may name its bearer"
    record = f"/hr/people/{clerk.pk}/record/"
    assert desk.get(record).status_code == 409
    assert desk.post(record, {"staff_number": "A-1"}).status_code == 409
    with pytest.raises(Refused):
        staff.change_record(clerk, clerk, staff_number="A-1")
    clerk.refresh_from_db()
    assert (clerk.name, clerk.staff_record.staff_number) == ("Rita", "A-9")


def test_a_row_that_becomes_the_importers_own_is_left_out() -> None:
    clerk = staffing.staff("Rita", number="A-9", roles=[Role.HR])
    checked(clerk, "nome;e-mail;número\nOutra;outra@casa.example;A-8\n")
    StaffRecord.objects.filter(person=clerk).update(staff_number="A-8")
    assert (applied(clerk).left_out, User.objects.count()) == (1, 1)
