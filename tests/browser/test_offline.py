"""Without a network Sabot says so, in a real browser."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HEARD = """new Promise((done) => {
  if (navigator.serviceWorker.controller) done();
  navigator.serviceWorker.addEventListener("controllerchange", () => done());
})"""


def test_without_network_a_page_says_so_and_leads_back(troubled: Page, live_server: LiveServer) -> None:
    troubled.goto(live_server.url)
    troubled.evaluate(HEARD)
    troubled.context.set_offline(True)
    troubled.goto(f"{live_server.url}/practice/")
    expect(troubled.get_by_role("heading", name="Sem rede")).to_be_visible()
    assert troubled.evaluate("getComputedStyle(document.body).fontFamily") != "Times New Roman", "it is styled too"
    troubled.context.set_offline(False)
    troubled.get_by_role("link", name="Tentar de novo").click()
    expect(troubled.get_by_role("heading", level=1)).to_be_visible()
    expect(troubled).to_have_url(f"{live_server.url}/")
