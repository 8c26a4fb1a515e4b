"""A real Chromium for the tests marked `browser`: the one the system has, since no other can be downloaded."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import address, enter, put
from tests.browser.games import DESK, TABLES
from tests.factories import PersonFactory
from training.people.models import User
from training.practice.models import Drill

expect.set_options(timeout=15_000)  # other tests are at work on the same cores


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    # The shell without windows takes less of the processor than the whole browser.
    programs = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, programs)), None)
    if path is None:
        pytest.fail("the browser tests need Chromium (Debian: apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


GIVEN_UP = ("htmx:afterRequest", "htmx:sendAbort")


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A new visitor's page, in Portuguese. Any error in its console fails the test."""
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 800})
    new = context.new_page()
    errors: list[str] = []
    new.on("pageerror", lambda error: errors.append(str(error)))
    new.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield new
    context.close()
    # A request that a newer one takes the place of is given up, and htmx says so.
    assert [error for error in errors if not error.startswith(GIVEN_UP)] == []


# ---------- somebody's drill ----------


@pytest.fixture
def trainee(transactional_db: None) -> User:
    return PersonFactory()


@pytest.fixture
def visit(page: Page, trainee: User, live_server: LiveServer) -> Callable[[Drill], Page]:
    def go(drill: Drill) -> Page:
        enter(page.context, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


@pytest.fixture
def put_at(page: Page, trainee: User, live_server: LiveServer) -> Callable[..., Page]:
    """A drill at the table of a game, with these facts, before a trainee."""

    def go(book: str, topic: str, incident: dict[str, Any], size: tuple[int, int] = DESK, **facts: Any) -> Page:
        drill = put(trainee, TABLES[book] | facts | {"incident": incident}, topic, book)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        enter(page.context, trainee, live_server)
        page.goto(address(drill, live_server))
        return page

    return go


@pytest.fixture
def troubled(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    """A page whose console may complain, since what is tested is trouble."""
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 800})
    enter(context, trainee, live_server)
    yield context.new_page()
    context.close()


@pytest.fixture
def third_card(trainee: User) -> Drill:
    return put(
        trainee,
        {
            "seats": [1, 2, 3, 4, 5, 6, 7],
            "banker": "7",
            "bank": 600,
            "holder": "2",
            "claim": "stake",
            "stakes": [{"player": "2", "amount": 300}, {"player": "1", "amount": 300}],
            "ponto": ["4h", "8d", "4s"],
            "banker_cards": ["Ks", "5d"],
            "next": ["As"],
            "by_table": ["banker"],
            "calls": [
                {"by": "croupier", "says": "closed"},
                {"by": "2", "says": "card"},
                {"by": "ponto", "says": "card"},
            ],
            "incident": {"kind": "banker_to_decide", "wish": "stand"},
        },
    )
