"""Tonight's incident from nothing to review and into practice, with every action of the author counted.

An action is a tap, a click, a key that does something, or a field filled in; going there by Tab or arrows is not.
"""

from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.test_editor import accessible, enter
from tests.factories import PersonFactory
from tests.library.versions import instructor
from training.library import services
from training.library.models import Version
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = "Portugal · chemin de fer"
FINGER = 44


class Author:
    """Somebody at work with a mouse, a finger or keys alone."""

    def __init__(self, page: Page, by: str) -> None:
        self.page, self.by, self.actions = page, by, 0

    def do(self, thing: Locator) -> None:
        self.actions += 1
        if self.by == "touch":
            thing.tap()
        elif self.by == "keys":
            thing.press("Enter")
        else:
            thing.click()

    def write(self, thing: Locator, words: str) -> None:
        self.actions += 1
        thing.fill(words)

    def at(self, point: str) -> Locator:
        return self.page.locator(f'#drawn [data-point="{point}"]:visible').first

    def choose(self, offer: str) -> None:
        self.do(self.page.locator("#menu").get_by_role("button", name=offer, exact=True))
        expect(self.page.locator("#menu")).to_be_hidden()

    def start(self, word: str, topic: str) -> None:
        self.do(self.page.get_by_role("link", name=BOOK, exact=True))
        self.write(self.page.locator("#find"), word)
        found = self.page.locator(f'#found a[href*="topic={topic}"]')
        expect(self.page.locator("#found li")).to_have_count(1 if topic == "deal_faults" else 5)
        self.do(found)
        expect(self.page.locator("#ruled .steps")).to_be_visible()

    def send(self, title: str) -> Version:
        self.write(self.page.get_by_label("Título").first, title)
        self.do(self.page.get_by_role("button", name="Guardar e enviar para revisão"))
        expect(self.page.get_by_text("em revisão", exact=True)).to_be_visible()
        return Version.objects.get()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="pt-PT", viewport={"width": 360, "height": 740}, has_touch=True)
    yield context.new_page()
    context.close()


def dropped_card(author: Author) -> Version:
    """The banker's second card fell, and who stands at seat 3 stoops for it."""
    author.start("deixou cair", "deal_faults")
    author.do(author.at("card:ponto.1"))
    author.choose("Que carta")
    expect(author.page.locator("#f-incident-card")).to_have_value("ponto.1")
    return author.send("Caiu uma carta")


def test_a_dropped_card_by_mouse_is_published_and_drilled(page: Page, live_server: LiveServer) -> None:
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/new/")
    author = Author(page, "mouse")
    version = dropped_card(author)
    assert author.actions <= 8
    assert version.scenario_document["situation"]["incident"]["card"] == "ponto.1"
    services.publish(version, instructor())
    trainee, client = PersonFactory(), Client()
    client.force_login(trainee)
    topic = f"{version.rulebook}/{version.topic}"
    client.post("/practice/start/", {"topic": topic, "difficulty": version.difficulty})
    assert Drill.objects.get(trainee=trainee).version == version


def test_a_dropped_card_by_keys(page: Page, live_server: LiveServer) -> None:
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/new/")
    author = Author(page, "keys")
    assert dropped_card(author).scenario_document["situation"]["incident"]["card"] == "ponto.1"
    assert author.actions <= 8


def test_two_standing_players_call_banco_by_touch(phone: Page, live_server: LiveServer) -> None:
    page = phone
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/new/")
    author = Author(page, "touch")
    author.start("bancôs", "standing_players")  # one stands at 9 already, and has called
    author.do(page.get_by_role("button", name="alguém em pé", exact=True))
    author.do(author.at("place:4"))
    expect(author.at("place:4a")).to_be_visible()
    author.do(page.get_by_role("button", name="Falas", exact=True))
    author.do(page.locator('[data-thing="says.banco"]'))
    author.do(page.locator('#said [data-point="place:4a"]'))
    expect(page.locator("#said")).to_contain_text("Bancô")
    expect(page.locator("#f-calls-2-by")).to_have_value("4a")
    small = page.evaluate(
        """least => [...document.querySelectorAll(".thing, [data-open], .save-bar .button")]
          .map(one => one.getBoundingClientRect()).filter(box => box.width && Math.min(box.width, box.height) < least)
          .length""",
        FINGER,
    )
    assert small == 0
    accessible(page)
    version = author.send("Dois bancôs de pé")
    assert author.actions <= 14
    said = [(call.by, call.says) for call in version.scenario.situation.calls]
    assert said == [("croupier", "bank_of"), ("9a", "banco"), ("4a", "banco")]


def test_two_standing_players_call_banco_by_keys(page: Page, live_server: LiveServer) -> None:
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/new/")
    author = Author(page, "keys")
    author.start("bancôs", "banco_priority")  # 9 and 3 have called from their seats
    for seat in ("9", "3"):
        author.do(author.at(f"place:{seat}"))
        author.choose("Levanta-se e fica em pé")
        expect(author.at(f"place:{seat}a")).to_be_visible()
    version = author.send("Dois bancôs de pé")
    assert author.actions <= 14
    assert [call.by for call in version.scenario.situation.calls] == ["croupier", "9a", "3a"]
