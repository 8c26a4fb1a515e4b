"""The live table in a real browser: ten spins by touch on a phone, paid with chips, and a table by keyboard on a
desktop with a reload and a second tab."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import play
from rules_engine.live.dealers import dutiful
from rules_engine.ruling import Payment
from tests.browser.drilling import enter
from training.live_table import planning, services
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


def opened(trainee: User, book: str, *, coups: int, faults: float = 0, seed: str = "browser") -> Session:
    setup = play.Setup(rulebook=book, seed=seed, coups=coups, faults=faults, habits=play.Habits(busy=1))
    return services.opened(trainee, setup, length="ten", rung="quiet", pace=0, now=timezone.now())


def address(session: Session, live_server: LiveServer) -> str:
    return f"{live_server.url}/practice/table/{session.pk}/"


def now(session: Session) -> tuple[Session, play.State]:
    found = Session.objects.get(pk=session.pk)
    return found, play.decode_state(found.state)


def tapped(page: Page, session: Session, selector: str) -> None:
    with page.expect_response("**/act/"):
        page.locator(selector).tap()
    found = Session.objects.get(pk=session.pk)
    if not found.ended_at:
        expect(page.locator("[data-live]")).to_have_attribute("data-shown", str(found.last_number))


def pay(page: Page, session: Session, due: Payment) -> None:
    """A payment by touch: the pile, the chips, the button."""
    page.locator("#tab-chips").tap()
    player = due.payer if due.payee == "house" else due.payee
    page.locator(f'label:has([data-player="{player}"][data-spot="{due.spot}"])').tap()
    left = due.amount
    for chip in reversed(page.locator("[data-chip]").all()):
        value = int(str(chip.get_attribute("data-chip")))
        for _ in range(left // value):
            chip.tap()
        left %= value
    assert not left
    tapped(page, session, "[data-collect]" if due.payee == "house" else "[data-pay]")


def test_ten_spins_by_touch_paid_with_chips(phone: Page, trainee: User, live_server: LiveServer) -> None:
    session = opened(trainee, ROULETTE, coups=10)
    phone.goto(address(session, live_server))
    expect(phone.locator("[data-room]")).to_be_hidden()
    phone.locator("[data-uncover]").tap()
    while True:
        found, state = now(session)
        if found.ended_at:
            break
        done = play.CarryOn() if found.pending or found.unplanned else dutiful(state)
        if isinstance(done, play.Pay):
            pay(phone, session, Payment(done.payer, done.payee, done.amount, done.spot))
        elif isinstance(done, play.Do):
            phone.locator("#tab-do").tap()
            if isinstance(done.value, int):
                phone.locator(f"#do-{done.key}").fill(str(done.value))
                tapped(phone, session, f'[data-do-number="{done.key}"] button')
            else:
                tapped(phone, session, f'[data-do="{done.key}"][data-value="{done.value}"]')
        elif isinstance(done, play.Say):
            phone.locator("#tab-calls").tap()
            phone.locator("#say").fill(said(state, done))
            tapped(phone, session, "[data-say-form] button")
        else:
            tapped(phone, session, "[data-carry]")
    expect(phone.locator("h1")).to_contain_text("Nada estava mal")
    found, _state = now(session)
    assert len(found.coups) == 10
    assert (found.totals["overpaid"], found.totals["underpaid"], found.totals["missed"]) == (0, 0, 0)


def said(state: play.State, done: play.Say) -> str:
    book = play.book_of(state.setup)
    duty = next(one for one in state.due if one.words and one.words.formula == done.formula)
    assert duty.words is not None
    return book.say(duty.words, book.language_of(duty.key))


def pressed(page: Page, session: Session, *keys: str) -> None:
    before = Session.objects.get(pk=session.pk).last_number
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("[data-live]")).to_have_attribute("data-shown", str(before + 1))


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
