"""HR exports and suspends, the holder downloads, a stranger scans the printed page: in real browsers, with a worker."""

import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pypdfium2
import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.certificates.check import GOOD, WORTHLESS
from exams.certificates.models import Certificate
from exams.certificates.signature import bit_of, open_signed
from exams.hr import export_files
from exams.hr.models import StaffRecord
from exams.programmes.models import ProgrammeVersion
from tests.browser.drilling import enter as sign_in
from tests.browser.test_certificates import read_from_paper
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory
from tests.running import ROOT
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REASON = "Complaint of the 14th, being looked into"
HALFWAY = 2
NAMES = ("Álvaro Brandão", "Inês Conceição", "Noé d'Ávila", "Úrsula Simões")
Visit = Callable[[User | None], Page]


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer, settings: Any) -> Iterator[Visit]:
    """A new browser for a person, or for a stranger who has no session; what it complains about fails the test."""
    settings.PUBLIC_URL = live_server.url
    opened: list[BrowserContext] = []
    errors: list[str] = []

    def new(person: User | None) -> Page:
        context = chromium.new_context(base_url=live_server.url, locale="en-GB", timezone_id="Europe/Lisbon")
        opened.append(context)
        if person is not None:
            sign_in(context, person, live_server)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        return page

    yield new
    for context in opened:
        context.close()
    assert errors == []


@pytest.fixture
def halfway(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Exports count every row and stop after some, so that the bar can be seen halfway, until the event is set."""
    go_on, count = Event(), export_files._counted

    def held(rows: Any, progress: export_files.Progress, _batch: int) -> Iterator[Any]:
        def slow() -> Iterator[Any]:
            for number, row in enumerate(rows):
                assert number != HALFWAY or go_on.wait(60)
                yield row

        yield from count(slow(), progress, 1)

    monkeypatch.setattr(export_files, "_counted", held)
    yield go_on
    go_on.set()


def dealer(name: str, department: str, version: ProgrammeVersion) -> Certificate:
    person = PersonFactory(name=name, roles=[Role.TRAINEE], language="en")
    StaffRecord.objects.create(person=person, staff_number=f"S{person.pk:05d}", department=department)
    return make_certificate(version, person)


def download(page: Page, click: Callable[[], None], folder: Path) -> Path:
    with page.expect_download() as begun:
        click()
    path = folder / begun.value.suggested_filename
    begun.value.save_as(path)
    return path


def begin_export(page: Page, format: str, halfway: Event) -> Locator:
    """Ask for what the page shows and wait until the bar is halfway; the export as the page shows it."""
    halfway.clear()
    page.get_by_label("As", exact=True).select_option(format)
    page.get_by_role("button", name="Make the file").click()
    newest = page.locator("main article").first
    bar = newest.get_by_role("progressbar")
    expect(bar).to_have_attribute("value", str(HALFWAY), timeout=20_000)
    expect(bar).to_have_attribute("max", str(len(NAMES)))
    expect(newest.get_by_role("link", name="Download")).to_have_count(0)
    return newest


def export(page: Page, format: str, halfway: Event, folder: Path) -> Path:
    newest = begin_export(page, format, halfway)
    halfway.set()
    expect(newest.get_by_text("ready", exact=True)).to_be_visible(timeout=20_000)
    expect(newest.get_by_role("progressbar")).to_have_count(0)
    return download(page, newest.get_by_role("link", name="Download").click, folder)


def cancel(page: Page, halfway: Event) -> None:
    """Give an export up while it is being made."""
    newest = begin_export(page, "csv", halfway)
    newest.get_by_role("button", name="Cancel").click()
    expect(newest.get_by_text("cancelled", exact=True)).to_be_visible()
    halfway.set()
    page.reload()
    expect(newest.get_by_text("cancelled", exact=True)).to_be_visible()
    expect(newest.get_by_role("link", name="Download")).to_have_count(0)


def filter_desk(page: Page) -> None:
    page.goto("/hr/")
    page.get_by_label("Department").select_option("Floor")
    page.get_by_label("Status").select_option("valid")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text(f"{len(NAMES)} people")).to_be_visible()


def act(page: Page, certificate: Certificate, name: str, reason: str) -> None:
    page.goto(f"/hr/people/{certificate.holder_id}/")
    page.get_by_role("link", name=f"{name} {certificate.number}").click()
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name=f"{name} it").click()
    expect(page.get_by_text("Done and recorded")).to_be_visible()


def fetch(page: Page, address: str, path: Path) -> str:
    """What a program finds at a public address, kept as a file."""
    answer = page.request.get(address)
    assert answer.ok, address
    path.write_bytes(answer.body())
    return answer.text()


def check_offline(jwt: Path, folder: Path) -> tuple[int, str]:
    """The command, in a process of its own and without a network, with the files as they were fetched."""
    lists = [part for path in sorted(folder.glob("*.list")) for part in ("--status", str(path))]
    done = subprocess.run(
        [sys.executable, "-m", "exams.certificates.check", str(jwt), "--keys", str(folder / "jwks.json"), *lists],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def published_bit(page: Page, jwt: Path, folder: Path) -> bool:
    """Fetch the keys and the status lists that the credential names; whether it is suspended. It is never revoked."""
    keys = msgspec.json.decode(fetch(page, "/.well-known/jwks.json", folder / "jwks.json"))
    bits = {}
    for entry in open_signed(jwt.read_text(), keys)["credentialStatus"]:
        purpose = entry["statusPurpose"]
        told = open_signed(fetch(page, entry["statusListCredential"], folder / f"{purpose}.list"), keys)
        bits[purpose] = bit_of(told["credentialSubject"]["encodedList"], int(entry["statusListIndex"]))
    assert not bits["revocation"]
    return bits["suspension"]


def test_exports_a_suspension_and_a_stranger(worker: None, visit: Visit, halfway: Event, tmp_path: Path) -> None:
    version = making.make_version()
    held = {name: dealer(name, "Floor", version) for name in NAMES}
    other = dealer("Olga Outra", "Bar", version)
    chosen = held["Inês Conceição"]
    officer = visit(PersonFactory(name="Rita Recursos", roles=[Role.HR], language="en"))

    # HR filters and takes what fits with them, as a table and as documents.
    filter_desk(officer)
    address = officer.url
    expect(officer.locator("main tbody")).not_to_contain_text(other.number)
    sheet = load_workbook(export(officer, "xlsx", halfway, tmp_path), read_only=True).worksheets[0]
    titles, *rows = sheet.iter_rows(values_only=True)
    assert titles[:2] == ("Certificate", "Name")
    assert [row[:2] for row in rows] == [(held[name].number, name) for name in NAMES]
    officer.goto(address)
    with zipfile.ZipFile(export(officer, "zip", halfway, tmp_path)) as archive:
        assert archive.testzip() is None
        documents = {name: archive.read(name) for name in archive.namelist()}
    assert set(documents) == {f"{certificate.number}.pdf" for certificate in held.values()} | {"index.csv"}
    for name, certificate in held.items():
        with pypdfium2.PdfDocument(documents[f"{certificate.number}.pdf"]) as opened:
            assert len(opened) == 1
            assert name in opened[0].get_textpage().get_text_bounded()

    officer.goto(address)
    cancel(officer, halfway)

    # The holder takes the document and the credential home.
    holder = visit(chosen.holder)
    holder.goto("/certificates/")
    pdf = download(holder, holder.get_by_role("link", name="Certificate (PDF)").click, tmp_path)
    holder.get_by_text("For wallets and profiles").click()
    jwt = download(holder, holder.get_by_role("link", name="Digital credential").click, tmp_path)
    assert pdf.read_bytes() == documents[f"{chosen.number}.pdf"]

    # A stranger scans the printed page.
    stranger = visit(None)
    stranger.goto(read_from_paper(pdf))
    expect(stranger.get_by_role("heading", name="This certificate is valid today.")).to_be_visible()
    expect(stranger.get_by_text(chosen.number)).to_be_visible()
    assert not published_bit(stranger, jwt, tmp_path)
    code, words = check_offline(jwt, tmp_path)
    assert code == GOOD, words
    assert "status lists checked: revocation, suspension" in words

    # The very next question after the suspension is answered by it, everywhere.
    act(officer, chosen, "Suspend", REASON)
    stranger.reload()
    expect(stranger.get_by_role("heading", name="This certificate is suspended")).to_be_visible()
    expect(stranger.locator("body")).not_to_contain_text(REASON)
    assert published_bit(stranger, jwt, tmp_path)
    code, words = check_offline(jwt, tmp_path)
    assert (code, "it is suspended" in words) == (WORTHLESS, True), words
    holder.reload()
    expect(holder.get_by_text(REASON)).to_be_visible()
    filtered = officer.request.get(address).text()
    assert chosen.number not in filtered

    act(officer, chosen, "Reinstate", "The complaint had no ground")
    stranger.reload()
    expect(stranger.get_by_role("heading", name="This certificate is valid today.")).to_be_visible()
    assert not published_bit(stranger, jwt, tmp_path)
    assert check_offline(jwt, tmp_path)[0] == GOOD
    assert stranger.context.cookies() == []
