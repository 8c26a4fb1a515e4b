"""The roulette cloth in a real browser: nothing covers anything else, everything can be read and pointed at."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, expect

from rules_engine.games.roulette import layout
from rules_engine.games.roulette.table import Situation
from tests.browser.walking import troubles
from tests.practice.roulette_tables import bet, crowded, settled, situation
from training.drawing import table_view

pytestmark = pytest.mark.browser
STATIC = Path(__file__).parents[2] / "training" / "static" / "sabot"
STYLE = "".join((STATIC / f"{name}.css").read_text() for name in ("sabot", "table", "drill"))
# A phone and the table's part of a desk.
WIDTHS = [(360, "upright"), (720, "lying")]
SLACK = 1.5  # pixels that edges may share
MEASURE = """sheet => {
  const svg = document.querySelector(`svg.${sheet}`);
  const parts = `.number, .field-print, .prize, .sign, .sign-text, .board, .swatch, .marker, .mark .body,
    .croupier rect, .token .chip, .wheel-rim`;
  const box = part => {
    const r = part.getBoundingClientRect();
    // The box of a text has room for accents and tails, about a fifth of it above and below the letters.
    const spare = part.tagName === "text" ? 0.19 * r.height : 0;
    return [r.left, r.top + spare, r.right, r.bottom - spare];
  };
  return [...svg.querySelectorAll(parts)].map(part => ({
    name: `${part.getAttribute("class")} ${part.textContent || part.parentElement.textContent}`,
    spot: part.closest(".spot")?.dataset.point ?? "",
    box: box(part),
    print: [...(part.closest(".token")?.querySelectorAll("text") ?? [])].map(box),
  }));
}"""
FONTS = """sheet => {
  const svg = document.querySelector(`svg.${sheet}`);
  return [...svg.querySelectorAll("text")].map(text => [
    text.textContent, parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(
      text.getScreenCTM().a * text.getScreenCTM().d - text.getScreenCTM().b * text.getScreenCTM().c))]);
}"""
FULL = situation(
    seats=(1, 2, 4, 5, 8),
    standing=("4a", "4b"),
    number=17,
    previous=23,
    bets=(
        *(bet("4", key, 2) for chance in ("straight", "split", "street", "corner", "line")
          for key in layout.around(17, chance)),
        *(bet(player, "red", 12, 2_500) for player in ("1", "2", "4a")),
        *(bet("8", key) for key in ("dozen.2", "dozens.1-2", "column.2", "columns.2-3", "0", "0-2", "0-1-2-3")),
    ),
)  # fmt: skip


@pytest.fixture
def show(page: Page) -> Callable[..., Page]:
    def put(table: Situation, width: int, **how: Any) -> Page:
        page.set_viewport_size({"width": width, "height": 800})
        with translation.override("pt"):
            drawn = render_to_string("table/table.html", {"table": table_view(table, **how)})
        script = (STATIC / "drill-table.js").read_text()
        page.goto("about:blank")
        head = f"<!doctype html><html lang=pt><title>Roleta</title><style>{STYLE}</style>"
        page.set_content(f"{head}<body><main>{drawn}</main><script>{script}</script>")
        return page

    return put


def overlapping(one: list[float], other: list[float]) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > SLACK and high > SLACK


@pytest.mark.parametrize(("width", "sheet"), WIDTHS)
@pytest.mark.parametrize("table", [FULL, *map(crowded, range(8))], ids=["full", *map(str, range(8))])
def test_nothing_covers_anything_else(show: Callable[..., Page], table: Situation, width: int, sheet: str) -> None:
    for after in (None, settled(table)):
        parts = show(table, width, after=after).evaluate(MEASURE, sheet)
        assert sum("chip" in part["name"] for part in parts) == len(table.bets)
        touching = [
            (one["name"], other["name"])
            for one, other in combinations(parts, 2)
            if overlapping(one["box"], other["box"]) and not (one["spot"] and one["spot"] == other["spot"])
        ]
        assert touching == []
        for part in parts:
            left, top, right, _bottom = part["box"]
            for text in part["print"]:
                assert text[0] >= left - SLACK and text[2] <= right + SLACK, part["name"]
            assert left >= 0 and right <= width and top >= 0, part["name"]


@pytest.mark.parametrize(("width", "sheet"), WIDTHS)
def test_every_word_can_be_read(show: Callable[..., Page], width: int, sheet: str) -> None:
    page = show(FULL, width, after=settled(FULL))
    expect(page.locator(f"svg.{sheet}")).to_be_visible()
    expect(page.locator("svg:visible")).to_have_count(1)
    small = [(text, size) for text, size in page.evaluate(FONTS, sheet) if size < 11]
    assert small == []


@pytest.mark.parametrize(("width", "sheet"), WIDTHS)
def test_every_spot_can_be_pointed_at(show: Callable[..., Page], width: int, sheet: str) -> None:
    page = show(situation(), width, pointing="spot")
    sizes = page.evaluate(
        """sheet => [...document.querySelectorAll(`svg.${sheet} .target`)].map(target => {
          const { width, height } = target.getBoundingClientRect();
          return [target.dataset.point, width, height];
        })""",
        sheet,
    )
    assert {point for point, _, _ in sizes} == {f"spot:{key}" for key in layout.spots()}
    assert [size for size in sizes if min(size[1:]) < 24] == []


@pytest.mark.parametrize("pointing", ["", "spot"])
def test_the_cloth_is_open_to_everybody(show: Callable[..., Page], pointing: str) -> None:
    page = show(FULL, 720, pointing=pointing)
    assert troubles(page) == []


def test_spots_are_reached_by_keys(show: Callable[..., Page]) -> None:
    page = show(situation(), 720, pointing="spot")
    at = page.locator("svg.lying .target:focus")
    page.keyboard.press("Tab")
    expect(at).to_have_attribute("data-point", "spot:0")
    page.locator('svg.lying .target[data-point="spot:17"]').focus()
    for key, point in (
        ("ArrowRight", "14-17"),
        ("ArrowRight", "14"),
        ("ArrowUp", "13-14"),
        ("ArrowLeft", "13-14-16-17"),
    ):
        page.keyboard.press(key)
        expect(at).to_have_attribute("data-point", f"spot:{point}")
    assert page.locator('svg.lying .target[tabindex="0"]').count() == 1
