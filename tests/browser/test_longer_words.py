"""A language that does not exist, whose words are accented and about 40 % longer than English ones: on the narrowest
phone no page is wider than the screen and no button cuts its words off."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation.trans_real import DjangoTranslation
from playwright.sync_api import Browser, BrowserContext
from pytest_django.live_server_helper import LiveServer

from rules_engine.words import Words
from tests.browser.drilling import enter
from tests.house import House, all_routes
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NARROW = {"width": 360, "height": 740}
ACCENTED = dict(zip("aeiouAEIOU", "áèîöûÁÈÎÖÛ", strict=True))
# What is no word of a sentence: values, tags, entities.
KEPT = re.compile(r"(%\(\w+\)[sd]|%[sd%]|\{[^}]*\}|<[^>]+>|&#?\w+;)")
# The pages somebody of each role works on.
PAGES = {
    Role.TRAINEE: "home practice drill rules day history study sprints live_tables assigned own_exams mocks results"
    " own_certificates rulebooks rulebook article own_appeals mfa_index account_change_password own_data",
    Role.INSTRUCTOR: "home classes class class_work assign library version edit_version programmes programme sessions"
    " session session_candidates session_results item_figures flags search",
    Role.HR: "home hr_desk hr_person hr_waiting hr_exports hr_staff",
}
# What is cut off or sticks out of the screen. What scrolls sideways in a box of its own may.
CUT = """() => {
  const scrolls = one => {
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return true;
    return false;
  };
  const seen = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.offsetWidth > 4;
  const found = [];
  for (const one of document.querySelectorAll("button, a.button, summary, .options label, input[type=submit]")) {
    if (!seen(one) || one.closest(".visually-hidden, .table-wrap")) continue;
    const box = one.getBoundingClientRect();
    const words = one.textContent.replace(/\\s+/g, " ").trim().slice(0, 60);
    const cut = one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 4;
    if (cut) found.push(`cut off: ${words}`);
    else if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(one)) found.push(`beside the screen: ${words}`);
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`${wide} px wide`);
  return found;
}"""


def longer(text: str) -> str:
    """Every vowel twice, with an accent: about 40 % longer."""
    parts = KEPT.split(text)
    return "".join(
        part if number % 2 else re.sub("[aeiouAEIOU]", lambda vowel: ACCENTED[vowel[0]] + vowel[0].lower(), part)
        for number, part in enumerate(parts)
    )


def test_words_become_longer_and_values_stay() -> None:
    assert longer("Begin %(count)d <b class='one'>lesson</b> {at} &nbsp;") == (
        "Bèegîin %(count)d <b class='one'>lèessöon</b> {at} &nbsp;"
    )
    text = "Whoever looks after Sabot has been told what is missing."
    assert 1.3 < len(longer(text)) / len(text) < 1.5


@pytest.fixture
def pseudo_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of English, in the process that also serves the pages."""
    one, many, told = DjangoTranslation.gettext, DjangoTranslation.ngettext, Words.text

    def gettext(self: DjangoTranslation, message: str) -> str:
        said = str(one(self, message))
        return longer(said.rpartition("\x04")[2]) if message else said  # what has no translation keeps its context

    def ngettext(self: DjangoTranslation, single: str, plural: str, number: int) -> str:
        return longer(str(many(self, single, plural, number)).rpartition("\x04")[2])

    monkeypatch.setattr(DjangoTranslation, "gettext", gettext)
    monkeypatch.setattr(DjangoTranslation, "ngettext", ngettext)
    monkeypatch.setattr(
        Words, "text", lambda self, id, language, /, **values: longer(told(self, id, language, **values))
    )


@pytest.fixture
def phone(chromium: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    context = chromium.new_context(base_url=live_server.url, locale="en-GB", viewport=NARROW)  # type: ignore[arg-type]
    yield context
    context.close()


@pytest.mark.parametrize("role", PAGES)
def test_longer_words_fit_on_a_phone(
    transactional_db: None, pseudo_language: None, phone: BrowserContext, live_server: LiveServer, role: Role
) -> None:
    house = House()
    User.objects.update(language="en")
    person: User = {Role.TRAINEE: house.trainee, Role.INSTRUCTOR: house.instructor, Role.HR: house.hr}[role]
    enter(phone, person, live_server)
    page, wrong = phone.new_page(), []
    for name in PAGES[role].split():
        answer = page.goto(all_routes()[name].address(house.parameters()))
        assert answer and answer.ok, f"{name} answers {answer and answer.status}"
        page.evaluate("document.fonts.ready")
        assert re.search("[áèîöû]", page.locator("main").inner_text()), f"{name} is not in longer words"
        if "SABOT_LOOK" in os.environ:
            page.screenshot(path=Path(os.environ["SABOT_LOOK"]) / f"longer-{role}-{name}.png", full_page=True)
        wrong += [f"{name}: {cut}" for cut in page.evaluate(CUT)]
    assert not wrong, "\n".join(wrong)
