"""Craps in a real browser: a cloth that can be read, a trainee who drills it, an instructor who writes a payout."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import rulebook, scenario_of
from rules_engine.games.craps import layout
from rules_engine.games.craps.table import Situation
from tests.browser.test_roulette import DESK, WIDTHS, answer_to, enter, spot, submit
from tests.browser.test_roulette_table import FONTS, MEASURE, SLACK, STYLE, overlapping
from tests.browser.walking import troubles
from tests.factories import PersonFactory
from tests.library.versions import instructor
from tests.practice.craps_tables import POINT, bet, crowded, settled, situation
from training.drawing import table_view
from training.library.models import Version
from training.platform.engine_json import document
from training.practice.models import Attempt, Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CRAPS = "pt-craps"
# A phone and the table's part of a desk.
SHEETS = [(360, "upright"), (720, "lying")]
PARTS = MEASURE.replace(".number,", ".box-number, .puck-body, .die rect,")
# Every spot that the point leaves open has chips of two players; somebody stands.
OPEN = [key for key in layout.SPOTS if not key.endswith(f"come.{POINT}") and not key.endswith(f"come-odds.{POINT}")]
FULL = situation(
    seats=(1, 2, 4, 5, 8),
    standing=("4a", "4b"),
    shooter="4",
    bets=(*(bet("4", key, 2) for key in OPEN), *(bet("4a", key, 12, 2_500) for key in OPEN)),
)
# The point 6 thrown the hard way: the line, its odds and the hardway win, the field loses, a come bet moves.
BETS: list[dict[str, Any]] = [
    {"player": "2", "chance": "pass", "count": 5, "value": 500},
    {"player": "2", "chance": "pass-odds", "count": 5, "value": 500},
    {"player": "3", "chance": "field", "count": 1, "value": 500},
    {"player": "4", "chance": "hard", "number": 6, "count": 1, "value": 500},
    {"player": "4", "chance": "come", "count": 2, "value": 1_000},
]
TABLE: dict[str, Any] = {"seats": [1, 2, 3, 4, 5], "minimum": 500, "point": 6, "dice": [3, 3], "bets": BETS}


# ---------- the cloth ----------


def show(page: Page, table: Situation, width: int, **how: Any) -> Page:
    page.set_viewport_size({"width": width, "height": 800})
    with translation.override("pt"):
        drawn = render_to_string("table/table.html", {"table": table_view(table, **how)})
    script = (Path(__file__).parents[2] / "training/static/sabot/drill-table.js").read_text()
    page.goto("about:blank")
    head = f"<!doctype html><html lang=pt><title>Craps</title><style>{STYLE}</style>"
    page.set_content(f"{head}<body><main>{drawn}</main><script>{script}</script>")
    return page


@pytest.mark.parametrize(("width", "sheet"), SHEETS)
@pytest.mark.parametrize("table", [FULL, *map(crowded, range(8))], ids=["full", *map(str, range(8))])
def test_nothing_covers_anything_else(page: Page, table: Situation, width: int, sheet: str) -> None:
    for after in (None, settled(table)):
        parts = show(page, table, width, after=after).evaluate(PARTS, sheet)
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


@pytest.mark.parametrize(("width", "sheet"), SHEETS)
def test_every_word_can_be_read(page: Page, width: int, sheet: str) -> None:
    show(page, FULL, width, after=settled(FULL))
    expect(page.locator(f"svg.{sheet}")).to_be_visible()
    expect(page.locator("svg:visible")).to_have_count(1)
    assert [(text, size) for text, size in page.evaluate(FONTS, sheet) if size < 11] == []


@pytest.mark.parametrize(("width", "sheet"), SHEETS)
def test_every_spot_can_be_pointed_at(page: Page, width: int, sheet: str) -> None:
    sizes = show(page, situation(), width, pointing="spot").evaluate(
        """sheet => [...document.querySelectorAll(`svg.${sheet} .target`)].map(target => {
          const { width, height } = target.getBoundingClientRect();
          return [target.dataset.point, width, height];
        })""",
        sheet,
    )
    assert {point for point, _, _ in sizes} == {f"spot:{key}" for key in layout.SPOTS}
    assert [size for size in sizes if min(size[1:]) < 24] == []


@pytest.mark.parametrize("pointing", ["", "spot"])
def test_the_cloth_is_open_to_everybody(page: Page, pointing: str) -> None:
    assert troubles(show(page, FULL, 720, pointing=pointing)) == []


# ---------- the trainee ----------


@pytest.fixture
def put(page: Page, live_server: LiveServer) -> Callable[..., Page]:
    """A drill with these facts before a trainee, at a width."""

    def go(topic: str, incident: dict[str, Any], size: tuple[int, int] = DESK, **facts: Any) -> Page:
        book, trainee = rulebook(CRAPS), PersonFactory()
        scenario = scenario_of(book.situation(**TABLE | facts, incident=incident), book, topic=topic)
        drill = Drill.objects.create(
            trainee=trainee, rulebook=CRAPS, topic=topic, difficulty=2, scenario_document=document(scenario)
        )
        page.set_viewport_size({"width": size[0], "height": size[1]})
        enter(page, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


@WIDTHS
def test_a_throw_is_called_and_paid(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    page = put("payout", {"kind": "called_and_paid"}, (width, height))
    answers = {
        "announcement": "Seis. Ganha o pass-line, perde o don't pass. Mesmo deitador, novo ponto",
        "collected": "500",
        "prize.2": "5500",
        "prize.3": "0",
        "prize.4": "4.500",
        "total": "10 000",
    }
    for key, value in answers.items():
        answer_to(page, key).fill(value)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    after = page.locator(".table-after svg:visible")
    expect(after.locator(".token.won")).to_have_count(3)
    expect(after.locator(".token.lost")).to_have_count(1)
    expect(after.locator('[data-point="spot:come.6"] .token')).to_have_count(1)
    expect(after.locator(".puck.off")).to_have_count(1)
    page.locator(".step .cite").nth(2).click()
    expect(after.locator(".spot.lit")).to_have_count(1)
    assert troubles(page) == []


@WIDTHS
def test_a_come_bet_is_moved_by_pointing(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    incident = {"kind": "come_rolled", "player": "4", "side": "come"}
    page = put("come", incident, (width, height), dice=[4, 5])
    page.locator("[data-key=come_ends] input[value=moves]").press(" ")
    spot(page, "come.8").click()
    # One spot is asked for: another takes its place.
    spot(page, "come.9").click()
    expect(answer_to(page, "lies_on")).to_have_value("come 9")
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    expect(page.locator('.table-after svg:visible [data-point="spot:come.9"] .token')).to_have_count(1)
    assert Attempt.objects.get().answer["parts"]["come_ends"] == "moves"


# ---------- the instructor ----------


@WIDTHS
def test_a_payout_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name="Portugal 1995 · craps", exact=True).click()
    page.get_by_role("link", name="Recolher e pagar o lançamento").click()
    verdict = page.locator("#ruled")
    expect(verdict).to_contain_text("art. VI")

    while page.locator('#f-bets [name$="-player"]').count() > 1:
        count = page.locator('#f-bets [name$="-player"]').count()
        page.get_by_role("button", name=f"Retirar: Apostas {count}", exact=True).click()
        expect(page.locator('#f-bets [name$="-player"]')).to_have_count(count - 1)
    page.get_by_label("Mínimo da banca").fill("500")
    page.get_by_label("Ponto", exact=True).select_option("8")
    page.get_by_label("Dados", exact=True).fill("3 3")
    seat = page.locator("#f-bets-0-player").input_value()
    page.locator("#f-bets-0-chance").select_option(label="casa de um número, a favor")
    page.locator("#f-bets-0-number").fill("7")
    expect(verdict).to_contain_text("Estes factos não são possíveis")
    page.locator("#f-bets-0-number").fill("6")
    page.locator("#f-bets-0-count").fill("6")
    page.locator("#f-bets-0-value").fill("500")
    expect(page.locator('#drawn .spot[data-point="spot:to-win.6"]:visible')).to_have_count(1)
    expect(verdict).to_contain_text("3\N{NO-BREAK SPACE}500$00")

    page.get_by_role("button", name="Acrescentar: Apostas").click()
    page.locator("#f-bets-1-player").select_option(seat)
    page.locator("#f-bets-1-chance").select_option(label="field")
    page.locator("#f-bets-1-count").fill("2")
    page.locator("#f-bets-1-value").fill("500")
    expect(page.locator('#drawn [data-point="spot:field"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}000$00")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_label("Título").first.fill("O seis a ganhar e o field")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert (ruling["total"], ruling["collected"]) == (3_500, 1_000)
