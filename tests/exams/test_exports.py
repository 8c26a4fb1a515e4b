"""Exports: made in the background, whole or not at all, for their owner alone, for a day."""

import csv
import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from exams.hr import export_files, exports
from exams.hr.models import Export, Schedule
from exams.hr.selectors import Filters
from rules_engine.narration import book_name
from tests.exams.staffing import BOOK, NOON, TODAY, certify, days, staff
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
BY_HTMX = {"HX-Request": "true"}
NASTY = ['=cmd|" /C calc"!A0', "+351 900", "-1", "@soma", "#N/A", "\tx", "a\x07b"]


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> Any:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("exams.clock.now", made)
    return made


@pytest.fixture(autouse=True)
def _room(tmp_path: Path, settings: Any) -> Iterator[None]:
    settings.VAR_DIR = tmp_path
    yield


@pytest.fixture
def owner() -> User:
    return PersonFactory(roles=[Role.HR], language="en")


def ask(owner: User, format: str = "csv", what: str = "certificates", **filters: Any) -> Export:
    return exports.ask(owner, what=what, format=format, filters=Filters(**filters))


def made(owner: User, format: str = "csv", what: str = "certificates", **filters: Any) -> bytes:
    export = ask(owner, format, what, **filters)
    assert exports.make(export.pk)
    export.refresh_from_db()
    path = exports.file_of(export)
    assert path is not None
    assert export.size == path.stat().st_size
    assert export.done == export.total
    return path.read_bytes()


def files() -> list[str]:
    return sorted(path.name for path in exports.directory().iterdir())


def test_the_formats_say_the_same(owner: User) -> None:
    certify(staff("Ana", number="A-1", email="ana@casa.example", department="Banca"), ends=days(9), number="C-1")
    expected = [
        "C-1",
        "Ana",
        "ana@casa.example",
        "A-1",
        "Banca",
        "Chemin de fer",
        book_name(BOOK, "en"),
        "valid",
        "2026-11-16",
        "2026-11-25",
        "",
        "",
        "",
        "",
        "",
    ]
    rows = list(csv.reader(io.StringIO(made(owner).decode("utf-8-sig"))))
    assert rows[0][:3] == ["Certificate", "Name", "E-mail"]
    assert rows[1:] == [expected]
    sheet = load_workbook(io.BytesIO(made(owner, "xlsx"))).active
    told = [
        [cell.date().isoformat() if isinstance(cell, datetime) else cell or "" for cell in row]
        for row in sheet.iter_rows(values_only=True)
    ]
    assert told == rows
    (listed,) = json.loads(made(owner, "json"))
    codes = {"programme": "CDF-1", "scope": BOOK, "standing": "valid"}
    assert [value or "" for value in listed.values()] == [
        codes.get(name, value) for name, value in zip(listed, expected, strict=True)
    ]
    assert list(listed)[:2] == ["number", "name"]


def test_a_workbook_has_real_dates_a_filter_and_columns_wide_enough(owner: User) -> None:
    certify(staff("Ana"), ends=days(9))
    sheet: Any = load_workbook(io.BytesIO(made(owner, "xlsx"))).active
    titles = [cell.value for cell in sheet[1]]
    until = sheet.cell(2, titles.index("Valid until") + 1)
    assert until.is_date
    assert until.value.date() == days(9)
    assert sheet.auto_filter.ref == "A1:O2"
    assert sheet.column_dimensions["B"].width > len("Ana")


@pytest.mark.parametrize(("language", "delimiter"), [("pt", ";"), ("en", ",")])
def test_a_list_opens_in_the_readers_excel(language: str, delimiter: str) -> None:
    certify(staff("Ana"))
    text = made(PersonFactory(roles=[Role.HR], language=language))
    assert text.startswith(b"\xef\xbb\xbf")
    titles, row = csv.reader(io.StringIO(text.decode("utf-8-sig")), delimiter=delimiter)
    assert len(titles) == len(row) == 15
    assert book_name(BOOK, language) in row


def test_programs_read_the_same_in_every_language() -> None:
    certify(staff("Ana"), ends=days(9))
    clerk = PersonFactory(roles=[Role.HR], language="en")
    english = [made(clerk, "json", what) for what in ("certificates", "people", "roster")]
    clerk.language = "pt"
    assert [made(clerk, "json", what) for what in ("certificates", "people", "roster")] == english


def test_nobody_who_left_may_deal(owner: User) -> None:
    certify(staff("Ana", left_on=days(-1)))
    certify(staff("Rui", left_on=days(0)))
    said = {row["name"]: row["may_deal"] for row in json.loads(made(owner, "json", "people", staff="all"))}
    assert said == {"Ana": "", "Rui": BOOK} | {name: "" for name in said if name not in ("Ana", "Rui")}


def test_the_filters_of_the_page_are_the_filters_of_the_file(owner: User) -> None:
    certify(staff("Ana"), ends=days(9))
    certify(staff("Rui"))
    assert [row["name"] for row in json.loads(made(owner, "json", within=9))] == ["Ana"]
    assert [row["name"] for row in json.loads(made(owner, "json", "people", q="rui"))] == ["Rui"]


def test_a_roster_of_a_date(owner: User) -> None:
    certify(staff("Ana"), begins=days(5))
    export = exports.ask(owner, what="roster", format="json", filters=Filters(), on=days(5).isoformat())
    exports.make(export.pk)
    export.refresh_from_db()
    assert [row["name"] for row in json.loads((exports.directory() / export.file).read_bytes())] == ["Ana"]


@pytest.mark.parametrize("name", NASTY)
def test_no_cell_is_a_formula(owner: User, name: str) -> None:
    certify(staff(name))
    row = list(csv.reader(io.StringIO(made(owner).decode("utf-8-sig"), newline="")))[1]
    assert not row[1].startswith(("=", "+", "-", "@", "\t", "\r"))
    sheet = load_workbook(io.BytesIO(made(owner, "xlsx"))).active
    cell = sheet.cell(2, 2)
    assert (cell.data_type, cell.value) == ("s", name.replace("\x07", ""))


def test_a_zip_has_the_pdf_of_each_certificate(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = certify(staff("Ana", number="A-1")), certify(staff("Rui", number="A-2"))
    content = made(owner, "zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        names = {f"{one.number}.pdf", f"{two.number}.pdf"}
        assert {*archive.namelist()} == {*names, "index.csv"}
        assert all(archive.read(name).startswith(b"%PDF-") for name in names)
        index = list(csv.reader(io.StringIO(archive.read("index.csv").decode("utf-8-sig"))))
    assert [row[:3] for row in index[1:]] == [[f"{one.number}.pdf", "Ana", "A-1"], [f"{two.number}.pdf", "Rui", "A-2"]]


def test_people_have_a_column_for_every_game_and_the_first_day_to_end(owner: User) -> None:
    ana = staff("Ana", licence_number="SRIJ-7", licence_until=days(3))
    certify(ana, ends=days(700))
    certify(ana, ends=days(20), scope=("pt-black-jack",))
    certify(ana, ends=days(10), scope=("pt-black-jack",))  # a longer one of the same game counts
    (found,) = [row for row in json.loads(made(owner, "json", "people")) if row["name"] == "Ana"]
    assert (found["valid_until"], found["until_black_jack"]) == (days(20).isoformat(),) * 2
    assert (found["until_chemin_de_fer"], found["until_craps"]) == (days(700).isoformat(), None)
    assert (found["licence_number"], found["licence_until"]) == ("SRIJ-7", days(3).isoformat())


def test_people_and_files_are_sorted_by_the_first_certificate_to_end(owner: User) -> None:
    both, late, over = staff("Ana"), staff("Rui"), staff("Eva")
    certify(both, ends=days(700))
    certify(both, ends=days(20), scope=("pt-black-jack",))
    certify(late, ends=days(300))
    certify(over, begins=days(-9), ends=days(-5))
    names = [row["name"] for row in json.loads(made(owner, "json", "people", sort="until"))]
    assert names[:2] == ["Ana", "Rui"] and "Eva" in names
    assert [row["name"] for row in json.loads(made(owner, "json", "people", sort="until", rulebook=BOOK))] == [
        "Rui",
        "Ana",
        *([] if "Eva" not in names else ["Eva"]),
    ]


def test_an_archive_of_no_certificate_is_told_and_is_no_file(hr: Client) -> None:
    certify()
    staff(department="Banca")
    hr.post("/hr/exports/", {"what": "certificates", "format": "zip", "query": "department=Banca"})
    export = Export.objects.get()
    assert exports.make(export.pk)
    User.objects.update(language="en")
    for page in ("/hr/exports/", f"/hr/exports/{export.pk}/"):
        body = hr.get(page, headers=BY_HTMX if page.endswith(f"{export.pk}/") else {}).content.decode()
        assert "There is nothing to export" in body and ">empty<" in body
        assert "Download" not in body and "available until" not in body
    assert hr.get(f"/hr/exports/{export.pk}/file/").status_code == 404


def test_the_file_is_the_owners_alone_and_of_no_guessable_name(client: Client, owner: User) -> None:
    certify()
    export = ask(owner)
    exports.make(export.pk)
    address = f"/hr/exports/{export.pk}/file/"
    client.force_login(owner)
    answer = client.get(address)
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer.getvalue().startswith("\ufeff".encode())
    (name,) = files()
    assert len(name) >= 32
    assert (exports.directory() / name).stat().st_mode & 0o077 == 0
    client.force_login(PersonFactory(roles=[Role.HR]))
    for way in ("", "cancel/", "file/"):
        assert client.get(f"/hr/exports/{export.pk}/{way}").status_code in (404, 405)
    assert client.post(f"/hr/exports/{export.pk}/cancel/").status_code == 404


def test_it_expires_after_a_day_to_the_second(owner: User, clock: Clock) -> None:
    certify()
    export = ask(owner)
    exports.make(export.pk)
    export.refresh_from_db()
    clock.now = NOON + timedelta(hours=24) - timedelta(seconds=1)
    exports.sweep()
    assert exports.file_of(export) is not None
    clock.now = NOON + timedelta(hours=24)
    assert exports.file_of(export) is None
    exports.sweep()
    export.refresh_from_db()
    assert (export.state, export.file, files()) == ("expired", "", [])


def test_cancelling_stops_within_a_batch(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_files, "BATCH", 2)
    for _ in range(9):
        certify()
    export = ask(owner)
    written: list[int] = []
    real = export_files._shown

    def shown(value: Any) -> Any:
        written.append(1)
        if len(written) == 15 * 3:  # in the third row
            exports.cancel(export)
        return real(value)

    monkeypatch.setattr(export_files, "_shown", shown)
    assert not exports.make(export.pk)
    export.refresh_from_db()
    assert (export.state, export.done, files()) == ("cancelled", 2, [])
    assert len(written) == 15 * 4
    assert not exports.cancel(export)


def test_a_killed_job_is_taken_up_again_and_ends_with_one_whole_file(
    owner: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    certify()
    export = ask(owner)
    # A worker took it, wrote a part and was killed.
    taken = exports._taken_up(export.pk)
    assert taken is not None
    (exports.directory() / f"{taken.file}.part").write_text("half")
    woken: list[str] = []
    monkeypatch.setattr("exams.hr.exports._wake", lambda found: woken.append(str(found.pk)))
    exports.sweep()
    assert not exports.make(export.pk), "its worker may still be alive"
    clock.now = NOON + exports.SILENT + timedelta(seconds=1)
    exports.sweep()
    assert woken == [str(export.pk)]
    assert exports.make(export.pk)
    export.refresh_from_db()
    assert export.state == "done"
    assert export.file in files()
    # The first worker was only slow: it must notice that the job is no longer its own.
    with pytest.raises(exports.Stopped):
        exports._finish(taken, exports.directory() / f"{taken.file}.part")
    assert files() == [export.file]


def test_what_killed_workers_left_is_cleared_away_after_a_day(owner: User, clock: Clock) -> None:
    left = exports.directory() / "left.part"
    left.write_text("half")
    os.utime(left, (NOON.timestamp(), NOON.timestamp()))
    clock.now = NOON + timedelta(hours=24)
    exports.sweep()
    assert files() == ["left.part"]
    clock.now += timedelta(seconds=1)
    exports.sweep()
    assert files() == []


def test_a_job_that_dies_again_and_again_is_given_up(owner: User, clock: Clock) -> None:
    export = ask(owner)
    for _ in range(exports.MAX_FAILURES):
        assert exports._taken_up(export.pk)
        clock.now += exports.SILENT + timedelta(seconds=1)
    exports.sweep()
    export.refresh_from_db()
    assert export.state == "failed"


def test_a_fault_is_told_and_leaves_no_file(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    certify()
    monkeypatch.setattr(export_files, "write_csv", lambda *_: 1 / 0)
    export = ask(owner)
    assert not exports.make(export.pk)
    export.refresh_from_db()
    assert (export.state, files()) == ("failed", [])


def test_a_message_that_was_lost_is_sent_again(owner: User, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    export = ask(owner)
    woken: list[str] = []
    monkeypatch.setattr("exams.hr.exports._wake", lambda found: woken.append(str(found.pk)))
    clock.now = NOON + exports.OVERDUE
    exports.sweep()
    assert woken == []
    clock.now += timedelta(seconds=1)
    exports.sweep()
    assert woken == [str(export.pk)]


def test_so_many_at_once_and_no_more(owner: User) -> None:
    made = [ask(owner) for _ in range(exports.MOST_AT_ONCE)]
    with pytest.raises(Refused, match="Já estão a ser feitas 3 exportações suas;"):
        ask(owner)
    exports.cancel(made[0])
    ask(owner)


def test_pdfs_are_of_certificates_and_exports_of_hr(owner: User) -> None:
    with pytest.raises(Refused, match=r"Só os certificados existem em PDF\."):
        ask(owner, "zip", "people")
    with pytest.raises(Refused, match=r"Só os recursos humanos exportam\."):
        ask(PersonFactory(roles=[Role.ADMINISTRATOR]))


# ---- pages


@pytest.fixture
def hr(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.HR)


def test_the_page_asks_with_the_filters_of_the_list(hr: Client) -> None:
    sent = {"what": "certificates", "format": "xlsx", "query": "department=Banca&within=30"}
    staff(department="Banca")
    assert hr.post("/hr/exports/", sent).status_code == 302
    export = Export.objects.get()
    assert export.filters == {"department": "Banca", "within": 30}
    assert (export.owner, export.format) == (hr.person, "xlsx")  # type: ignore[attr-defined]
    assert hr.post("/hr/exports/", sent | {"format": "exe"}).status_code == 422


NOTHING_FITS = {
    "rulebook": "pt-nenhum",
    "standing": "nenhum",
    "within": "muitos",
    "department": "Departamento de ninguém",
    "staff": "ninguém",
    "sort": "ao acaso",
}


@pytest.mark.parametrize("every", ["", "day"])
@pytest.mark.parametrize(
    ("what", "filters"),
    [
        ("people", NOTHING_FITS),
        ("certificates", NOTHING_FITS),
        ("roster", {"rulebook": "pt-nenhum", "shift": "nunca", "on": "ontem"}),
    ],
)
def test_a_filter_that_fits_nothing_makes_no_file_of_everybody(
    hr: Client, every: str, what: str, filters: dict[str, str]
) -> None:
    certify(staff("Ana"))
    for name, value in filters.items():
        sent = {"what": what, "format": "csv", "query": f"{name}={value}", "every": every}
        answer = hr.post("/hr/exports/", sent)
        assert answer.status_code == 422, name
        assert "há um filtro que não corresponde a nada: " in answer.content.decode(), name
    assert not Export.objects.exists()
    assert not Schedule.objects.exists()


@pytest.mark.parametrize("what", ["people", "certificates"])
@pytest.mark.parametrize(
    "wanted", [{"q": "ninguém com este nome"}, {"department": "De ninguém"}, {"standing": "withdrawn"}, {"within": 0}]
)
def test_a_filter_that_nobody_fits_makes_a_file_of_nobody(owner: User, what: str, wanted: dict[str, Any]) -> None:
    certify(staff("Ana"))
    assert json.loads(made(owner, "json", what, **wanted)) == []


def test_the_bar_asks_again_while_it_is_made_and_then_no_more(hr: Client) -> None:
    certify()
    hr.post("/hr/exports/", {"what": "roster", "format": "csv", "query": f"on={TODAY.isoformat()}"})
    export = Export.objects.get()
    assert f'hx-get="/hr/exports/{export.pk}/"' in hr.get("/hr/exports/").content.decode()
    assert hr.get(f"/hr/exports/{export.pk}/").headers["Location"] == "/hr/exports/"  # no page of its own
    assert "<progress" in hr.get(f"/hr/exports/{export.pk}/", headers=BY_HTMX).content.decode()
    exports.make(export.pk)
    after = hr.get(f"/hr/exports/{export.pk}/", headers=BY_HTMX).content.decode()
    assert "hx-get" not in after
    assert f"/hr/exports/{export.pk}/file/" in after
