"""Every element on one page: open to everybody in four looks, and as pictures that show what it looks like."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.browser.walking import LOOKS, troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALL = """() => [...document.querySelectorAll("main :is(button, a.button, select, .chip, .segments button, summary)")]
  .filter(one => one.offsetParent && one.getBoundingClientRect().height < 44)
  .map(one => `${one.className || one.tagName}: ${Math.round(one.getBoundingClientRect().height)} px`)"""


def test_the_component_page_in_four_looks(chromium: Browser, live_server: LiveServer, tmp_path: Path) -> None:
    context = chromium.new_context(locale="en")
    page = context.new_page()
    page.goto(live_server.url + reverse("components"))
    assert troubles(page, LOOKS) == []
    pictures = {}
    for width, scheme, _asked in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        pictures[width, scheme] = page.screenshot(path=tmp_path / f"{width}-{scheme}.png", full_page=True)
    assert len(set(pictures.values())) == len(LOOKS), "light and dark look different"
    context.close()


def test_what_is_touched_is_large_enough_on_a_phone(chromium: Browser, live_server: LiveServer) -> None:
    context = chromium.new_context(locale="en", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(live_server.url + reverse("components"))
    assert page.evaluate(SMALL) == []
    context.close()
