"""Roulette in a real browser: a trainee answers on the cloth, an instructor writes a payout."""

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
from training.practice.models import Attempt, Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FRENCH = "pt-roleta-francesa"
PHONE, DESK = (360, 740), (1280, 800)
WIDTHS = pytest.mark.parametrize(("width", "height"), [PHONE, DESK], ids=["phone", "desk"])


def bet(player: str, chance: str, *numbers: int, count: int = 1) -> dict[str, Any]:
    return {"player": player, "chance": chance, "numbers": list(numbers), "count": count, "value": 500}


# 17 is out: seat 2 has a split and a straight-up bet on it, seat 4 the first dozen, seat 5 black; red has lost.
BETS = [
    bet("2", "straight", 17, count=2),
    bet("2", "split", 17, 20),
    bet("3", "red"),
    bet("4", "dozen", 2),
    bet("5", "black", count=3),
]
TABLE: dict[str, Any] = {"seats": [1, 2, 3, 4, 5], "minimum": 500, "number": 17, "bets": BETS}


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
        book, trainee = rulebook(FRENCH), PersonFactory()
        scenario = scenario_of(book.situation(**TABLE | facts, incident=incident), book, topic=topic)
        drill = Drill.objects.create(
            trainee=trainee, rulebook=FRENCH, topic=topic, difficulty=2, scenario_document=document(scenario)
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
def test_a_spot_is_pointed_at_and_the_table_ends_paid(
    worker: None, put: Callable[..., Page], width: int, height: int
) -> None:
    page = put("payout", {"kind": "prize_traced", "player": "2", "prize": 8_500}, (width, height))
    spot(page, "17").click()
    expect(answer_to(page, "paid_spot")).to_have_value("17")
    # One spot is asked for: another takes its place.
    spot(page, "17-20").click()
    expect(answer_to(page, "paid_spot")).to_have_value("17-20")
    expect(spot(page, "17-20")).to_have_attribute("aria-pressed", "true")
    expect(spot(page, "17")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    after = page.locator(".table-after svg:visible")
    expect(after.locator(".token.won")).to_have_count(4)
    expect(after.locator(".token.lost")).to_have_count(1)
    expect(after.locator('[data-point="spot:17-20"] .worth')).to_have_text("+8,5k")
    expect(page.get_by_text("O lugar 3, encarnado: recolhem-se 500$00")).to_be_visible()
    expect(page.get_by_text("O lugar 2, cavalo 17-20: pagam-se 8\N{NO-BREAK SPACE}500$00")).to_be_visible()
    page.locator(".step .cite").first.click()
    expect(after.locator('[data-point="spot:17-20"].lit')).to_have_count(1)
    assert troubles(page) == []


@WIDTHS
def test_a_payout_is_typed(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    page = put("payout", {"kind": "number_out"}, (width, height))
    sums = {
        "prize.2": "43500",
        "prize.3": "0",
        "prize.4": "1.000",
        "prize.5": "1 500",
        "total": "46000",
        "collected": "400",
    }
    for key, value in sums.items():
        answer_to(page, key).fill(value)
    # What is no number is a slip: it is said before anything is sent.
    answer_to(page, "collected").fill("abc")
    page.get_by_role("button", name="Submeter").click()
    expect(page.get_by_text("escreva um número")).to_be_visible()
    expect(answer_to(page, "collected")).to_be_focused()
    assert answer_to(page, "prize.5").input_value() == "1 500"
    answer_to(page, "collected").fill("400")
    submit(page)
    expect(page.locator(".part.right")).to_have_count(5)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("500$00")


def test_winners_are_put_in_order_by_pointing_at_their_spots_and_by_name(
    worker: None, put: Callable[..., Page]
) -> None:
    page = put("paying", {"kind": "winners_to_pay"}, bets=[BETS[0], *BETS[3:]])
    order = answer_to(page, "pay_order")
    spot(page, "dozen.2").click()
    spot(page, "17").click()
    expect(order).to_have_value("segunda dúzia, 17")
    # Pointed at again it is taken out; a button puts it in as well.
    spot(page, "17").click()
    page.locator("[data-add=black]").click()
    expect(order).to_have_value("segunda dúzia, preto")
    expect(spot(page, "black")).to_have_attribute("aria-pressed", "true")
    order.fill("2.ª dúzia, preto, pleno 17")
    expect(spot(page, "black")).to_have_attribute("aria-pressed", "true")
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")


def test_numbers_are_found_by_keys_alone(worker: None, put: Callable[..., Page]) -> None:
    incident = {"kind": "spot_asked", "chance": "street", "first": 16, "number": 18}
    page = put("numbers", incident, bets=[], number=None)
    page.locator("[data-key=covers_count] input").first.focus()
    page.locator("[data-key=covers_count] input[value='3']").press(" ")
    spot(page, "16").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
    expect(answer_to(page, "covers")).to_have_value("16, 17, 18")
    page.locator("[data-key=covered] input[value=yes]").press(" ")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo", timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["covers"] == "16, 17, 18"


def test_the_number_to_mark_is_not_given_away(put: Callable[..., Page]) -> None:
    page = put("spin", {"kind": "ball_comes_down", "number": 12, "ball": "settled"}, bets=[], number=None)
    expect(page.locator("svg:visible .marker")).to_have_count(0)
    spot(page, "12").click()
    expect(answer_to(page, "marker")).to_have_value("12")
    # A line between two numbers is no number.
    spot(page, "12-15").click()
    expect(answer_to(page, "marker")).to_have_value("12")


def test_what_would_tell_the_answer_comes_to_light_with_the_mark(worker: None, put: Callable[..., Page]) -> None:
    page = put("wheel", {"kind": "neighbour_asked", "number": 17, "beside": 25}, bets=[], number=None)
    expect(page.locator("svg:visible .pocket")).to_have_count(0)
    answer_to(page, "neighbour").fill("34")
    submit(page)
    expect(page.locator("svg:visible .pocket")).to_have_count(37)


def test_on_a_phone_the_table_is_a_tap_away_from_the_questions(put: Callable[..., Page]) -> None:
    page = put("payout", {"kind": "prize_traced", "player": "2", "prize": 8_500}, PHONE)
    answer_to(page, "paid_spot").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="A mesa").click()
    expect(spot(page, "17-20")).to_be_in_viewport()
    spot(page, "17-20").click()
    page.keyboard.press("Escape")
    expect(answer_to(page, "paid_spot")).to_have_value("17-20")
    expect(answer_to(page, "paid_spot")).to_be_in_viewport()


# ---------- the instructor ----------


@WIDTHS
def test_a_payout_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name="Portugal 1995 · roleta francesa", exact=True).click()
    page.get_by_role("link", name="Saiu o número: recolher e pagar").click()
    verdict = page.locator("#ruled")
    expect(verdict).to_contain_text("art. X 20")

    page.get_by_label("Número", exact=True).fill("17")
    page.get_by_label("Mínimo da banca").fill("500")
    while page.locator('#f-bets [name$="-player"]').count() > 1:
        count = page.locator('#f-bets [name$="-player"]').count()
        page.get_by_role("button", name=f"Retirar: Apostas {count}", exact=True).click()
        expect(page.locator('#f-bets [name$="-player"]')).to_have_count(count - 1)
    seat = page.locator("#f-bets-0-player").input_value()
    page.locator("#f-bets-0-chance").select_option(label="cavalo")
    page.locator("#f-bets-0-numbers").fill("17 23")
    expect(verdict).to_contain_text("Estes factos não são possíveis")
    page.locator("#f-bets-0-numbers").fill("17, 20")
    page.locator("#f-bets-0-count").fill("3")
    page.locator("#f-bets-0-value").fill("500")
    expect(page.locator('#drawn [data-point="spot:17-20"]:visible')).to_have_count(1)
    expect(verdict).to_contain_text("25\N{NO-BREAK SPACE}500$00")

    page.get_by_role("button", name="Acrescentar: Apostas").click()
    page.locator("#f-bets-1-player").select_option(seat)
    page.locator("#f-bets-1-chance").select_option(label="encarnado")
    page.locator("#f-bets-1-count").fill("2")
    page.locator("#f-bets-1-value").fill("500")
    expect(page.locator('#drawn [data-point="spot:red"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}000$00")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_label("Título").first.fill("Um cavalo e o encarnado")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert (ruling["total"], ruling["collected"]) == (25_500, 1_000)
