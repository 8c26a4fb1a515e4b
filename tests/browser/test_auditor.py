"""An auditor follows a certificate back to every act, person and reason, by clicking alone."""

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.appeals import objections
from exams.audit.models import Entry
from exams.certificates import services
from exams.certificates.models import Act, Certificate
from exams.programmes import duties
from tests.browser.drilling import enter as sign_in
from tests.browser.walking import troubles
from tests.exams.certifying import add_result, make_certificate
from tests.factories import PersonFactory
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WHY, WAIVED = "Faltou três vezes sem avisar.", "Só há uma pessoa nos recursos humanos."
TEXT, REPLY = "Estive de baixa nesses três dias.", "A baixa está provada: o certificado é reposto."


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    yield made
    made.close()


@pytest.fixture
def certificate(transactional_db: None) -> Certificate:
    """Suspended by somebody, contested, reinstated; a duty was waived, and the exam was decided again."""
    people = {
        name: PersonFactory(roles=[role], name=name)
        for name, role in (
            ("Teresa Alvim", Role.HR),
            ("Ivo Justo", Role.INSTRUCTOR),
            ("Rui Juiz", Role.ADMINISTRATOR),
            ("Eva Guarda", Role.ADMINISTRATOR),
        )
    }
    made = make_certificate(person=PersonFactory(name="Inês Conceição"))
    duties.sign(duties.ask("withdraw", by=people["Rui Juiz"], reason=WAIVED), by=people["Eva Guarda"])
    services.suspend(certificate=made, actor=people["Teresa Alvim"], reason=WHY)
    act = Act.objects.get(certificate=made, kind="suspend")
    lodged = objections.lodge(made.holder, "suspension", str(act.pk), TEXT)
    objections.decide(lodged, people["Ivo Justo"], upheld=True, reply=REPLY)
    objections.carry_out(lodged, people["Teresa Alvim"], done="O certificado foi reposto em vigor.")
    assert made.result
    at = timezone.now()
    add_result(made.result.sitting, decided_by=people["Rui Juiz"], decided_at=at, reason="Depois de nova correção.")
    return made


def look(page: Page) -> None:
    """Nothing on the page acts, and nothing is broken."""
    expect(page.locator("main form[method=post]")).to_have_count(0)
    assert troubles(page) == []


def test_an_auditor_follows_a_certificate_back(
    certificate: Certificate, context: BrowserContext, live_server: LiveServer
) -> None:
    auditor = PersonFactory(roles=[Role.AUDITOR], language="en")
    sign_in(context, auditor, live_server)
    page, failed = context.new_page(), []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{live_server.url}/hr/")
    page.get_by_role("link", name="Inês Conceição").first.click()
    look(page)
    page.get_by_role("link", name=re.compile("Trace it back")).click()
    trail = page.url
    look(page)
    for told in (
        WHY,
        WAIVED,
        "Teresa Alvim",
        "Eva Guarda",
        "O certificado foi reposto em vigor.",
        "no longer in force",
    ):
        expect(page.get_by_text(told).first).to_be_visible()
    for entry in Entry.objects.filter(act__in=["certificate.suspend", "objection.upheld", "duty.lifted"]):
        expect(page.get_by_role("cell", name=str(entry.number), exact=True)).to_be_visible()

    page.get_by_role("link", name=re.compile("Appeal against a suspension")).click()
    for told in (TEXT, REPLY, "Ivo Justo"):
        expect(page.get_by_text(told).first).to_be_visible()
    look(page)

    page.goto(trail)
    page.get_by_role("link", name=re.compile("The exam and its result 1")).click()
    expect(page.get_by_text("This result is no longer in force.")).to_be_visible()
    look(page)
    page.get_by_role("link", name="See result 2").click()
    expect(page.get_by_text("Depois de nova correção.").first).to_be_visible()
    expect(page.get_by_text("Rui Juiz").first).to_be_visible()
    look(page)

    assert certificate.result
    session = certificate.result.sitting.candidate.session
    page.goto(trail)
    page.get_by_role("link", name=session.title, exact=True).first.click()
    expect(page.get_by_text(session.created_by.name).first).to_be_visible()
    look(page)
    page.get_by_role("link", name="Candidates").first.click()
    expect(page.get_by_text("Inês Conceição").first).to_be_visible()
    look(page)

    page.goto(trail)
    page.get_by_role("link", name=re.compile("Version 1")).click()
    look(page)
    page.get_by_role("link", name="Setting the pass mark").click()
    look(page)
    page.goto(trail)
    page.get_by_role("link", name="Separation of duties").first.click()
    expect(page.get_by_text(WAIVED)).to_be_visible()
    look(page)
    page.goto(trail)
    page.get_by_role("link", name="Check that nothing in the log was changed").click()
    expect(page.get_by_text("are intact").first).to_be_visible(timeout=30_000)
    assert failed == []


def test_the_menu_of_an_auditor_leads_only_to_pages_to_read(
    certificate: Certificate, context: BrowserContext, live_server: LiveServer
) -> None:
    sign_in(context, PersonFactory(roles=[Role.AUDITOR], language="en"), live_server)
    page = context.new_page()
    page.goto(live_server.url)
    addresses = page.locator("header nav a").evaluate_all("links => [...new Set(links.map(link => link.href))]")
    assert len(addresses) >= 8
    for address in addresses:
        answer = page.goto(address)
        assert answer and answer.ok, address
        look(page)
