"""A programme written in a real browser, with rows that come and totals that follow, and put in force by another."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.programmes.models import ProgrammeVersion
from tests.browser.walking import troubles
from tests.exams.making import judged
from tests.factories import PASSWORD, PersonFactory
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page, server: LiveServer, role: Role, path: str) -> None:
    """As a new person of this role, in English."""
    person = PersonFactory(roles=[role], language="en")
    page.context.clear_cookies()
    page.goto(f"{server.url}{path}")
    page.locator("input[name=login]").fill(person.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_url(f"**{path}")


def test_written_by_one_put_in_force_by_another(page: Page, live_server: LiveServer) -> None:
    sign_in(page, live_server, Role.INSTRUCTOR, "/programmes/new/")
    page.get_by_label("Code").fill("cdf-pt")
    page.get_by_label("Name (Portuguese)").first.fill("Chemin de fer")
    page.get_by_label("Portugal · chemin de fer", exact=True).check()
    section = page.get_by_role("group", name="Section 1", exact=True)
    section.get_by_label("Name (Portuguese)").fill("O golpe")
    first = page.get_by_role("group", name="Section 1, line 1")
    first.get_by_label("Topic").select_option("pt-chemin-de-fer/third_card")
    first.get_by_label("Questions").fill("4")
    totals = page.locator("#totals")
    expect(totals).to_contain_text(re.compile(r"O golpe\s*4\s*4"))
    expect(totals).to_contain_text("15 min for each question")
    # With the keyboard: the new line has the focus, and what was typed is still there.
    section.get_by_role("button", name="Add a line").press("Enter")
    second = page.get_by_role("group", name="Section 1, line 2")
    expect(second.get_by_label("Topic")).to_be_focused()
    expect(first.get_by_label("Questions")).to_have_value("4")
    second.get_by_label("Topic").select_option("pt-chemin-de-fer/suivi")
    second.get_by_label("Points each").fill("3")
    expect(totals).to_contain_text(re.compile(r"In all\s*6\s*10"))
    assert troubles(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    second.get_by_label("Points each").press("Enter")
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    draft = ProgrammeVersion.objects.get()
    assert (draft.rules.items, draft.rules.points) == (6, 10)
    judged(draft)

    sign_in(page, live_server, Role.ADMINISTRATOR, f"/programmes/{draft.programme_id}/")
    page.get_by_role("link", name="Check and put in force").click()
    expect(page.get_by_text("4 questions, 1 point each")).to_be_visible()
    page.get_by_role("button", name="Put in force").click()
    expect(page.get_by_text("Version 1 is in force.")).to_be_visible()
    draft.refresh_from_db()
    assert draft.state == ProgrammeVersion.State.PUBLISHED


def test_what_is_wrong_leads_to_its_field_without_a_script(chromium: Browser, live_server: LiveServer) -> None:
    context = chromium.new_context(locale="en-GB", viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server, Role.INSTRUCTOR, "/programmes/new/")
    page.get_by_label("Code").fill("cdf-pt")
    page.get_by_role("button", name="Add a section").click()
    page.get_by_role("group", name="Section 2", exact=True).get_by_label("Name (Portuguese)").fill("As vozes")
    page.get_by_role("button", name="Count again").click()
    expect(page.locator("#totals")).to_contain_text("As vozes")
    page.get_by_role("button", name="Save the draft").click()
    page.get_by_role("link", name="“As vozes”, line 1: Topic").click()
    assert page.url.endswith("#id_part1-line0-topic")
    expect(page.get_by_label("Code")).to_have_value("cdf-pt")
    context.close()
    assert not ProgrammeVersion.objects.exists()
