"""A trainee's own pages in a real browser: one press to practise, and nothing that shuts anybody out."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import PASSWORD, PersonFactory
from tests.practice.drills import make_drill, wrong_answer
from training.practice import services
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = ["/", "/practice/", "/practice/rules/", "/practice/history/", "/practice/study/"]


def sign_in(page: Page, base: str, email: str) -> None:
    page.goto(base)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()
    expect(page.get_by_role("heading", name="Hoje")).to_be_visible()


def test_one_press_from_home_to_the_scenario_that_matters(page: Page, live_server: LiveServer) -> None:
    trainee = PersonFactory()
    sign_in(page, live_server.url, trainee.email)
    page.get_by_role("button", name="Treinar o que importa agora").press("Enter")
    page.get_by_role("link", name="Percebi: experimentar").press("Enter")
    expect(page.locator("#answer")).to_be_visible()
    assert Drill.objects.get(trainee=trainee).mode == Drill.Mode.SCHEDULED


@pytest.mark.parametrize("width", [360, 1280])
def test_the_pages_are_accessible_and_fit(page: Page, live_server: LiveServer, width: int) -> None:
    trainee = PersonFactory()
    drill = make_drill(trainee)
    answer = services.rules_engine.answer_from({"parts": wrong_answer(drill.scenario)})  # type: ignore[attr-defined]
    services.grade(services.submit_answer(drill, answer).pk)
    sign_in(page, live_server.url, trainee.email)
    page.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        page.goto(live_server.url + path)
        found = [v for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
        assert [(violation["id"], violation["nodes"][0]["html"]) for violation in found] == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
