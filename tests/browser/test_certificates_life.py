"""From the grant to the withdrawal as people see it: mailed, shown on the phone, checked, said on the PDF."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.conf import settings
from django.core import mail
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.certificates import withdrawal
from exams.certificates.models import Certificate
from tests.browser.drilling import enter as sign_in
from tests.browser.walking import troubles
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from tests.running import until
from training.mail.courier import deliver
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def granted(live_server: LiveServer, settings: Any) -> Certificate:
    settings.PUBLIC_URL = live_server.url
    return make_certificate(person=PersonFactory(name="Inês Conceição", language="en", roles=[Role.TRAINEE]))


@pytest.fixture
def contexts(chromium: Browser, live_server: LiveServer) -> Iterator[list[BrowserContext]]:
    opened = [chromium.new_context(base_url=live_server.url, locale="en-GB") for _each in range(3)]
    yield opened
    for context in opened:
        context.close()


def mailed(to: User) -> tuple[str, str]:
    """Subject and link to the certificate of the last mail to somebody, as it went out."""
    deliver()
    sent = [letter for letter in mail.outbox if letter.to == [to.email]][-1]
    return str(sent.subject), next(word for word in str(sent.body).split() if "#c-" in word)


def words_of(page: Page, path: Path) -> str:
    with page.expect_download() as begun:
        page.get_by_role("link", name="Certificate (PDF)").click()
    begun.value.save_as(path)
    with pypdfium2.PdfDocument(path) as opened:
        return " ".join(opened[0].get_textpage().get_text_bounded().split())


def test_granted_mailed_checked_withdrawn(
    granted: Certificate, contexts: list[BrowserContext], live_server: LiveServer, tmp_path: Path
) -> None:
    holder, officer, stranger = (context.new_page() for context in contexts)
    sign_in(contexts[0], granted.holder, live_server)
    clerk = PersonFactory(roles=[Role.HR], language="en")
    sign_in(contexts[1], clerk, live_server)

    subject, link = mailed(granted.holder)
    assert subject == f"Your certificate {granted.number} has been issued"
    holder.goto(link)
    assert "WITHDRAWN" not in words_of(holder, tmp_path / "granted.pdf")
    holder.get_by_role("link", name="Show or share").click()
    assert troubles(holder) == []
    drawn = holder.locator(".to-scan svg").bounding_box()
    assert drawn is not None
    assert drawn["width"] >= 240, "large enough for a camera, on the phone too"
    stranger.goto(holder.get_by_label("Public address").input_value())
    expect(stranger.get_by_role("heading", name="This certificate is valid today.")).to_be_visible()

    officer.goto(f"/hr/people/{granted.holder_id}/")
    assert "WITHDRAWN" not in words_of(officer, tmp_path / "of-hr.pdf")
    officer.get_by_role("link", name=f"Withdraw {granted.number}").click()
    officer.get_by_label("Reason").fill("Paid against the inspector's decision")
    officer.get_by_role("button", name="Withdraw it").click()
    officer.wait_for_load_state()
    until("the withdrawal is asked for", lambda: withdrawal.waiting().exists())
    withdrawal.confirm(withdrawal.waiting().get(), by=second_person())

    stranger.reload()
    expect(stranger.get_by_role("heading", name="This certificate was withdrawn")).to_be_visible()
    subject, link = mailed(granted.holder)
    assert subject == f"Your certificate {granted.number} has been withdrawn"
    holder.goto(link)
    said = words_of(holder, tmp_path / "withdrawn.pdf")
    assert "it no longer entitles its holder to deal" in said
    assert "WITHDRAWN" in said


def test_the_house_and_the_register_are_open_to_everybody(
    granted: Certificate, contexts: list[BrowserContext], live_server: LiveServer
) -> None:
    """At both widths, in light and dark, and with the holder's own page before."""
    holder, administrator, stranger = (context.new_page() for context in contexts)
    sign_in(contexts[0], granted.holder, live_server)
    sign_in(contexts[1], PersonFactory(roles=[Role.ADMINISTRATOR], language="en"), live_server)
    holder.goto("/certificates/")
    holder.get_by_role("button", name="Join the register").click()
    expect(holder.get_by_role("button", name="Leave the register")).to_be_visible()
    assert troubles(holder) == []
    stranger.goto("/register/")
    expect(stranger.get_by_role("rowheader", name="Inês Conceição")).to_be_visible()
    assert troubles(stranger) == []
    administrator.goto("/house/")
    administrator.get_by_label("Name of signatory 1").fill("Amélia Torrado")
    administrator.get_by_role("button", name="Save").click()
    expect(administrator.get_by_text("Say in what capacity this person signs")).to_have_count(len(settings.LANGUAGES))
    assert troubles(administrator) == []
