"""The live table in a real browser: ten spins by touch on a phone, paid with chips, and a table by keyboard on a
desktop with a reload and a second tab."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.dealing import Touch, address, deal, now, opened, pressed
from tests.browser.drilling import enter
from training.live_table import planning
from training.live_table.models import Session
from training.people.models import User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROULETTE, CHEMIN = "pt-roleta-francesa", "pt-chemin-de-fer"


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next coup does not begin by itself, so that a test knows what the last act was."""
    monkeypatch.setattr(planning, "REST", 0.0)


@pytest.fixture
def phone(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    context = chromium.new_context(
        locale="pt-PT", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    enter(context, trainee, live_server)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def test_ten_spins_by_touch_paid_with_chips(phone: Page, trainee: User, live_server: LiveServer) -> None:
    session = opened(trainee, ROULETTE, coups=10)
    phone.goto(address(session, live_server))
    expect(phone.locator("[data-room]")).to_be_hidden()
    phone.locator("[data-uncover]").tap()
    deal(phone, session, Touch)
    expect(phone.locator("h1")).to_contain_text("Nada estava mal")
    found, _state = now(session)
    assert len(found.coups) == 10
    assert (found.totals["overpaid"], found.totals["underpaid"], found.totals["missed"]) == (0, 0, 0)


def test_a_table_by_keyboard_with_a_reload_and_a_second_tab(
    troubled: Page, trainee: User, live_server: LiveServer
) -> None:
    page = troubled
    page.set_viewport_size({"width": 1366, "height": 768})
    session = opened(trainee, CHEMIN, coups=2, faults=1)
    page.goto(address(session, live_server))
    page.keyboard.press("Enter")  # the button that uncovers the table has the focus
    for _ in range(9):
        pressed(page, session, "Enter")
    page.keyboard.press("/")
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.type("Quem quer fazer bancô?")
    pressed(page, session, "Enter")
    expect(page.locator("[data-log]")).to_contain_text("Quem quer fazer bancô?")
    drawn = page.locator("[data-table] svg.table-drawing").first.inner_html()

    page.reload()
    expect(page.locator("[data-room]")).to_be_hidden()
    page.keyboard.press("Enter")
    assert page.locator("[data-table] svg.table-drawing").first.inner_html() == drawn

    other = page.context.new_page()
    other.goto(address(session, live_server))
    other.keyboard.press("Enter")
    pressed(other, session, "Enter")
    page.bring_to_front()
    if page.locator("[data-cover]").is_visible():
        page.locator("[data-uncover]").click()
    page.keyboard.press("/")
    page.keyboard.type("Carta")
    page.keyboard.press("Enter")
    expect(page.locator("[data-trouble]")).to_contain_text("A mesa avançou")
    expect(page.locator("#say")).to_have_value("Carta")
    before = Session.objects.get(pk=session.pk).last_number
    assert session.acts.count() == before

    page.keyboard.press("Control+Space")  # in a field, the space bar types
    expect(page.locator("[data-sheet]")).to_be_visible()
    expect(page.locator("[data-palette]")).to_be_hidden()
    page.locator('[name=kind][value="late_stakes"]').check()
    page.locator('[data-claim="late_stakes"] label').first.click()
    page.locator("[data-claim-form] [type=submit]").click()
    expect(page.locator("[data-sheet]")).to_be_hidden()
    found = session.acts.get(document__type="stop").document
    assert found["kind"] == "late_stakes"
    assert found["answers"].keys() == {"allowed"}

    page.keyboard.press("Escape")
    expect(page.locator("[data-room]")).to_be_hidden()
    page.get_by_role("button", name="Terminar").click()
    expect(page.locator("h1")).to_be_visible()
    assert Session.objects.get(pk=session.pk).ended_at


def test_the_game_goes_on_by_itself_at_the_chosen_pace(page: Page, trainee: User, live_server: LiveServer) -> None:
    session = opened(trainee, ROULETTE, coups=2)
    Session.objects.filter(pk=session.pk).update(pace=1)
    enter(page.context, trainee, live_server)
    page.goto(address(session, live_server))
    page.locator("[data-uncover]").click()
    expect(page.locator("[data-live]")).to_have_attribute("data-shown", "2")
    page.locator("[data-pause]").click()
    stands = page.locator("[data-live]").get_attribute("data-shown")
    page.locator("[data-uncover]").click()
    expect(page.locator("[data-live]")).not_to_have_attribute("data-shown", str(stands))
