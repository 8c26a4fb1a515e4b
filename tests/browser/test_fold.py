"""On a phone the question, all its answers, the way on and the decisive part of the table are in view without
scrolling, at every question of every case, and the table can be read. Where bets lie too far apart to be read together,
some are in view and a button shows the others."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from rules_engine import generate
from tests.browser.rendered import SUBJECTS, main_of, open_on, rendered
from tests.samples import sample

pytestmark = pytest.mark.browser
SIZES = ((360, 740), (390, 844), (844, 390))
CASES = sample(60, 300)
# Puts a case into the page and lets the scripts set it up, as after an answer to htmx.
PUT = """main => {
  document.querySelector("main").innerHTML = main;
  const panel = document.querySelector("#panel");
  document.body.dispatchEvent(new CustomEvent("htmx:afterSettle", { detail: { elt: panel } }));
}"""
# What is cut off at each question of the case, turned to one after the other.
CUT_OFF = """() => {
  const found = [];
  const inside = (part, frame) => {
    const box = part.getBoundingClientRect();
    return !part.checkVisibility() || (box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1 &&
      box.left >= frame.left - 1 && box.right <= frame.right + 1);
  };
  // A machine may be higher than the view: then its displays, in the middle, fill it.
  const fills = (part, { top, bottom }) => {
    const box = part.getBoundingClientRect();
    return box.top < top && box.bottom > bottom;
  };
  const screen = { top: 0, left: 0, right: innerWidth, bottom: innerHeight };
  const named = (part) => (part.className.baseVal ?? part.className) + " " + part.textContent.trim().slice(0, 40);
  const look = (what, parts, frame) => {
    for (const part of parts) if (!inside(part, frame)) found.push(`${what}: ${named(part)}`);
  };
  const [left, top, right, bottom] = ["left", "top", "right", "bottom"]
    .map((side) => (part) => part.getBoundingClientRect()[side]);
  const pixels = (text) => {
    const { a, b, c, d } = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
  };
  const panel = document.querySelector("#panel");
  for (let turn = 0; turn < 30; turn += 1) {
    const question = panel.querySelector(".question:not([hidden])");
    const key = question.dataset.key;
    const frame = panel.getBoundingClientRect();
    const answers = question.querySelectorAll("legend, label, .options label, .chip, .with-unit input, .spoken input");
    look(`${key} answer`, answers, frame);
    const way = [...panel.querySelectorAll(".submit-bar .button")].filter((button) => button.offsetWidth);
    if (!way.length) found.push(`${key}: no way on`);
    look(`${key} way on`, way, screen);
    const foot = panel.querySelector(".submit-bar").getBoundingClientRect();
    const behind = (part) => part.checkVisibility() && part.getBoundingClientRect().bottom > foot.top + 1;
    for (const part of answers) if (behind(part)) found.push(`${key} behind the bar: ${named(part)}`);
    const view = document.querySelector(".table-before").getBoundingClientRect();
    if (view.height < 130) found.push(`${key}: ${Math.round(view.height)} px of table`);
    const ref = key.split(".").slice(1).join(".");
    const figure = document.querySelector(".table-before figure");
    const points = (ids) => ids.flatMap((id) =>
      [...figure.querySelectorAll(`[data-point="${CSS.escape(id)}"]:not(.target), [data-id="${CSS.escape(id)}"]`)]);
    const seen = (parts) => parts.filter((part) => part.getBoundingClientRect().width);
    const focus = (figure.dataset.focus ?? "").split(" ").filter(Boolean);
    // Of a player the chips matter more than the place, whose number they carry.
    const groups = [
      ref ? points(["spot", "card", "stake", "place"].map((kind) => `${kind}:${ref}`)) : [],
      focus.every((id) => id.startsWith("place:")) ? points(focus.map((id) => id.replace("place:", "stake:"))) : [],
      points(focus),
      [...figure.querySelectorAll('[data-point^="card:"]')],
      [...figure.querySelectorAll(".die")].filter((die) => !die.closest(".printed-die")),
    ].map(seen);
    const bodies = (groups.find((some) => some.length) ?? []).map((part) => part.querySelector(".body") ?? part);
    const across = Math.max(...bodies.map(right)) - Math.min(...bodies.map(left));
    const down = Math.max(...bodies.map(bottom)) - Math.min(...bodies.map(top));
    if (across <= view.width - 8 && down <= view.height - 8) look(`${key} table`, bodies, view);
    else if (!bodies.some((part) => inside(part, view) || fills(part, view))) found.push(`${key}: nothing decisive in view`);
    else if (!document.querySelector("[data-enlarge]").checkVisibility()) found.push(`${key}: no way to the rest`);
    for (const text of figure.querySelectorAll("text:not(.pocket-number)"))
      if (text.textContent.trim() && text.getBoundingClientRect().width && pixels(text) < 10.95)
        found.push(`${key}: ${pixels(text).toFixed(1)} px ${named(text)}`);
    const scrolls = document.scrollingElement;
    if (scrolls.scrollHeight > innerHeight || scrolls.scrollWidth > innerWidth) found.push(`${key}: the page scrolls`);
    const on = panel.querySelector("[data-on]:not([hidden])");
    if (!on) break;
    on.click();
  }
  return found;
}"""


@pytest.fixture(params=SIZES, ids=lambda size: "x".join(map(str, size)))
def phone(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    width, height = request.param
    context = chromium.new_context(
        locale="pt-PT", viewport={"width": width, "height": height}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    open_on(page, rendered(generate(*SUBJECTS[0], "fold", 1), "pt"), scripts=True)
    page.evaluate("document.fonts.ready.then(() => true)")
    yield page
    context.close()


@pytest.fixture(scope="module")
def cases() -> dict[str, str]:
    """The content of the pages, over all topics and levels in turn."""
    made: dict[str, str] = {}
    step = max(1, len(SUBJECTS) // CASES)
    for number in range(CASES):
        book, topic = SUBJECTS[number * step % len(SUBJECTS)]
        level, language = 1 + number % 5, ("pt", "en")[number % 2]
        scenario = generate(book, topic, f"fold-{number}", level)
        made[f"{book} {topic} {number} level {level} {language}"] = main_of(
            rendered(scenario, language, printed=level >= 3)
        )
    return made


def test_nothing_of_a_question_is_below_the_fold(phone: Page, cases: dict[str, str]) -> None:
    found = {}
    for name, main in cases.items():
        phone.evaluate(PUT, main)
        if cut := phone.evaluate(CUT_OFF):
            found[name] = cut
    assert found == {}


# How many chips the player has whom the case is about, and how many of them are out of view. If they lie too far apart
# for the view, a button has to show the others.
CHIPS = """() => {
  const view = document.querySelector(".table-before");
  const place = view.querySelector("figure").dataset.focus;
  const boxesOf = (point) => [...view.querySelectorAll(`[data-point="${point}"]:not(.target)`)]
    .map((part) => part.getBoundingClientRect()).filter((box) => box.width);
  const chips = boxesOf(place.replace("place:", "stake:"));
  const height = Math.max(...chips.map((box) => box.bottom)) - Math.min(...chips.map((box) => box.top));
  const width = Math.max(...chips.map((box) => box.right)) - Math.min(...chips.map((box) => box.left));
  if (height > view.clientHeight - 8 || width > view.clientWidth - 8)
    return [0, document.querySelector("[data-enlarge]").checkVisibility() ? 0 : 1];
  const { top, bottom } = view.getBoundingClientRect();
  return [chips.length, chips.filter((box) => box.top < top - 1 || box.bottom > bottom + 1).length];
}"""


def test_a_case_about_a_player_shows_their_chips(phone: Page) -> None:
    """“Which bet of the player was paid?” cannot be answered from their place alone, which may be far away."""
    looked_at = 0
    for number in range(12):
        scenario = generate("pt-roleta-americana", "payout", f"chips-{number}", 2)
        if not isinstance(getattr(scenario.situation.incident, "player", None), str):
            continue
        phone.evaluate(PUT, main_of(rendered(scenario, "pt")))
        chips, missed = phone.evaluate(CHIPS)
        assert (number, missed) == (number, 0)
        looked_at += chips
    assert looked_at


def test_the_measure_sees_what_is_cut_off(phone: Page) -> None:
    main = main_of(rendered(generate("pt-chemin-de-fer", "third_card", "fold", 2), "pt"))
    assert cut_after(phone, main, "") == []
    assert cut_after(phone, main, "document.querySelector('.question').style.paddingTop = '90vh'") != []
    assert cut_after(phone, main, "document.querySelector('#table').style.maxHeight = '100px'") != []


def cut_after(phone: Page, main: str, change: str) -> Any:
    phone.evaluate(PUT, main)
    phone.evaluate(f"() => {{ {change} }}")
    return phone.evaluate(CUT_OFF)
