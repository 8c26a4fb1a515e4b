"""Black jack in a real browser: a trainee pays a table and points at seats, an instructor writes a coup."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import generate, rulebook, scenario_of
from tests.browser.drilling import see_the_solution
from tests.browser.test_roulette import DESK, PHONE, WIDTHS, answer_to, enter, submit
from tests.browser.walking import troubles
from tests.factories import PersonFactory
from tests.library.versions import instructor
from training.drawing import table_view
from training.library.models import Version
from training.platform.engine_json import document
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BLACK_JACK = "pt-black-jack"
STATIC = Path(__file__).parents[2] / "training" / "static" / "sabot"
STYLE = "".join((STATIC / f"{name}.css").read_text() for name in ("sabot", "table", "drill"))
# What must not lie on anything else: the printed name and the faces of a hand's cards may be covered by its own.
MEASURE = """() => {
  const svg = document.querySelector("svg.black_jack");
  const box = part => {
    const r = part.getBoundingClientRect();
    const spare = part.tagName === "text" ? 0.19 * r.height : 0;
    return [r.left, r.top + spare, r.right, r.bottom - spare];
  };
  const parts = ".mark .body, .croupier rect, .total, .prize, .heap-label, .token .chip, .field-name, .rank";
  return [...svg.querySelectorAll(parts)].filter(part => part.tagName !== "text" || part.textContent).map(part => ({
    name: `${part.getAttribute("class")} ${part.textContent || part.parentElement.textContent}`,
    box: box(part),
  }));
}"""
SLACK = 2.5  # pixels that edges may share
# Seat 1 has black jack, seat 3 ties and seat 5 has lost; seat 4 has bet on seat 5 too. The bank has nineteen.
TABLE: dict[str, Any] = {
    "seats": [1, 3, 4, 5],
    "minimum": 1_000,
    "hands": [
        {"seat": 1, "cards": ["As", "Kd"]},
        {"seat": 3, "cards": ["Ts", "9d"]},
        {"seat": 5, "cards": ["Th", "5d", "3c"]},
    ],
    "bets": [
        {"player": "1", "seat": 1, "amount": 3_000},
        {"player": "3", "seat": 3, "amount": 5_000},
        {"player": "5", "seat": 5, "amount": 2_000},
        {"player": "4", "seat": 5, "amount": 1_000},
    ],
    "bank_cards": ["Td", "9c"],
}


@pytest.fixture
def put(page: Page, live_server: LiveServer) -> Callable[..., Page]:
    """A drill with these facts before a trainee, at a width."""

    def go(topic: str, incident: dict[str, Any], size: tuple[int, int] = DESK, **facts: Any) -> Page:
        book, trainee = rulebook(BLACK_JACK), PersonFactory()
        scenario = scenario_of(book.situation(**TABLE | facts, incident=incident), book, topic=topic)
        drill = Drill.objects.create(
            trainee=trainee, rulebook=BLACK_JACK, topic=topic, difficulty=2, scenario_document=document(scenario)
        )
        page.set_viewport_size({"width": size[0], "height": size[1]})
        enter(page, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


def pick(page: Page, key: str, value: str) -> None:
    page.locator(f'.question[data-key="{key}"] input[value="{value}"] + label').click()


@WIDTHS
def test_a_table_is_valued_and_paid(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    page = put("payout", {"kind": "coup_over"}, (width, height))
    for hand, result in (("seat1", "black_jack"), ("seat3", "push"), ("seat5", "loses")):
        pick(page, f"result.{hand}", result)
    for key, value in {"prize.1": "4 500", "prize.3": "0", "prize.4": "0", "prize.5": "0", "collected": "2000"}.items():
        answer_to(page, key).fill(value)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    submit(page)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("3\N{NO-BREAK SPACE}000$00")
    after = page.locator(".table-after svg:visible")
    expect(after.locator(".prize").first).to_have_text("+4\N{NARROW NO-BREAK SPACE}500")
    expect(after.locator(".prize")).to_have_count(3)
    assert troubles(page) == []


def test_whose_a_card_is_is_told_by_pointing_at_the_seat(worker: None, put: Callable[..., Page]) -> None:
    facts = {
        "bank_cards": ["Td", "5c"],
        "loose": ["9h"],
        "hidden": ["bank.2", "loose.1"],
        "hands": [
            {"seat": 1, "cards": ["Ts", "8d"]},
            {"seat": 3, "cards": ["Ts", "9d"]},
            {"seat": 5, "cards": ["Th", "3c"]},
        ],
    }
    page = put("faults", {"kind": "card_unwanted", "seat": 1, "asking": [5]}, **facts)
    expect(page.locator('.table-before svg:visible use[href="#card-back"]')).to_have_count(2)
    page.locator('.table-before svg:visible [data-point="place:5"]').click()
    expect(page.locator('.question[data-key="goes_to"] input[value="5"]')).to_be_checked()
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    expect(page.locator('.table-after svg:visible [data-point="card:seat5.3"]')).to_have_count(1)


@WIDTHS
def test_a_coup_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name="Portugal 1995 · black jack/21", exact=True).click()
    page.get_by_role("link", name="Fim da jogada: pagar e recolher").click()
    verdict = page.locator("#ruled")
    for name, label in (("bets", "Apostas"), ("hands", "Mãos, pela ordem dos lugares")):
        rows = page.locator(f'#f-{name} [name$="-seat"]')
        while (count := rows.count()) > 1:
            page.get_by_role("button", name=f"Retirar: {label} {count}", exact=True).click()
            expect(rows).to_have_count(count - 1)
    player = page.locator("#f-bets-0-player").input_value()
    seat = page.locator("#f-hands-0-seat").input_value()
    page.locator("#f-bets-0-seat").fill(seat)
    page.locator("#f-bets-0-insurance").fill("0")
    page.locator("#f-bets-0-amount").fill("4000")
    page.locator("#f-hands-0-cards").fill("As K♦")
    page.locator("#f-bank_cards").fill("Td")
    expect(verdict).to_contain_text("Estes factos não são possíveis")
    page.locator("#f-bank_cards").fill("10d 9c")
    # Leaving a field checks once more what was typed.
    with page.expect_response("**/scenarios/new/**"):
        page.locator("#f-bank_cards").press("Tab")
    expect(verdict).to_contain_text("6\N{NO-BREAK SPACE}000$00")
    expect(verdict).to_contain_text("art. 21")
    expect(page.locator(f'#drawn [data-point="card:seat{seat}.2"]:visible')).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_label("Título").first.fill("Black jack contra dezanove")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert (ruling[f"result.seat{seat}"], ruling[f"prize.{player}"]) == ("black_jack", 6_000)


def overlapping(one: list[float], other: list[float]) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > SLACK and high > SLACK


@pytest.mark.parametrize("width", [PHONE[0], 900])
def test_nothing_that_is_read_covers_anything_else(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for topic in ("payout", "insurance", "split", "seats", "bank", "faults"):
        for seed in range(5):
            scenario = generate(BLACK_JACK, topic, f"drawn {seed}", 5)
            for after in (None, scenario.solve().after):
                with translation.override("pt"):
                    table = table_view(scenario.situation, currency="PTE", after=after)
                    drawn = render_to_string("table/table.html", {"table": table})
                page.set_content(f"<!doctype html><style>{STYLE}</style><body>{drawn}")
                parts = page.evaluate(MEASURE)
                touching = [
                    (one["name"], other["name"])
                    for one, other in combinations(parts, 2)
                    if overlapping(one["box"], other["box"])
                ]
                assert touching == [], (topic, seed)
                assert all(part["box"][0] >= 0 and part["box"][2] <= width for part in parts)
