"""Back to a page that had a part of itself brought by htmx: the whole page again, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import address, enter, fill_in, submit
from training.people.models import User
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=[360, 1280])
def seen(request: pytest.FixtureRequest, chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    """The trainee's page on a phone and on a desk."""
    context = chromium.new_context(locale="pt-PT", viewport={"width": request.param, "height": 800})
    enter(context, trainee, live_server)
    yield context.new_page()
    context.close()


def is_whole(page: Page) -> None:
    """A page with its head, its menu and its styles."""
    expect(page.locator("main")).to_be_visible()
    expect(page.locator("header, .drill-head").locator("visible=true").first).to_be_visible()
    assert page.title()
    assert page.evaluate("document.styleSheets.length") > 0
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ink') !== ''")


def test_back_to_an_answered_drill_shows_the_page(
    worker: None, seen: Page, third_card: Drill, live_server: LiveServer
) -> None:
    seen.goto(address(third_card, live_server))
    asked_for_parts: list[str] = []
    seen.on("request", lambda one: asked_for_parts.append(one.url) if "hx-request" in one.headers else None)
    fill_in(seen)
    submit(seen)
    expect(seen.locator("#panel[data-graded]")).to_be_visible()
    # While it was graded the page asked for a part of itself under its own address.
    assert address(third_card, live_server) in asked_for_parts
    seen.goto(f"{live_server.url}/")
    seen.go_back()
    expect(seen).to_have_url(address(third_card, live_server))
    is_whole(seen)
    expect(seen.locator("#panel[data-graded]")).to_be_visible()
    seen.go_forward()
    seen.go_back()
    is_whole(seen)


def test_back_while_the_answer_is_graded_shows_the_page(seen: Page, third_card: Drill, live_server: LiveServer) -> None:
    """No worker is there: the page goes on asking, and comes back asking."""
    seen.goto(address(third_card, live_server))
    fill_in(seen)
    with seen.expect_response(lambda one: one.request.method == "GET" and "hx-request" in one.request.headers):
        submit(seen)
    seen.goto(f"{live_server.url}/")
    seen.go_back()
    is_whole(seen)
    expect(seen.locator("#panel[data-stored]")).to_be_visible()


def test_back_to_an_article_that_was_opened_beside_a_drill_meanwhile(
    worker: None, seen: Page, third_card: Drill, live_server: LiveServer
) -> None:
    seen.goto(address(third_card, live_server))
    fill_in(seen)
    submit(seen)
    badge = seen.locator("#panel[data-graded] a[data-article]").first
    expect(badge).to_be_visible()
    article = badge.get_attribute("href")
    seen.goto(f"{live_server.url}{article}")
    is_whole(seen)
    seen.goto(address(third_card, live_server))
    badge.click()
    expect(seen.locator("#leaf-title")).to_be_visible()
    seen.go_back()
    expect(seen).to_have_url(f"{live_server.url}{article}")
    is_whole(seen)
