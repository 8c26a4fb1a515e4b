"""A case of every game but baccarat in a real browser: an instructor writes it and sends it to review."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import enter
from tests.browser.games import at_a_width, fits
from tests.library.versions import instructor
from training.library.models import Version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
IMPOSSIBLE = "Estes factos não são possíveis"


def open_form(page: Page, book: str, incident: str) -> Locator:
    """From the list of cases to the form; what is ruled on so far."""
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name=f"Portugal 1995 · {book}", exact=True).click()
    page.get_by_role("link", name=incident).click()
    expect(page.locator("#ruled")).to_be_visible()
    page.wait_for_load_state()  # only then does a script hear what is typed
    return page.locator("#ruled")


def leave_one_row(page: Page, name: str, label: str, of: str) -> None:
    rows = page.locator(f'#f-{name} [name$="-{of}"]')
    while (count := rows.count()) > 1:
        page.get_by_role("button", name=f"Retirar: {label} {count}", exact=True).click()
        expect(rows).to_have_count(count - 1)


def fill_bet(page: Page, row: int, count: str) -> None:
    page.locator(f"#f-bets-{row}-count").fill(count)
    page.locator(f"#f-bets-{row}-value").fill("500")


def add_bet(page: Page, chance: str, name: str) -> None:
    """A second bet, of two chips and of the same player."""
    seat = page.locator("#f-bets-0-player").input_value()
    page.get_by_role("button", name="Acrescentar: Apostas").click()
    page.locator("#f-bets-1-player").select_option(seat)
    page.locator(f"#f-bets-1-{name}").select_option(label=chance)
    fill_bet(page, 1, "2")


def roulette(page: Page) -> dict[str, Any]:
    verdict = open_form(page, "roleta francesa", "Saiu o número: recolher e pagar")
    expect(verdict).to_contain_text("art. X 20")
    page.get_by_label("Número", exact=True).fill("17")
    page.get_by_label("Mínimo da banca").fill("500")
    leave_one_row(page, "bets", "Apostas", "player")
    page.locator("#f-bets-0-chance").select_option(label="cavalo")
    page.locator("#f-bets-0-numbers").fill("17 23")
    expect(verdict).to_contain_text(IMPOSSIBLE)
    page.locator("#f-bets-0-numbers").fill("17, 20")
    fill_bet(page, 0, "3")
    expect(page.locator('#drawn [data-point="spot:17-20"]:visible')).to_have_count(1)
    expect(verdict).to_contain_text("25\N{NO-BREAK SPACE}500\N{NO-BREAK SPACE}€")
    add_bet(page, "encarnado", "chance")
    expect(page.locator('#drawn [data-point="spot:red"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}€")
    return {"total": 25_500, "collected": 1_000}


def banca_francesa(page: Page) -> dict[str, Any]:
    verdict = open_form(page, "banca francesa", "Dados parados: recolher e pagar")
    expect(verdict).to_contain_text("art. IV")
    page.get_by_label("Os dados mostram").fill("6 6")
    expect(verdict).to_contain_text(IMPOSSIBLE)
    page.get_by_label("Os dados mostram").fill("6 6 4")
    page.get_by_label("Mínimo da banca").fill("500")
    leave_one_row(page, "bets", "Apostas", "player")
    page.locator("#f-bets-0-spot").select_option(label="risco interior")
    fill_bet(page, 0, "6")
    expect(page.locator('#drawn .spot[data-point="spot:big.line"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}500\N{NO-BREAK SPACE}€")
    add_bet(page, "ases", "spot")
    expect(page.locator('#drawn .spot[data-point="spot:aces"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}€")
    return {"total": 1_500, "collected": 1_000}


def craps(page: Page) -> dict[str, Any]:
    verdict = open_form(page, "craps", "Recolher e pagar o lançamento")
    expect(verdict).to_contain_text("art. VI")
    leave_one_row(page, "bets", "Apostas", "player")
    page.get_by_label("Mínimo da banca").fill("500")
    page.get_by_label("Ponto", exact=True).select_option("8")
    page.get_by_label("Dados", exact=True).fill("3 3")
    page.locator("#f-bets-0-chance").select_option(label="casa de um número, a favor")
    page.locator("#f-bets-0-number").fill("7")
    expect(verdict).to_contain_text(IMPOSSIBLE)
    page.locator("#f-bets-0-number").fill("6")
    fill_bet(page, 0, "6")
    expect(page.locator('#drawn .spot[data-point="spot:to-win.6"]:visible')).to_have_count(1)
    expect(verdict).to_contain_text("3\N{NO-BREAK SPACE}500\N{NO-BREAK SPACE}€")
    add_bet(page, "field", "chance")
    expect(page.locator('#drawn [data-point="spot:field"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}€")
    return {"total": 3_500, "collected": 1_000}


def cussec(page: Page) -> dict[str, Any]:
    verdict = open_form(page, "cussec", "Resultado: anunciar e pagar")
    expect(verdict).to_contain_text("art. VII 8")
    leave_one_row(page, "bets", "Apostas", "player")
    page.get_by_label("Faces de cima dos três dados").fill("3 3 3")
    page.locator("#f-bets-0-chance").select_option(label="combinação de dois")
    page.locator("#f-bets-0-numbers").fill("3 3")
    expect(verdict).to_contain_text(IMPOSSIBLE)
    page.locator("#f-bets-0-chance").select_option(label="duplo")
    page.locator("#f-bets-0-numbers").fill("3")
    fill_bet(page, 0, "3")
    expect(page.locator('#drawn [data-point="spot:double.3"] .token:visible')).to_have_count(1)
    expect(verdict).to_contain_text("45\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}€")
    add_bet(page, "pequeno", "chance")
    expect(verdict).to_contain_text("art. VII 9")
    return {"total": 45_000, "collected": 1_000}


def black_jack(page: Page) -> dict[str, Any]:
    verdict = open_form(page, "black jack/21", "Fim da jogada: pagar e recolher")
    leave_one_row(page, "bets", "Apostas", "seat")
    leave_one_row(page, "hands", "Mãos, pela ordem dos lugares", "seat")
    player = page.locator("#f-bets-0-player").input_value()
    seat = page.locator("#f-hands-0-seat").input_value()
    page.locator("#f-bets-0-seat").fill(seat)
    page.locator("#f-bets-0-insurance").fill("0")
    page.locator("#f-bets-0-amount").fill("200")
    page.locator("#f-hands-0-cards").fill("As K♦")
    page.locator("#f-bank_cards").fill("Td")
    expect(verdict).to_contain_text(IMPOSSIBLE)
    page.locator("#f-bank_cards").fill("10d 9c")
    # Leaving a field checks once more what was typed.
    with page.expect_response("**/scenarios/new/**"):
        page.locator("#f-bank_cards").press("Tab")
    expect(verdict).to_contain_text("300\N{NO-BREAK SPACE}€")
    expect(verdict).to_contain_text("art. V 21")
    expect(page.locator(f'#drawn [data-point="card:seat{seat}.2"]:visible')).to_have_count(1)
    return {f"result.seat{seat}": "black_jack", f"prize.{player}": 300}


def machines(page: Page) -> dict[str, Any]:
    verdict = open_form(page, "máquinas automáticas", "Leitura dos contadores")
    expect(verdict).to_contain_text("art. VIII 2")
    row = int(page.get_by_label("Máquina", exact=True).input_value()) - 1
    page.get_by_label("Prémios pagos por guia, em fichas").fill("0")
    page.get_by_label("Fichas entradas no início do período").fill("5000")
    page.locator(f"#f-machines-{row}-tokens_in").fill("4999")
    expect(verdict).to_contain_text(IMPOSSIBLE)
    page.locator(f"#f-machines-{row}-tokens_in").fill("6000")
    page.get_by_label("Prémios pagos no início do período").fill("4000")
    page.locator(f"#f-machines-{row}-prizes_paid").fill("4799")
    expect(verdict).to_contain_text("Devolveram-se 799 fichas: 79 %.")
    page.locator(f"#f-machines-{row}-prizes_paid").fill("4800")
    expect(verdict).to_contain_text("Devolveram-se 800 fichas: 80 %.")
    cabinet = page.locator(f'#drawn .cabinet[data-point="spot:{row + 1}"]:visible')
    expect(cabinet).to_contain_text("4\N{NARROW NO-BREAK SPACE}800")
    return {"reached": "yes", "least_prizes": 800}


@at_a_width("write", [roulette, banca_francesa, craps, cussec, black_jack, machines])
def test_a_case_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, write: Callable[[Page], dict[str, Any]], size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    enter(page.context, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    expected = write(page)
    assert fits(page, size)
    page.get_by_label("Título").first.fill("Um caso desta noite")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert {key: ruling[key] for key in expected} == expected
