"""The switch between light and dark on a phone: at once, remembered, and without losing what was typed."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import enter
from tests.factories import PersonFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(239, 232, 218)", "rgb(21, 17, 14)"


def test_from_the_menu_at_once_and_for_the_next_page(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    enter(page.context, PersonFactory(language="en"), live_server)
    page.goto(live_server.url + reverse("account_change_password"))
    page.locator("input[type=password]").first.fill("half a word")
    page.locator("details[data-menu] summary").last.click()
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(GROUND) == DARK
    assert page.locator("input[type=password]").first.input_value() == "half a word"
    page.goto(live_server.url + reverse("history"))
    assert page.evaluate(GROUND) == DARK
    page.emulate_media(media="print")
    assert page.evaluate(GROUND) == "rgb(255, 255, 255)"


def test_a_dark_device_may_have_light_pages_without_scripts(chromium: Browser, live_server: LiveServer) -> None:
    context = chromium.new_context(color_scheme="dark", java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto(live_server.url + reverse("account_login"))
    expect(page.locator("body")).to_have_css("background-color", DARK)
    page.get_by_role("button", name="Light").click()
    expect(page.locator("body")).to_have_css("background-color", LIGHT)
    context.close()
