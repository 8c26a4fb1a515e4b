"""Enter in the editor: ruled on at once, and nothing of the work is lost, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.test_editor import FAULT, QUIET, enter
from tests.library.versions import instructor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# A field of every kind, with what is typed into it.
FIELDS = {
    "a sum": ("#f-bank", "1230"),
    "cards": ("#f-loose", "4d 6c"),
    "a list of people": ("#f-standing", "3a"),
    "a title": ("#id_pt-title", "Duas cartas de uma vez"),
    "a sum in a row": ("[name=calls-1-amount]", "77"),
    "a picker": ("#f-banker", ""),
    "a picker in a row": ("[name=calls-1-says]", ""),
    "the picker of another incident": ("#f-other", ""),
    "a topic": ("#f-topic", ""),
    "a seat": ("[data-seat='1']", ""),
}


@pytest.fixture
def opened(page: Page, live_server: LiveServer) -> Page:
    enter(page, instructor(name="Alda Seixas"), live_server)
    page.goto(f"{live_server.url}{FAULT}")
    page.evaluate("window.stayed = true")
    page.evaluate("document.querySelectorAll('#editor details').forEach(fold => (fold.open = true))")
    return page


def press_enter_twice(page: Page, field: Locator) -> None:
    """Each time everything that was asked of the server is waited for."""
    name = field.get_attribute("name")
    for _ in range(2):
        page.keyboard.press("Enter")
        page.evaluate(QUIET)
        assert page.evaluate("window.stayed") is True, "the page was loaded anew"
        assert page.evaluate("document.activeElement.name") == name, "the field was left"


@pytest.mark.parametrize("kind", FIELDS)
def test_enter_twice_leaves_one_where_one_is(opened: Page, kind: str) -> None:
    selector, typed = FIELDS[kind]
    address, happened = opened.url, opened.locator(".change-incident summary").inner_text()
    # Something to be undone.
    first = opened.locator("#f-minimum")
    before = first.input_value()
    first.fill("250")
    first.blur()
    opened.evaluate(QUIET)
    field = opened.locator(selector).first
    field.focus()
    if typed:
        field.fill(typed)
    press_enter_twice(opened, field)
    assert opened.url == address
    if typed:
        expect(field).to_have_value(typed)
    assert opened.locator(".change-incident summary").inner_text() == happened
    undo = opened.locator("[data-undo]")
    for _ in range(2 if typed else 1):
        expect(undo).to_be_enabled()
        undo.click()
        opened.evaluate(QUIET)
    expect(first).to_have_value(before)


def test_enter_rules_at_once(opened: Page) -> None:
    loose = opened.locator("#f-loose")
    loose.fill("4d")
    loose.press("Enter")
    expect(opened.locator("#ruled")).to_contain_text("Estes factos não são possíveis")
    expect(loose).to_be_focused()


def test_enter_in_another_incident_that_was_only_looked_at_changes_nothing(opened: Page) -> None:
    """The button beside it changes the incident; Enter in any other field must not press that one."""
    happened = opened.locator(".change-incident summary").inner_text()
    opened.locator("#f-other").select_option(index=0)
    opened.locator("#f-bank").press("Enter")
    opened.evaluate(QUIET)
    assert opened.locator(".change-incident summary").inner_text() == happened


def test_enter_after_an_act_at_the_table_and_in_its_menu(opened: Page) -> None:
    """The form was made anew by the act: there too Enter only rules."""
    opened.get_by_role("button", name="Acrescentar: Apostas").click()
    opened.evaluate(QUIET)
    field = opened.locator("#f-bank")
    field.fill("1230")
    press_enter_twice(opened, field)
    opened.locator("#said [data-point='call:1']").click()
    number = opened.locator("#menu [data-number]").first
    expect(number).to_be_visible()
    number.press("Enter")
    opened.evaluate(QUIET)
    assert opened.evaluate("window.stayed") is True


def test_enter_in_the_tray_and_on_an_accepted_remark(opened: Page) -> None:
    opened.locator("#f-ponto").fill("2s 2h")  # who has four asks for a card
    opened.locator("#f-ponto").blur()
    accept = opened.locator("#verdict [name=accept]").first
    expect(accept).to_be_visible()
    accept.focus()
    accept.press("Enter")
    opened.evaluate(QUIET)
    assert opened.evaluate("window.stayed") is True
    opened.locator("[data-open=calls]").click()
    amount = opened.locator("#tray-amount")
    amount.fill("300")
    amount.press("Enter")
    amount.press("Enter")
    assert opened.evaluate("window.stayed") is True
    expect(amount).to_be_focused()


def test_enter_in_the_finder_of_incidents(page: Page, live_server: LiveServer) -> None:
    enter(page, instructor(name="Alda Seixas"), live_server)
    page.goto(f"{live_server.url}/scenarios/new/?rulebook=pt-chemin-de-fer")
    page.evaluate("window.stayed = true")
    finder = page.locator("#find")
    finder.fill("duas cartas")
    press_enter_twice(page, finder)
    expect(page.locator("#found a").first).to_be_visible()


@pytest.fixture
def plain(chromium: Browser) -> Iterator[Page]:
    """A browser that runs no scripts."""
    context = chromium.new_context(locale="pt-PT", java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_without_scripts_enter_rules_and_the_address_opens_the_editor_again(
    plain: Page, live_server: LiveServer
) -> None:
    enter(plain, instructor(name="Alda Seixas"), live_server)
    plain.goto(f"{live_server.url}{FAULT}")
    expect(plain.get_by_role("button", name="Pedir a decisão")).to_be_visible()
    plain.locator("#f-loose").fill("4d")
    plain.locator("#f-loose").press("Enter")
    expect(plain.locator("#ruled")).to_contain_text("Estes factos não são possíveis")
    expect(plain.locator("#f-loose")).to_have_value("4♦")
    plain.goto(plain.url)
    expect(plain.locator("#editor")).to_be_visible()


def test_a_button_pressed_the_moment_its_form_comes_does_not_load_the_page_anew(opened: Page) -> None:
    """htmx sees to a new form a moment after it is there; until then its buttons would send the page itself."""
    sent: list[bool] = []
    opened.on("request", lambda one: sent.append(one.is_navigation_request()) if one.method == "POST" else None)
    opened.evaluate(
        """() => document.body.addEventListener("htmx:afterSwap", (event) => {
             if (event.target.id === "editor" && !window.pressed) {
               window.pressed = true;
               document.querySelector("#editor [value=save]").click();
             }
           })"""
    )
    opened.get_by_role("button", name="Acrescentar: Obrigado a jogar pela tabela").click()
    expect(opened.get_by_text("Guardado como rascunho")).to_be_visible()
    assert sent and not any(sent)


def test_the_button_that_rules_is_only_for_browsers_without_scripts(opened: Page) -> None:
    button = opened.locator("#editor button[name=do][value=check]")
    expect(button).to_have_count(1)
    expect(button).to_be_hidden()
