"""A new version of the law in real browsers: human resources read what changes and draft the refresher, an
administrator puts it in force, and a holder of the old version learns what changed."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.programmes.models import ProgrammeVersion
from tests.amending import NEW, OLD, amended
from tests.browser.drilling import enter as sign_in
from tests.exams.making import judged
from tests.exams.new_law import holder_of
from tests.factories import PersonFactory
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Visit = Callable[[User], Page]
WIDTHS = (390, 1366)


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer) -> Iterator[Visit]:
    """A new browser in which this person is signed in; what it complains about fails the test."""
    opened, errors = [], []

    def new(person: User) -> Page:
        context = chromium.new_context(base_url=live_server.url, locale="pt-PT", timezone_id="Europe/Lisbon")
        opened.append(context)
        sign_in(context, person, live_server)
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        return page

    with amended():
        yield new
        for context in opened:
            context.close()
    assert errors == []


def fits(page: Page, name: str) -> None:
    """Nothing is wider than the window, on a phone and on a desktop."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_from_the_list_of_holders_to_the_lesson(visit: Visit) -> None:
    holder = holder_of(name="Rita Vaz").holder
    desk = visit(PersonFactory(roles=[Role.HR]))
    desk.goto("/hr/")
    desk.get_by_role("link", name="Lei nova").click()
    expect(desk.get_by_role("row", name="Rita Vaz")).to_contain_text("ainda não")
    fits(desk, "holders")
    desk.get_by_role("link", name="O que muda com a nova versão").click()
    expect(desk.get_by_text("A aposta máxima é de 50 vezes a mínima.")).to_be_visible()
    expect(desk.get_by_text("«Seguros, por favor»")).to_be_visible()
    fits(desk, "changes")
    desk.get_by_role("link", name="Ver o caso jogado pelos dois").first.click()
    expect(desk.get_by_role("heading", name="Portugal 2026")).to_be_visible()
    fits(desk, "played")
    desk.goto(f"/programmes/refresher/{NEW}/")
    fits(desk, "refresher")
    desk.get_by_role("button", name="Criar o rascunho").click()
    expect(desk.get_by_text("Já há um exame de atualização para esta versão.")).to_be_visible()
    _publish(visit(PersonFactory(roles=[Role.ADMINISTRATOR])))
    _learn(visit(holder))


def _publish(page: Page) -> None:
    version = judged(ProgrammeVersion.objects.get(state=ProgrammeVersion.State.DRAFT))
    page.goto(f"/programmes/{version.programme_id}/draft/publish/")
    expect(page.get_by_text("só art. V 37")).to_be_visible()
    page.get_by_role("button", name="Pôr em vigor").click()
    expect(page.get_by_text("está em vigor").first).to_be_visible()
    version.refresh_from_db()
    assert version.state == ProgrammeVersion.State.PUBLISHED
    page.goto(f"/programmes/{version.programme_id}/")
    fits(page, "programme")
    page.goto(f"/rulebooks/{NEW}/")
    expect(page.get_by_role("link", name="O que mudou")).to_be_visible()
    fits(page, "rulebook")


def _learn(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="A lei mudou")).to_be_visible()
    fits(page, "home")
    page.get_by_role("link", name="Aprender o que mudou").click()
    page.wait_for_url(f"**/practice/changes/{OLD}/{NEW}/")
    fits(page, "lesson")
    page.get_by_role("button", name="Experimentar art. V 37").click()
    expect(page.get_by_text("A aposta máxima é de 50 vezes a mínima.").first).to_be_visible()
    fits(page, "card")
