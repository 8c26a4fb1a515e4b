"""An evening at the HR desk: find somebody, take lists along, suspend a certificate, and everybody knows at once."""

import io
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from exams import clock
from exams.certificates import keys
from exams.certificates.check import Worthless, check
from exams.certificates.models import Certificate
from exams.certificates.signature import open_signed
from tests.exams.staffing import certify, staff
from tests.factories import PASSWORD, PersonFactory
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _room(tmp_path: Path, settings: Any) -> Iterator[None]:
    settings.VAR_DIR = tmp_path
    yield


def sign_in(page: Page, live_server: LiveServer) -> None:
    person = PersonFactory(roles=[Role.HR])
    page.goto(f"{live_server.url}/account/login/?next=/hr/")
    page.locator("[name=login]").fill(person.email)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_url("**/hr/")


def exported(page: Page, kind: str) -> bytes:
    """Ask for a file on the desk and fetch it when its bar has gone."""
    page.locator("[name=format]").select_option(kind)
    page.locator(".export-form button").click()
    page.wait_for_url("**/hr/exports/")
    done = page.locator("article").first.locator("a.button")
    expect(done).to_be_visible(timeout=30_000)  # in the place of the progress bar, without a reload
    with page.expect_download() as download:
        done.click()
    path = download.value.path()
    return Path(path).read_bytes()


def held(name: str) -> Certificate:
    return certify(staff(name, department="Banca francesa"), begins=clock.today() - timedelta(days=9))


def test_hr_filters_exports_suspends_and_everybody_knows(page: Page, live_server: LiveServer, worker: None) -> None:
    joao, other = held("João Guimarães"), held("Ana Prates")
    sign_in(page, live_server)
    page.locator("[name=q]").fill("guimaraes")
    page.locator("form.filters button").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    assert "q=guimaraes" in page.url
    filtered = page.url
    # What holders took home before anything happened.
    credentials = {
        each.pk: page.request.get(f"{live_server.url}/certificates/{each.pk}/credential.jwt").text()
        for each in (joao, other)
    }

    sheet = load_workbook(io.BytesIO(exported(page, "xlsx"))).active
    assert [row[0] for row in sheet.iter_rows(min_row=2, values_only=True)] == [joao.number]
    page.goto(filtered)
    with zipfile.ZipFile(io.BytesIO(exported(page, "zip"))) as archive:
        assert archive.namelist() == [f"{joao.number}.pdf", "indice.csv"]
        assert archive.read(f"{joao.number}.pdf").startswith(b"%PDF-")

    page.goto(filtered)
    page.locator("tbody th a").click()
    page.locator(f"a[href='/hr/certificates/{joao.pk}/suspend/']").click()
    page.locator("[name=reason]").fill("Queixa em averiguação.")
    page.locator("main form button").click()
    page.wait_for_url(f"**/hr/people/{joao.holder_id}/")
    expect(page.locator(".badge.warn").first).to_be_visible()
    page.goto(f"{live_server.url}/hr/tonight/")
    assert page.locator("tbody th").all_inner_texts() == ["Ana Prates"]
    assert standing(page, live_server, joao) == "suspended"
    assert standing(page, live_server, other) == "valid"
    named = [
        entry["statusListCredential"]
        for entry in open_signed(credentials[other.pk], keys.published())["credentialStatus"]
    ]
    published = [page.request.get(live_server.url + urlsplit(one).path).text() for one in named]
    assert check(credentials[other.pk], keys.published(), on=clock.today(), lists=published).holder == "Ana Prates"
    with pytest.raises(Worthless, match="it is suspended"):
        check(credentials[joao.pk], keys.published(), on=clock.today(), lists=published)


def standing(page: Page, live_server: LiveServer, certificate: Certificate) -> str:
    """What a stranger learns from the public check."""
    return str(page.request.get(f"{live_server.url}/c/{certificate.code}.json").json()["standing"])


def test_an_export_is_cancelled_on_the_page(page: Page, live_server: LiveServer) -> None:
    """Without a worker: it waits for ever."""
    held("Ana Prates")
    sign_in(page, live_server)
    page.locator(".export-form button").click()
    page.wait_for_url("**/hr/exports/")
    expect(page.locator("progress")).to_be_visible()
    page.locator("article form button").click()
    expect(page.locator("progress")).to_have_count(0)
