"""Banca francesa in a real browser: a trainee pays the table and points at the cloth, an instructor writes a payout."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import rulebook, scenario_of
from tests.browser.drilling import see_the_solution
from tests.browser.walking import troubles
from tests.factories import PersonFactory
from tests.library.versions import instructor
from training.library.models import Version
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BANCA = "pt-banca-francesa"
PHONE, DESK = (360, 740), (1280, 800)
WIDTHS = pytest.mark.parametrize(("width", "height"), [PHONE, DESK], ids=["phone", "desk"])


def bet(player: str, spot: str, count: int = 1, value: int = 500) -> dict[str, Any]:
    return {"player": player, "spot": spot, "count": count, "value": value}


# 15 points: big wins in its field and for half on the inner line; small, aces and half of the outer line are lost.
BETS = [
    bet("1", "aces"),
    bet("2", "small", 4),
    bet("3", "big", 3),
    bet("4", "big.line", 4),
    bet("5", "small.line", 4),
]
TABLE: dict[str, Any] = {"seats": [1, 2, 3, 4, 5], "minimum": 500, "dice": [4, 5, 6], "bets": BETS}


def enter(page: Page, person: User, server: LiveServer) -> None:
    """Sign in without the form: that is tested elsewhere."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": server.url}])


@pytest.fixture
def put(page: Page, live_server: LiveServer) -> Callable[..., Page]:
    """A drill with these facts before a trainee, at a width."""

    def go(topic: str, incident: dict[str, Any], size: tuple[int, int] = DESK, **facts: Any) -> Page:
        book, trainee = rulebook(BANCA), PersonFactory()
        scenario = scenario_of(book.situation(**TABLE | facts, incident=incident), book, topic=topic)
        drill = Drill.objects.create(
            trainee=trainee, rulebook=BANCA, topic=topic, difficulty=2, scenario_document=document(scenario)
        )
        page.set_viewport_size({"width": size[0], "height": size[1]})
        enter(page, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


def spot(page: Page, key: str) -> Any:
    return page.locator(f'.table-before svg:visible .target[data-point="spot:{key}"]')


def answer_to(page: Page, key: str) -> Any:
    return page.locator(f'.question[data-key="{key}"] input:not([type=radio], [type=checkbox])')


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submeter").click()
    expect(page.locator(".verdict")).to_be_visible(timeout=10_000)


# ---------- the trainee ----------


@WIDTHS
def test_the_table_is_announced_collected_and_paid(
    worker: None, put: Callable[..., Page], width: int, height: int
) -> None:
    page = put("payout", {"kind": "dice_down"}, (width, height))
    expect(page.locator(".table-before svg:visible .die")).to_have_count(3)
    answers = {
        "announcement": "Grande",
        "collected": "3500",
        "prize.1": "0",
        "prize.2": "0",
        "prize.3": "1.500",
        "prize.4": "2000",
        "prize.5": "0",
        "total": "2500",
    }
    for key, value in answers.items():
        answer_to(page, key).fill(value)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    submit(page)
    # The inner line plays for half: only that sum was wrong.
    expect(page.locator(".part.right")).to_have_count(7)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("1\N{NO-BREAK SPACE}000$00")
    after = page.locator(".table-after svg:visible")
    expect(after.locator(".token.won")).to_have_count(2)
    expect(after.locator(".token.lost")).to_have_count(3)
    expect(after.locator('.spot[data-point="spot:big.line"] .worth')).to_have_text("+1k")
    expect(after.locator('.spot[data-point="spot:small.line"] .worth')).to_have_text("−1k")
    expect(page.get_by_text("O lugar 5, risco exterior: recolhem-se 1\N{NO-BREAK SPACE}000$00")).to_be_visible()
    page.locator(".step", has_text="a aposta é metade").first.locator(".cite").click()
    expect(after.locator(".spot.lit")).to_have_count(1)
    assert troubles(page) == []


@WIDTHS
def test_chips_are_put_on_a_line_by_pointing(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    incident = {"kind": "bet_asked", "player": "2", "chance": "small", "count": 4, "value": 500, "plays": 1_000}
    page = put("bets", incident, (width, height), bets=[], dice=[])
    spot(page, "aces").click()
    expect(answer_to(page, "put_where")).to_have_value("ases")
    # A band runs round the table: it is hit in a leg, not in the middle of the room it takes.
    leg = spot(page, "small.line").bounding_box()
    assert leg is not None
    page.mouse.click(leg["x"] + 6, leg["y"] + leg["height"] - 10)
    expect(answer_to(page, "put_where")).to_have_value("risco exterior")
    expect(spot(page, "small.line")).to_have_attribute("aria-pressed", "true")
    expect(spot(page, "aces")).to_have_attribute("aria-pressed", "false")
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")


def test_the_cloth_is_walked_by_keys_alone(worker: None, put: Callable[..., Page]) -> None:
    incident = {"kind": "bet_asked", "player": "2", "chance": "big", "count": 4, "value": 500, "plays": 1_000}
    page = put("bets", incident, bets=[], dice=[])
    reached = set()
    spot(page, "aces").focus()
    for _ in range(len(rulebook(BANCA).game.spots)):
        reached.add(page.evaluate("document.activeElement.dataset.point"))
        page.keyboard.press("ArrowUp")
    assert reached == {f"spot:{key}" for key in rulebook(BANCA).game.spots}


def test_losers_are_put_in_order_by_pointing_at_their_seats(worker: None, put: Callable[..., Page]) -> None:
    bets = [bet(player, "big") for player in "1345"]
    page = put("paying", {"kind": "collecting", "first": "3"}, bets=bets, dice=[1, 2, 3])
    for place in "3154":
        page.locator(f'.table-before svg:visible [data-point="place:{place}"]').click()
    expect(answer_to(page, "collect_order")).to_have_value("3, 1, 5, 4")
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")


# ---------- the instructor ----------


@WIDTHS
def test_a_payout_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name="Portugal 1995 · banca francesa", exact=True).click()
    page.get_by_role("link", name="Dados parados: recolher e pagar").click()
    verdict = page.locator("#ruled")
    expect(verdict).to_contain_text("art. IV")

    page.get_by_label("Os dados mostram").fill("6 6")
    expect(verdict).to_contain_text("Estes factos não são possíveis")
    page.get_by_label("Os dados mostram").fill("6 6 4")
    page.get_by_label("Mínimo da banca").fill("500")
    while page.locator('#f-bets [name$="-player"]').count() > 1:
        count = page.locator('#f-bets [name$="-player"]').count()
        page.get_by_role("button", name=f"Retirar: Apostas {count}", exact=True).click()
        expect(page.locator('#f-bets [name$="-player"]')).to_have_count(count - 1)
    seat = page.locator("#f-bets-0-player").input_value()
    page.locator("#f-bets-0-spot").select_option(label="risco interior")
    page.locator("#f-bets-0-count").fill("6")
    page.locator("#f-bets-0-value").fill("500")
    expect(page.locator('#drawn .spot[data-point="spot:big.line"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}500$00")

    page.get_by_role("button", name="Acrescentar: Apostas").click()
    page.locator("#f-bets-1-player").select_option(seat)
    page.locator("#f-bets-1-spot").select_option(label="ases")
    page.locator("#f-bets-1-count").fill("2")
    page.locator("#f-bets-1-value").fill("500")
    expect(page.locator('#drawn .spot[data-point="spot:aces"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}000$00")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_label("Título").first.fill("O risco interior e os ases")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert (ruling["total"], ruling["collected"]) == (1_500, 1_000)
