"""A real Chromium for the tests marked `browser`: the one the system has, since no other can be downloaded."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

expect.set_options(timeout=15_000)  # other tests are at work on the same cores


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("the browser tests need Chromium (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


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
    assert errors == []
