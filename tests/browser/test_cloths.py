"""The cloths in a real browser: nothing covers anything else, and everything can be read and pointed at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import dist
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, expect

from rules_engine import generate
from rules_engine.games.craps import layout as craps_layout
from rules_engine.games.cussec import layout as cussec_layout
from rules_engine.games.roulette import layout as roulette_layout
from tests.browser.tables import STATIC, STYLE
from tests.browser.walking import look_for, troubles
from tests.practice import craps_tables, cussec_tables, roulette_tables
from tests.samples import sample
from training.drawing import table_view

pytestmark = pytest.mark.browser
# A phone and the table's part of a desk.
SHEETS = pytest.mark.parametrize(("width", "sheet"), [(360, "upright"), (720, "lying")])
SLACK = 1.5  # pixels that edges may share
MEASURE = """([svg, parts]) => {
  const box = part => {
    const r = part.getBoundingClientRect();
    // The box of a text has room for accents and tails, about a fifth of it above and below the letters.
    const spare = part.tagName === "text" ? 0.19 * r.height : 0;
    return [r.left, r.top + spare, r.right, r.bottom - spare];
  };
  const found = [...document.querySelector(svg).querySelectorAll(parts)];
  return found.filter(part => part.tagName !== "text" || part.textContent).map(part => ({
    name: `${part.getAttribute("class")} ${part.textContent || part.parentElement.textContent}`,
    spot: part.closest(".spot")?.dataset.point ?? "",
    box: box(part),
    face: [...(part.closest(".token")?.querySelectorAll(".inlay") ?? [])].map(box).at(-1),
    print: [...(part.closest(".token")?.querySelectorAll(".chip text") ?? [])].map(box),
  }));
}"""
FONTS = """sheet => {
  const svg = document.querySelector(`svg.${sheet}`);
  return [...svg.querySelectorAll("text")].map(text => [
    text.textContent, parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(
      text.getScreenCTM().a * text.getScreenCTM().d - text.getScreenCTM().b * text.getScreenCTM().c))]);
}"""
TARGETS = """sheet => [...document.querySelectorAll(`svg.${sheet} .target`)].map(target => {
  const { width, height } = target.getBoundingClientRect();
  return [target.dataset.point, width, height];
})"""
PARTS = ".field-print, .prize, .plaque, .sign-text, .board, .marker, .mark .body, .croupier rect, .token .chip-ring"


@dataclass(frozen=True)
class Cloth:
    tables: Any  # the module that makes tables of this game
    spots: tuple[str, ...]
    parts: str
    full: Any  # chips of several players on every spot, or on every kind of spot
    crowded: int  # crowded tables to try


def _full(tables: Any, spots: tuple[str, ...], **facts: Any) -> Any:
    """Two of a kind share every spot, and somebody stands."""
    bets = (*(tables.bet("4", key, 2) for key in spots), *(tables.bet("4a", key, 12, 2_500) for key in spots))
    return tables.situation(seats=(1, 2, 4, 5, 8), standing=("4a", "4b"), bets=bets, **facts)


AT_17 = tuple(
    key for chance in ("straight", "split", "street", "corner", "line") for key in roulette_layout.around(17, chance)
)
TAKEN = (f"come.{craps_tables.POINT}", f"come-odds.{craps_tables.POINT}")  # the point leaves these closed
OPEN = tuple(key for key in craps_layout.SPOTS if not key.endswith(TAKEN))
CLOTHS = {
    "roulette": Cloth(
        roulette_tables,
        tuple(roulette_layout.spots()),
        f"{PARTS}, .figure",
        roulette_tables.situation(
            seats=(1, 2, 4, 5, 8),
            standing=("4a", "4b"),
            number=17,
            previous=23,
            bets=(
                *(roulette_tables.bet("4", key, 2) for key in AT_17),
                *(roulette_tables.bet(player, "red", 12, 2_500) for player in ("1", "2", "4a")),
                *(
                    roulette_tables.bet("8", key)
                    for key in ("dozen.2", "dozens.1-2", "column.2", "columns.2-3", "0", "0-2", "0-1-2-3")
                ),
            ),
        ),
        crowded=8,
    ),
    "craps": Cloth(
        craps_tables,
        tuple(craps_layout.SPOTS),
        f"{PARTS}, .box-number, .puck-body, .die rect",
        _full(craps_tables, OPEN, shooter="4"),
        crowded=8,
    ),
    "cussec": Cloth(
        cussec_tables,
        tuple(cussec_layout.SPOTS),
        f"{PARTS}, .number, .printed-die, .stand, .die",
        _full(cussec_tables, tuple(cussec_layout.SPOTS), dice=(2, 2, 2)),
        crowded=3,
    ),
}
EVERY = pytest.mark.parametrize("cloth", CLOTHS.values(), ids=CLOTHS)


@pytest.fixture
def show(page: Page) -> Callable[..., Page]:
    def put(table: Any, width: int, **how: Any) -> Page:
        page.set_viewport_size({"width": width, "height": 900})
        with translation.override("pt"):
            drawn = render_to_string("table/table.html", {"table": table_view(table, **how)})
        script = (STATIC / "drill-table.js").read_text()
        page.goto("about:blank")
        head = f"<!doctype html><html lang=pt><title>Mesa</title><style>{STYLE}</style>"
        page.set_content(f"{head}<body><main>{drawn}</main><script>{script}</script>")
        return page

    return put


def _meet(one: dict[str, Any], other: dict[str, Any], slack: float) -> bool:
    wide = min(one["box"][2], other["box"][2]) - max(one["box"][0], other["box"][0])
    high = min(one["box"][3], other["box"][3]) - max(one["box"][1], other["box"][1])
    return wide > slack and high > slack


def _faces_meet(one: list[float], other: list[float], slack: float) -> bool:
    """Whether two discs lie on one another."""
    apart = dist(*(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in (one, other)))
    return apart < (one[2] - one[0] + other[2] - other[0]) / 2 - slack


def touching(parts: list[dict[str, Any]], slack: float = SLACK) -> Iterator[tuple[str, str]]:
    """Parts that lie on one another; what lies on one spot may, and of two piles the edges may, but not the faces."""
    for one, other in combinations(parts, 2):
        if one["spot"] and one["spot"] == other["spot"]:
            continue
        if (
            _faces_meet(one["face"], other["face"], slack)
            if one["face"] and other["face"]
            else _meet(one, other, slack)
        ):
            yield one["name"], other["name"]


@SHEETS
@EVERY
def test_nothing_covers_anything_else(show: Callable[..., Page], cloth: Cloth, width: int, sheet: str) -> None:
    for table in [cloth.full, *map(cloth.tables.crowded, range(sample(2, cloth.crowded)))]:
        for after in (None, cloth.tables.settled(table)):
            parts = show(table, width, after=after).evaluate(MEASURE, [f"svg.{sheet}", cloth.parts])
            assert sum("chip" in part["name"] for part in parts) == len(table.bets)
            # A die is made of its edge, and in cussec lies on the apparatus.
            dice_apart = [part for part in parts if cloth.tables is craps_tables or not part["name"].startswith("die")]
            apart = [part for part in dice_apart if not part["name"].startswith("stand")]
            assert list(touching(dice_apart)) == []
            for part in apart:
                left, top, right, _bottom = part["box"]
                for text in part["print"]:
                    assert text[0] >= left - SLACK and text[2] <= right + SLACK, part["name"]
                assert left >= 0 and right <= width and top >= 0, part["name"]
            stands = sum(part["name"].startswith("stand") for part in parts)
            assert stands == (cloth.tables is cussec_tables)


@SHEETS
@EVERY
def test_every_word_can_be_read_and_every_spot_pointed_at(
    show: Callable[..., Page], cloth: Cloth, width: int, sheet: str
) -> None:
    page = show(cloth.full, width, after=cloth.tables.settled(cloth.full))
    expect(page.locator(f"svg.{sheet}")).to_be_visible()
    expect(page.locator("svg:visible")).to_have_count(1)
    assert [(text, size) for text, size in page.evaluate(FONTS, sheet) if size < 11] == []
    sizes = show(cloth.tables.situation(), width, pointing="spot").evaluate(TARGETS, sheet)
    assert {point for point, _, _ in sizes} == {f"spot:{key}" for key in cloth.spots}
    assert [size for size in sizes if min(size[1:]) < 24] == []


@EVERY
def test_the_cloth_is_open_to_everybody(show: Callable[..., Page], cloth: Cloth) -> None:
    for how in ({"after": cloth.tables.settled(cloth.full)}, {"pointing": "spot"}):
        page = show(cloth.full, 720, **how)
        assert troubles(page, look_for(f"{cloth.parts} {list(how)}")) == []


def test_spots_are_reached_by_keys(show: Callable[..., Page]) -> None:
    page = show(roulette_tables.situation(), 720, pointing="spot")
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


@SHEETS
def test_nothing_covers_anything_else_at_black_jack(show: Callable[..., Page], width: int, sheet: str) -> None:
    """The printed name and the faces of a hand's cards may be covered by its own."""
    parts = ".mark .body, .croupier rect, .total, .prize, .heap-label, .token .chip-ring, .rank"
    for topic in ("payout", "insurance", "split", "seats", "bank", "faults"):
        for seed in range(sample(2, 5)):
            scenario = generate("pt-black-jack", topic, f"drawn {seed}", 5)
            for after in (None, scenario.solve().after):
                page = show(scenario.situation, width, currency="PTE", after=after)
                found = page.evaluate(MEASURE, [f"svg.black_jack.{sheet}", parts])
                assert list(touching(found, slack=2.5)) == [], (topic, seed)
                assert all(part["box"][0] >= 0 and part["box"][2] <= width for part in found)
