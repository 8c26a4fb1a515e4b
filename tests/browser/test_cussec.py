"""Cussec in a real browser: a board that can be read, a trainee who pays it, an instructor who writes a payout."""

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
from rules_engine.games.cussec import layout
from rules_engine.games.cussec.table import Situation
from tests.browser.test_roulette import DESK, PHONE, WIDTHS, answer_to, enter, spot, submit
from tests.browser.test_roulette_table import FONTS, MEASURE, SLACK, STYLE, overlapping
from tests.browser.walking import troubles
from tests.factories import PersonFactory
from tests.library.versions import instructor
from tests.practice.cussec_tables import bet, crowded, settled, situation
from training.drawing import table_view
from training.library.models import Version
from training.platform.engine_json import document
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CUSSEC = "pt-cussec"
# A phone and the table's part of a desk.
SHEETS = [(360, "upright"), (720, "lying")]
# Two of a kind share a zone, every zone has chips, somebody stands.
FULL = situation(
    seats=(1, 2, 4, 5, 8),
    standing=("4a", "4b"),
    dice=(2, 2, 2),
    bets=(*(bet("4", key, 2) for key in layout.SPOTS), *(bet("4a", key, 12, 2_500) for key in layout.SPOTS)),
)
# 2, 2 and 5: small, double 2 and combination 2-5 win.
BETS = [
    {"player": "2", "chance": "double", "numbers": [2], "count": 1, "value": 500},
    {"player": "2", "chance": "pair", "numbers": [2, 5], "count": 2, "value": 500},
    {"player": "3", "chance": "big", "count": 1, "value": 500},
    {"player": "4", "chance": "small", "count": 3, "value": 1_000},
]
TABLE: dict[str, Any] = {"seats": [1, 2, 3, 4, 5], "dice": [2, 5, 2], "bets": BETS}


# ---------- the board ----------


def show(page: Page, table: Situation, width: int, **how: Any) -> Page:
    page.set_viewport_size({"width": width, "height": 800})
    with translation.override("pt"):
        drawn = render_to_string("table/table.html", {"table": table_view(table, **how)})
    script = (Path(__file__).parents[2] / "training/static/sabot/drill-table.js").read_text()
    page.goto("about:blank")
    head = f"<!doctype html><html lang=pt><title>Cussec</title><style>{STYLE}</style>"
    page.set_content(f"{head}<body><main>{drawn}</main><script>{script}</script>")
    return page


@pytest.mark.parametrize(("width", "sheet"), SHEETS)
@pytest.mark.parametrize("table", [FULL, *map(crowded, range(3))], ids=["full", *map(str, range(3))])
def test_nothing_covers_anything_else(page: Page, table: Situation, width: int, sheet: str) -> None:
    measure = MEASURE.replace(".wheel-rim`", ".printed-die, .stand, .die`")
    for after in (None, settled(table)):
        parts = show(page, table, width, after=after).evaluate(measure, sheet)
        assert sum("chip" in part["name"] for part in parts) == len(table.bets)
        # A die is made of its edge and lies on the apparatus.
        apart = [part for part in parts if not part["name"].startswith(("die", "stand"))]
        touching = [
            (one["name"], other["name"])
            for one, other in combinations(apart, 2)
            if overlapping(one["box"], other["box"]) and not (one["spot"] and one["spot"] == other["spot"])
        ]
        assert touching == []
        (stand,) = (part for part in parts if part["name"].startswith("stand"))
        assert not [part["name"] for part in apart if overlapping(part["box"], stand["box"])]
        for part in apart:
            left, top, right, _bottom = part["box"]
            for text in part["print"]:
                assert text[0] >= left - SLACK and text[2] <= right + SLACK, part["name"]
            assert left >= 0 and right <= width and top >= 0, part["name"]


@pytest.mark.parametrize(("width", "sheet"), SHEETS)
def test_every_word_can_be_read_and_every_zone_pointed_at(page: Page, width: int, sheet: str) -> None:
    show(page, FULL, width, after=settled(FULL))
    expect(page.locator(f"svg.{sheet}")).to_be_visible()
    expect(page.locator("svg:visible")).to_have_count(1)
    assert [(text, size) for text, size in page.evaluate(FONTS, sheet) if size < 11] == []
    assert troubles(page) == []
    show(page, situation(), width, pointing="spot")
    sizes = page.evaluate(
        """sheet => [...document.querySelectorAll(`svg.${sheet} .target`)].map(target => {
          const { width, height } = target.getBoundingClientRect();
          return [target.dataset.point, width, height];
        })""",
        sheet,
    )
    assert {point for point, _, _ in sizes} == {f"spot:{key}" for key in layout.SPOTS}
    assert [size for size in sizes if min(size[1:]) < 24] == []


# ---------- the trainee ----------


@pytest.fixture
def put(page: Page, live_server: LiveServer) -> Callable[..., Page]:
    """A drill with these facts before a trainee, at a width."""

    def go(topic: str, incident: dict[str, Any], size: tuple[int, int] = DESK, **facts: Any) -> Page:
        book, trainee = rulebook(CUSSEC), PersonFactory()
        scenario = scenario_of(book.situation(**TABLE | facts, incident=incident), book, topic=topic)
        drill = Drill.objects.create(
            trainee=trainee, rulebook=CUSSEC, topic=topic, difficulty=2, scenario_document=document(scenario)
        )
        page.set_viewport_size({"width": size[0], "height": size[1]})
        enter(page, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


@WIDTHS
def test_a_coup_is_announced_valued_and_paid(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    page = put("payout", {"kind": "result_out"}, (width, height))
    expect(page.locator("svg:visible .glowing")).to_have_count(0)
    answers = {
        "announcement": "dois, dois e cinco, total nove, pequeno",
        "prize.2": "10000",
        "prize.3": "0",
        "prize.4": "3 000",
        "total": "13.000",
        "collected": "500",
    }
    for key, value in answers.items():
        page.locator(f'.question[data-key="{key}"]').locator("input:not([type=radio], [type=checkbox]), textarea").fill(
            value
        )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    after = page.locator(".table-after svg:visible")
    expect(after.locator(".glowing")).to_have_count(6)
    expect(after.locator(".token.won")).to_have_count(3)
    expect(after.locator(".token.lost")).to_have_count(1)
    expect(page.get_by_text("O lugar 2, combinação 2-5: pagam-se 5\N{NO-BREAK SPACE}000$00")).to_be_visible()
    assert troubles(page) == []


def test_the_zone_lit_by_mistake_is_pointed_at(worker: None, put: Callable[..., Page]) -> None:
    zones = ["small", "double.2", "triple.2", "triples", "total.6", "single.2"]
    page = put("chances", {"kind": "zones_lit", "zones": zones}, PHONE, dice=[2, 2, 2], bets=[])
    expect(page.locator("svg:visible .glowing")).to_have_count(6)
    page.locator("[data-key=zone_fault] input[value=lit_wrongly]").press(" ")
    spot(page, "total.6").click()
    spot(page, "small").click()
    expect(answer_to(page, "wrong_zone")).to_have_value("pequeno")
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    expect(page.locator(".table-after svg:visible .glowing")).to_have_count(5)


# ---------- the instructor ----------


@WIDTHS
def test_a_payout_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name="Portugal 1995 · cussec", exact=True).click()
    page.get_by_role("link", name="Resultado: anunciar e pagar").click()
    verdict = page.locator("#ruled")
    expect(verdict).to_contain_text("art. VII 8")

    while page.locator('#f-bets [name$="-player"]').count() > 1:
        count = page.locator('#f-bets [name$="-player"]').count()
        page.get_by_role("button", name=f"Retirar: Apostas {count}", exact=True).click()
        expect(page.locator('#f-bets [name$="-player"]')).to_have_count(count - 1)
    seat = page.locator("#f-bets-0-player").input_value()
    page.get_by_label("Faces de cima dos três dados").fill("3 3 3")
    page.locator("#f-bets-0-chance").select_option(label="combinação de dois")
    page.locator("#f-bets-0-numbers").fill("3 3")
    expect(verdict).to_contain_text("Estes factos não são possíveis")
    page.locator("#f-bets-0-chance").select_option(label="duplo")
    page.locator("#f-bets-0-numbers").fill("3")
    page.locator("#f-bets-0-count").fill("3")
    page.locator("#f-bets-0-value").fill("500")
    expect(page.locator('#drawn [data-point="spot:double.3"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("45\N{NO-BREAK SPACE}000$00")

    page.get_by_role("button", name="Acrescentar: Apostas").click()
    page.locator("#f-bets-1-player").select_option(seat)
    page.locator("#f-bets-1-chance").select_option(label="pequeno")
    page.locator("#f-bets-1-count").fill("2")
    page.locator("#f-bets-1-value").fill("500")
    expect(verdict).to_contain_text("art. VII 9")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_label("Título").first.fill("Um triplo contra o pequeno")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert (ruling["total"], ruling["collected"]) == (45_000, 1_000)
