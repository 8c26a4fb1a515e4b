"""The answer page without scripts, measured in a real browser over every topic of every game: what is needed to rule is
in sight, and answering is short work. With scripts: test_fold.py."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from rules_engine import generate
from tests.browser.rendered import SUBJECTS, main_of, open_on, rendered
from training.practice import presentation

pytestmark = pytest.mark.browser
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
# What the scripts of the page show as soon as they run.
SHOWN = """main => {
  document.querySelector("main").innerHTML = main;
  const shown = document.querySelectorAll("[data-order], [data-log-steps], [data-listen], .rest");
  for (const part of shown) part.hidden = false;
  for (const one of ["[data-enlarge]", ".pointing"]) document.querySelector(one)?.removeAttribute("hidden");
  document.querySelector(".alike")?.setAttribute("open", "");
  scrollTo(0, 0);
}"""
MEASURED = """() => {
  const boxes = (which) => [...document.querySelectorAll(which)].map((part) => part.getBoundingClientRect());
  const seen = (which) => boxes(which).filter((box) => box.height);
  const ends = (which) => seen(which).map((box) => [Math.floor(box.top), Math.ceil(box.bottom)]);
  const cells = [...document.querySelectorAll(".question .options")].filter((options) => options.offsetHeight);
  return {
    table: ends(".table-before svg"),
    happened: ends(".happened p"),
    told: document.querySelectorAll(".happened p").length,
    calls: ends(".calls li"),
    said: document.querySelectorAll(".calls li").length,
    first: ends(".question:first-of-type :is(input:not([type=radio]), .options label, .pills .chip)").slice(0, 1),
    submit: ends(".submit-bar button[type=submit]"),
    clipped: ["#table", ".scene", ".drill-log"].some((which) => {
      const part = document.querySelector(which);
      return getComputedStyle(part).overflowY !== "visible" && part.scrollHeight > part.clientHeight + 1;
    }),
    form: document.querySelector("#answer").offsetHeight,
    wide: document.documentElement.scrollWidth,
    tallest: Math.max(0, ...boxes(".question .options label").map((box) => box.height)),
    gaps: cells.filter((options) => {
      const { rowGap, paddingTop } = getComputedStyle(options);
      const [gap, pad] = [parseFloat(rowGap) || 0, parseFloat(paddingTop) || 0];
      const area = (one, around) => (one.offsetWidth + gap - around) * (one.offsetHeight + gap - around);
      const taken = [...options.querySelectorAll("label")].reduce((sum, one) => sum + area(one, 0), 0);
      return taken < 0.93 * area(options, 2 * pad);
    }).length,
  };
}"""
AT_THE_LAST_QUESTION = """() => {
  [...document.querySelectorAll(".question")].at(-1).scrollIntoView({ block: "center", behavior: "instant" });
  const seen = (which) => {
    const boxes = [...document.querySelectorAll(which)].map((one) => one.getBoundingClientRect());
    const box = boxes.find((one) => one.height);
    return box.bottom > 0 && box.top < innerHeight;
  };
  const upright = Boolean(document.querySelector(".upright"));
  return { table: seen(".table-before svg"), upright, submit: seen(".submit-bar button") };
}"""


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    """A page with the frame and the styles of the site, and no scripts."""
    context = chromium.new_context(locale="pt-PT", viewport=DESK, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    open_on(page, rendered(generate(*SUBJECTS[0], "fold", 1), "pt"), scripts=False)
    yield page
    context.close()


def at(page: Page, size: dict[str, int]) -> dict[str, Any]:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    found: dict[str, Any] = page.evaluate(MEASURED)
    return found


def below_the_fold(found: dict[str, Any]) -> list[str]:
    """What of a case is not inside the first screen at a desk."""
    parts = ("table", "happened", "calls", "first", "submit")
    if found["clipped"]:
        return ["something inside what scrolls by itself"]
    return [part for part in parts if any(top < 0 or bottom > DESK["height"] for top, bottom in found[part])]


def troubles(page: Page) -> Iterator[str]:
    desk, phone = at(page, DESK), at(page, PHONE)
    if hidden := below_the_fold(desk):
        yield f"below the fold: {hidden}"
    (top, bottom), *_ = desk["table"]
    if bottom - top < 260:
        yield f"a table {bottom - top} px high"
    for name, found, size in (("desk", desk, DESK), ("phone", phone, PHONE)):
        if not found["table"] or not found["first"] or not found["submit"]:
            yield f"{name}: no table, question or submit"
        if len(found["happened"]) < found["told"] or len(found["calls"]) < found["said"]:
            yield f"{name}: something that happened is folded away"
        if found["wide"] > size["width"]:
            yield f"{name}: {found['wide']} px wide"
        if found["gaps"]:
            yield f"{name}: an empty cell among options"
        if found["tallest"] > 80:
            yield f"{name}: an option {found['tallest']} px high"
    if phone["form"] > 2 * PHONE["height"]:
        yield f"{phone['form']} px of questions on a phone"
    last = page.evaluate(AT_THE_LAST_QUESTION)
    if not last["submit"] or not (last["table"] or last["upright"]):
        yield f"out of reach at the last question: {last}"


def test_what_is_needed_to_rule_is_in_sight_and_the_questions_are_short(desk: Page) -> None:
    found = {}
    for number, (book, topic) in enumerate(SUBJECTS):
        scenario = generate(book, topic, f"fold-{number}", 5)
        desk.evaluate(SHOWN, main_of(rendered(scenario, ("pt", "en")[number % 2])))
        if wrong := list(troubles(desk)):
            found[book, topic, number] = wrong
    assert found == {}


def test_the_measure_sees_what_is_below_the_fold(desk: Page) -> None:
    """A story too long for any screen is noticed, and so is one that is folded away."""
    desk.evaluate(SHOWN, main_of(rendered(generate(*SUBJECTS[1], "fold", 5), "pt")))
    desk.evaluate("document.querySelector('.calls').hidden = true")
    assert "phone: something that happened is folded away" in list(troubles(desk))
    desk.evaluate("document.querySelector('.happened p').append('x '.repeat(9000))")
    assert "happened" in below_the_fold(at(desk, DESK))


@pytest.mark.parametrize("book", ["pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "pt-ponto-banca-1995"])
def test_taps_that_an_answer_takes(book: str) -> None:
    """One for every question that is not typed, and one to submit: three for a plain third card, beyond the words."""
    for seed in range(20):
        topic = "drawing" if "ponto-banca" in book else "third_card"
        asked = presentation.questions(generate(book, topic, seed, 1 + seed % 3), "pt", {})
        picked = [question for question in asked if question.kind not in ("words", "amount", "number")]
        if topic == "third_card":
            assert len(picked) + 1 <= 3
        for question in picked:
            if question.kind == "player":  # one tap on a short pill
                assert all(len(option.pill) <= 2 for option in question.options if option.value[0].isdigit())
