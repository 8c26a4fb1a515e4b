"""A holder downloads the certificate; a stranger reads the QR code from the printed page and learns its worth."""

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.certificates import check, keys, services
from exams.certificates.models import Certificate
from tests.exams.certifying import make_certificate
from tests.factories import PASSWORD, PersonFactory
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PRINTER = 300 / 72  # dots for each point


@pytest.fixture
def certificate(live_server: LiveServer, settings: Any) -> Certificate:
    settings.PUBLIC_URL = live_server.url
    return make_certificate(person=PersonFactory(name="Inês Conceição"))


def read_from_paper(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as opened:
        drawn = opened[0].render(scale=PRINTER, grayscale=True)
        image = memoryview(bytes(drawn.buffer)).cast("B", shape=[drawn.height, drawn.stride])
        (found,) = zxingcpp.read_barcodes(image)
    return found.text


def test_from_the_holder_to_a_stranger(
    page: Page, chromium: Browser, live_server: LiveServer, certificate: Certificate, tmp_path: Path
) -> None:
    page.goto(f"{live_server.url}/account/login/?next=/certificates/")
    page.get_by_label("E-mail").fill(certificate.holder.email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()
    expect(page.locator("dd", has_text=certificate.number)).to_be_visible()
    page.get_by_text("Para carteiras digitais e perfis").click()
    paths = []
    for link in page.locator("a[download]").all():
        with page.expect_download() as download:
            link.click()
        paths.append(tmp_path / download.value.suggested_filename)
        download.value.save_as(paths[-1])
    pdf, _png, _svg, jwt = paths
    assert [path.suffix for path in paths] == [".pdf", ".png", ".svg", ".jwt"]
    assert check.check(jwt.read_text(), keys.published(), on=timezone.localdate()).holder == "Inês Conceição"

    stranger = chromium.new_context(locale="en-GB").new_page()
    stranger.goto(read_from_paper(pdf))
    expect(stranger.get_by_text("Inês Conceição")).to_be_visible()
    expect(stranger.locator(".certificate.good")).to_be_visible()
    services.suspend(certificate=certificate, actor=PersonFactory(roles=[Role.HR]), reason="Queixa")
    stranger.reload()
    expect(stranger.locator(".certificate.warn")).to_be_visible()
    stranger.goto(f"{live_server.url}/c/")
    stranger.get_by_role("textbox").fill("AAAA-AAAA-AAAA")
    stranger.get_by_role("textbox").press("Enter")
    expect(stranger.locator(".notice.warning")).to_be_visible()
    stranger.context.close()
