"""Calls said aloud in the replay: only if turned on, never in an exam. And the hint to keep the site on the phone."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import Answer, Scenario, generate, topics
from tests.browser.drilling import enter
from tests.exams import making
from tests.factories import PersonFactory
from tests.practice.drills import make_drill, put
from training.practice import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# A voice that writes down what it is told to say.
VOICE = """
window.said = [];
Object.defineProperty(window, "speechSynthesis", {value: {
  speaking: false, getVoices: () => [], cancel() {}, speak(one) { window.said.push([one.text, one.lang]); },
}});
"""


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="en", viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.add_init_script(VOICE)
    yield page
    context.close()


def told() -> Scenario:
    """A case in which something was called."""
    book = "pt-chemin-de-fer"
    made = (generate(book, topic, seed, 2) for topic in topics(book) for seed in range(3))
    return next(one for one in made if len(one.situation.calls) > 1)


def test_the_replay_is_silent_until_turned_on(phone: Page, live_server: LiveServer) -> None:
    trainee = PersonFactory(language="en")
    enter(phone.context, trainee, live_server)
    phone.goto(live_server.url + reverse("drill", args=[put(told(), trainee).pk]))
    if phone.locator("[data-gist]").is_visible():
        phone.locator("[data-gist]").tap()
    phone.locator("[data-step='-1']").tap()
    assert phone.evaluate("said") == []
    phone.locator("[data-speak]").tap()
    expect(phone.locator("[data-speak]")).to_have_attribute("aria-pressed", "true")
    phone.locator("[data-replay]").tap()
    phone.wait_for_function("said.length > 0")
    words, language = phone.evaluate("said[0]")
    assert language == "pt-PT"
    assert words and "«" not in words
    phone.reload()
    expect(phone.locator("[data-speak]")).to_have_attribute("aria-pressed", "true")


def test_an_exam_has_no_voice(phone: Page, live_server: LiveServer) -> None:
    sitting = making.start(making.enter(making.make_session(), PersonFactory(language="en")))
    enter(phone.context, sitting.candidate.person, live_server)
    phone.goto(live_server.url + reverse("sitting_item", args=[sitting.pk, 1]))
    assert phone.locator("[data-speak]").count() == 0
    assert phone.locator("script[src*='drill-speech']").count() == 0


def test_the_hint_comes_once(phone: Page, live_server: LiveServer) -> None:
    trainee = PersonFactory(language="en")
    services.grade(services.submit_answer(make_drill(trainee), Answer({})).pk)
    enter(phone.context, trainee, live_server)
    offered = "dispatchEvent(new Event('beforeinstallprompt', {cancelable: true}))"
    phone.goto(live_server.url)
    expect(phone.locator("[data-install]")).to_be_hidden()
    phone.evaluate(offered)
    expect(phone.locator("[data-install]")).to_be_visible()
    phone.get_by_role("button", name="No, thank you").tap()
    expect(phone.locator("[data-install]")).to_be_hidden()
    phone.reload()
    phone.evaluate(offered)
    expect(phone.locator("[data-install]")).to_be_hidden()
