"""Tab moves the focus and does nothing else: every field is typed through, and the facts are as they were typed."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.programmes.models import ProgrammeVersion
from tests.browser.test_editor import QUIET, enter
from tests.factories import PersonFactory
from tests.library.versions import instructor
from training.library.models import Version
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EDITOR = "/scenarios/new/?rulebook=pt-chemin-de-fer&kind={kind}"
# What is in a form, but for the token that no person types.
WRITTEN = (
    """form => [...new FormData(document.querySelector(form))].filter(([name]) => name !== "csrfmiddlewaretoken")"""
)
# The field that has the focus, if it is one of the form.
FOCUSED = """form => { const at = document.activeElement;
  return at.closest(form) ? [at.tagName, at.type, at.value] : null; }"""
# The title of a scenario belongs to its form and stands before it.
FIRST = """form => [...document.querySelector(form).elements]
  .find(one => one.closest(form) && one.tabIndex >= 0 && one.tagName !== "FIELDSET" && one.checkVisibility()).focus()"""


def typed_through(page: Page, form: str) -> list[list[Any]]:
    """Change every field by keys, with Tab from one to the next, and say what should be written in the form now.

    Where Tab leads from a changed field to a button, the button stays in focus until all that was asked is answered:
    counting answers would take a late one to an earlier field for this one's, and wait in vain where nothing changed.
    """
    expected: list[list[Any]] = []
    changed = False
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or "") if request.method == "POST" else None)
    page.evaluate(FIRST, form)
    while focused := page.evaluate(FOCUSED, form):
        tag, kind, value = focused
        if tag == "BUTTON" and changed:
            page.evaluate(QUIET)
        changed = tag != "BUTTON" and kind != "fieldset"
        if tag == "SELECT":
            page.keyboard.press("ArrowDown")
        elif kind == "checkbox":
            page.keyboard.press(" ")
        elif tag in ("INPUT", "TEXTAREA"):
            page.keyboard.press("End")
            page.keyboard.type("1" if value else "2")
        if changed:
            expected = page.evaluate(WRITTEN, form)
        page.keyboard.press("Tab")
    page.evaluate(QUIET)  # nothing is under way when the facts are looked at, nor when the server is taken away
    assert not any("do=" in sent for sent in asked)
    return expected


@pytest.mark.parametrize("kind", ["banker_takes_two", "claims_open"])
def test_tab_acts_on_nothing_in_the_editor(page: Page, live_server: LiveServer, kind: str) -> None:
    enter(page, instructor(), live_server)
    page.goto(live_server.url + EDITOR.format(kind=kind))
    address = page.url
    expected = typed_through(page, "#editor")
    assert len(expected) > 20
    assert page.url == address
    assert page.evaluate(WRITTEN, "#editor") == expected
    expect(page.locator("form#editor")).to_have_count(1)
    assert not Version.objects.exists()


def test_tab_acts_on_nothing_in_a_programme(page: Page, live_server: LiveServer) -> None:
    enter(page, PersonFactory(roles=[Role.INSTRUCTOR]), live_server)
    page.goto(f"{live_server.url}/programmes/new/")
    expected = typed_through(page, "#sheet")
    assert len(expected) > 20
    assert page.evaluate(WRITTEN, "#sheet") == expected
    expect(page.locator("form#sheet")).to_have_count(1)
    assert not ProgrammeVersion.objects.exists()
