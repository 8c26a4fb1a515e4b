"""Words said instead of typed, in a real browser with a stand-in for its listener."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drilling import fill_in, submit
from training.practice.models import Attempt, Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Stands in for the browser's listener: what it hears is put into `window.hear`.
LISTENER = """
window.webkitSpeechRecognition = window.SpeechRecognition = class {
  start() {
    window.spokenIn = this.lang;
    window.hear = (...said) => {
      for (const transcript of said) this.onresult({ results: [[{ transcript }]] });
      this.onend();
    };
  }
  stop() { this.onend(); }
  abort() { this.onend(); }
};
window.said = [];
speechSynthesis.speak = ({ text, lang }) => window.said.push([text, lang]);
"""


def test_the_words_are_said_corrected_sent_and_heard(
    worker: None, visit: Callable[[Drill], Page], page: Page, third_card: Drill
) -> None:
    page.add_init_script(LISTENER)
    visit(third_card)
    box = page.get_by_label("Acabado o golpe, que resultado anuncia?")
    microphone = page.get_by_role("button", name="Dizer")
    microphone.click()
    expect(page.get_by_role("dialog")).to_contain_text("Quem ouve é o seu navegador, não o Sabot.")
    page.get_by_role("button", name="Deixar desligado").click()
    assert not page.evaluate("window.spokenIn")  # off unless somebody wants it
    microphone.click()
    page.get_by_role("button", name="Deixar o navegador ouvir").click()
    expect(microphone).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.spokenIn") == "pt-PT"
    page.evaluate("window.hear('igualdade', 'igualdade a 5')")
    expect(box).to_have_value("igualdade a 5")
    expect(box).to_be_focused()
    page.keyboard.press("Backspace")
    page.keyboard.type("6")
    fill_in(page, words=box.input_value())
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["announcement"] == "igualdade a 6"
    page.get_by_role("button", name="Ouvir: «Igualdade a 6»").click()
    assert page.evaluate("window.said") == [["Igualdade a 6", "pt-PT"]]
