"""Games at the live table in a real browser, by touch on a phone and by keyboard on a desktop, with faults that are
stopped and ruled on, until the debrief."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import play
from tests.browser.dealing import Keys, Touch, address, deal, now, opened, picture
from tests.browser.drilling import enter
from tests.samples import FULL, sample
from training.live_table import ladder
from training.people.models import User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GAMES = ("pt-black-jack", "pt-ponto-banca-1995", "pt-ponto-banca-macau", "pt-craps", "pt-banca-francesa", "pt-cussec")
COUPS = sample(2, 10)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1366, "height": 768}}


@pytest.fixture(params=[(PHONE, Touch), (DESKTOP, Keys)], ids=["phone", "desktop"])
def hand(
    request: pytest.FixtureRequest, chromium: Browser, trainee: User, live_server: LiveServer
) -> Iterator[tuple[Page, type[Touch]]]:
    screen, how = request.param
    context = chromium.new_context(locale="pt-PT", **screen)
    enter(context, trainee, live_server)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page, how
    context.close()
    assert errors == []


@pytest.fixture
def desktop(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1366, "height": 768})
    enter(context, trainee, live_server)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("book", GAMES)
def test_a_game_is_dealt_with_faults_until_the_debrief(
    hand: tuple[Page, type[Touch]], trainee: User, live_server: LiveServer, book: str
) -> None:
    page, how = hand
    session = opened(trainee, book, coups=COUPS, faults=0.7, busy=3)
    page.goto(address(session, live_server))
    page.locator("[data-uncover]").press("Enter")
    deal(page, session, how, stops=True)
    expect(page.locator("h1")).to_be_visible()
    picture(page, f"{book}-{how.__name__}-debrief")
    found, _state = now(session)
    assert len(found.coups) == COUPS
    assert (found.misses, found.false_alarms) == (0, 0)
    assert (found.totals["overpaid"], found.totals["underpaid"], found.totals["missed"]) == (0, 0, 0)


def test_a_shoe_of_chemin_de_fer_by_keyboard(desktop: Page, trainee: User, live_server: LiveServer) -> None:
    """Without SABOT_FULL only its first coups."""
    book = "pt-chemin-de-fer"
    plain = play.Setup(rulebook=book, seed="shoe", coups=1)
    coups = ladder.coups_of(play.book_of(plain), "shoe") if FULL else 2
    session = opened(trainee, book, coups=coups, faults=0.2, busy=2)
    desktop.goto(address(session, live_server))
    desktop.locator("[data-uncover]").press("Enter")
    deal(desktop, session, Keys, stops=True)
    found, _state = now(session)
    assert (len(found.coups), found.misses, found.totals["missed"]) == (coups, 0, 0)
