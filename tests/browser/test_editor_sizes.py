"""The editor at 1366×768: every game has the larger half and can be read, and the verdict stays in sight."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import GAMES
from tests.browser.test_editor import QUIET, enter
from tests.library.versions import instructor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE, HIGH = 1366, 768
SMALLEST_PRINT, SMALLEST_CHIP, SMALLEST_CARD = 11, 20, 32  # pixels
# For every game and cloth, incidents at tables with as much on them as there may be.
BUSY = {
    "pt-chemin-de-fer": ("chemin_de_fer", ["card_on_floor", "uncovered_win"]),
    "pt-ponto-banca-macau": ("ponto_banca", ["first_cards", "wrong_result"]),
    "pt-ponto-banca-1995": ("ponto_banca", ["third_card_slip", "table_laid_out"]),
    "pt-roleta-francesa": ("roulette", ["chips_knocked", "late_bet", "pockets_away"]),
    "pt-roleta-americana": ("roulette", ["number_out", "late_bet"]),
    "pt-banca-francesa": ("banca_francesa", ["wrong_chance", "settling"]),
    "pt-black-jack": ("black_jack", ["insurance_placed", "split_followed"]),
    "pt-craps": ("craps", ["prize_traced", "throw_to_pay", "dice_thrown"]),
    "pt-cussec": ("cussec", ["late_bet", "result_out"]),
    "pt-maquinas": ("machines", ["jackpot_stranded", "second_machine", "claim_made"]),
}
MEASURED = """() => {
  const svg = [...document.querySelectorAll("#drawn svg.table-drawing")].find(one => one.getBoundingClientRect().width);
  const box = part => part.getBoundingClientRect();
  const size = text => {
    const m = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(m.a * m.d - m.b * m.c));
  };
  const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim() && box(text).width);
  return {
    small: texts.map(text => [size(text), text.textContent.trim()]).sort(([one], [other]) => one - other)[0],
    chips: [...svg.querySelectorAll(".token .chip-ring, .stack .chip-ring")].map(one => box(one).width),
    cards: [...svg.querySelectorAll(".playing-card")].map(one => Math.min(box(one).width, box(one).height)),
  };
}"""


def test_every_game_is_measured() -> None:
    assert {game for game, _kinds in BUSY.values()} == set(GAMES)


def measured(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(MEASURED)
    return found


@pytest.mark.parametrize("book", BUSY)
def test_the_table_can_be_read_and_the_verdict_stays_in_sight(page: Page, live_server: LiveServer, book: str) -> None:
    enter(page, instructor(), live_server)
    page.set_viewport_size({"width": WIDE, "height": HIGH})
    for kind in BUSY[book][1]:
        page.goto(f"{live_server.url}/scenarios/new/?rulebook={book}&kind={kind}")
        verdict, felt, panel = page.locator("#verdict"), page.locator(".table-place"), page.locator(".editor-panel")
        expect(verdict).to_be_in_viewport(ratio=1)
        expect(verdict.locator(".say")).to_be_in_viewport(ratio=1)
        expect(verdict.locator(".article-link").first).to_be_in_viewport()
        expect(page.get_by_role("button", name="Guardar como rascunho")).to_be_in_viewport(ratio=1)
        table, facts = felt.bounding_box(), panel.bounding_box()
        assert table and facts and table["width"] * table["height"] > facts["width"] * facts["height"], kind
        assert table["width"] > WIDE / 2 and table["height"] > 500, kind
        sizes = measured(page)
        assert sizes["small"][0] >= SMALLEST_PRINT, (kind, sizes["small"])
        assert min(sizes["chips"], default=SMALLEST_CHIP) >= SMALLEST_CHIP, (kind, sizes["chips"])
        assert min(sizes["cards"], default=SMALLEST_CARD) >= SMALLEST_CARD, (kind, sizes["cards"])
        panel.evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
        expect(verdict).to_be_in_viewport(ratio=1)
        page.locator("[data-open=chips]").click()
        expect(page.locator("[data-panel=chips]")).to_be_in_viewport(ratio=1)


def test_a_table_that_is_higher_than_its_place_shows_its_near_edge_and_stays_where_it_is_moved(
    page: Page, live_server: LiveServer
) -> None:
    enter(page, instructor(), live_server)
    page.set_viewport_size({"width": WIDE, "height": HIGH})
    page.goto(f"{live_server.url}/scenarios/new/?rulebook=pt-craps&kind=dice_thrown")
    felt, stickman = page.locator(".table-place"), page.locator('#drawn svg:visible [data-id="place:croupier"]')
    expect(stickman.first).to_be_in_viewport()
    moved = felt.evaluate("felt => { felt.scrollTop = -999; return felt.scrollTop; }")
    assert moved < 0
    old = page.locator("#drawn").evaluate_handle("drawn => drawn")
    page.locator("#f-dice").fill("3 4")
    page.evaluate(QUIET)
    assert not old.evaluate("drawn => drawn.isConnected"), "the table was drawn again"
    assert felt.evaluate("felt => felt.scrollTop") == moved
    # Everything on it is reached by keys, also what is out of sight.
    felt.evaluate("felt => { felt.scrollTop = 0; }")
    page.keyboard.press("F2")
    expect(page.locator(":focus")).to_be_in_viewport(ratio=0.9)
