"""Every game but baccarat in a real browser: a trainee is put at its table, answers, and sees it paid."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drilling import see_the_solution
from tests.browser.games import (
    BANCA,
    BLACK_JACK,
    CRAPS,
    CUSSEC,
    MACHINES,
    ROULETTE,
    answer,
    answer_to,
    at_a_width,
    choose,
    expect_counts,
    fits,
    machine,
    place,
    spot,
    submit,
    submit_what_is_right,
)
from tests.browser.walking import look_for, troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Put = Callable[..., Page]
Size = tuple[int, int]


def banca_francesa_is_paid(put: Put, size: Size) -> Page:
    page = put(BANCA, "payout", {"kind": "dice_down"}, size)
    expect(page.locator(".table-before svg:visible .die")).to_have_count(3)
    prizes = {"prize.1": "0", "prize.2": "0", "prize.3": "1.500", "prize.4": "2000", "prize.5": "0"}
    answer(page, {"announcement": "Grande", "collected": "3500", **prizes, "total": "2500"})
    assert fits(page, size)
    submit(page)
    # The inner line plays for half: only that sum was wrong.
    expect(page.locator(".part.right")).to_have_count(7)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("1\N{NO-BREAK SPACE}000$00")
    expect_counts(page, {".token.won": 2, ".token.lost": 3})
    after = page.locator(".table-after svg:visible")
    expect(after.locator('.spot[data-point="spot:big.line"] .worth')).to_have_text("+1k")
    expect(after.locator('.spot[data-point="spot:small.line"] .worth')).to_have_text("−1k")
    expect(page.get_by_text("O lugar 5, risco exterior: recolhem-se 1\N{NO-BREAK SPACE}000$00")).to_be_visible()
    page.locator(".step", has_text="a aposta é metade").first.locator(".cite").click()
    expect_counts(page, {".spot.lit": 1})
    return page


def black_jack_is_paid(put: Put, size: Size) -> Page:
    page = put(BLACK_JACK, "payout", {"kind": "coup_over"}, size)
    for hand, result in (("seat1", "black_jack"), ("seat3", "push"), ("seat5", "loses")):
        choose(page, f"result.{hand}", result)
    answer(page, {"prize.1": "4 500", "prize.3": "0", "prize.4": "0", "prize.5": "0", "collected": "2000"})
    assert fits(page, size)
    submit(page)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("3\N{NO-BREAK SPACE}000$00")
    after = page.locator(".table-after svg:visible")
    expect(after.locator(".prize").first).to_have_text("+4\N{NARROW NO-BREAK SPACE}500")
    expect_counts(page, {".prize": 3})
    return page


def craps_is_called_and_paid(put: Put, size: Size) -> Page:
    page = put(CRAPS, "payout", {"kind": "called_and_paid"}, size)
    called = "Seis. Ganha o pass-line, perde o don't pass. Mesmo deitador, novo ponto"
    prizes = {"prize.2": "5500", "prize.3": "0", "prize.4": "4.500", "total": "10 000"}
    answer(page, {"announcement": called, "collected": "500", **prizes})
    assert fits(page, size)
    submit_what_is_right(page)
    won = {".token.won": 3, ".token.lost": 1, '[data-point="spot:come.6"] .token': 1, ".puck.off": 1}
    expect_counts(page, won)
    page.locator(".step .cite").nth(2).click()
    expect_counts(page, {".spot.lit": 1})
    return page


def cussec_is_announced_and_paid(put: Put, size: Size) -> Page:
    page = put(CUSSEC, "payout", {"kind": "result_out"}, size)
    expect(page.locator("svg:visible .glowing")).to_have_count(0)
    prizes = {"prize.2": "10000", "prize.3": "0", "prize.4": "3 000", "total": "13.000", "collected": "500"}
    answer(page, {"announcement": "dois, dois e cinco, total nove, pequeno", **prizes})
    assert fits(page, size)
    submit_what_is_right(page)
    expect_counts(page, {".glowing": 6, ".token.won": 3, ".token.lost": 1})
    expect(page.get_by_text("O lugar 2, combinação 2-5: pagam-se 5\N{NO-BREAK SPACE}000$00")).to_be_visible()
    return page


def machines_pay_and_the_cashier_pays(put: Put, size: Size) -> Page:
    machines = [machine(1, prize=200), machine(2, prize=201), machine(3, jackpot=750_000, won="jackpot")]
    page = put(MACHINES, "paying", {"kind": "prizes_shown"}, size, machines=machines, seats=[1, 2, 3])
    answer(page, {"by_machines": "40 100", "by_slip": "770.100$00"})  # as if machine 2 paid its 201 tokens itself
    submit(page)
    expect(page.locator(".part.right")).to_have_count(1)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("20\N{NO-BREAK SPACE}000$00")
    expect(
        page.get_by_text("a máquina 2 só consegue pagar até 200, por isso paga o caixa, mediante guia")
    ).to_be_visible()
    expect(page.get_by_text("O caixa da sala → o jogador 3: 750\N{NO-BREAK SPACE}000$00")).to_be_visible()
    expect(page.get_by_text("O jogador 1, máquina 1: pagam-se 20\N{NO-BREAK SPACE}000$00")).to_be_visible()
    after = page.locator(".table-after svg:visible")
    expect(after.get_by_text("+20\N{NARROW NO-BREAK SPACE}100 pelo caixa")).to_be_visible()
    return page


def a_machine_is_pointed_at(put: Put, size: Size) -> Page:
    machines = [machine(1), machine(2, model="sereia", player="1"), machine(3, stake=50), machine(4, model="dama")]
    asked = {"kind": "machine_asked", "guest": "3a", "type": "reels", "stake": 100}
    page = put(MACHINES, "play", asked, size, machines=machines, seats=[1, 3, 4], standing=["3a"])
    seen = page.locator(".table-before svg:visible")
    expect(seen.locator(".cabinet")).to_have_count(4)
    choose(page, "request", "makes_room")
    place(page, "1").click()
    expect(page.locator('.question[data-key="gives_way"] input[value="1"]')).to_be_checked()
    spot(page, "2").click()
    expect(answer_to(page, "gets")).to_have_value("2")
    # One machine is asked for: another takes its place.
    spot(page, "1").click()
    expect(answer_to(page, "gets")).to_have_value("1")
    assert fits(page, size)
    submit_what_is_right(page)
    page.locator(".step .cite").first.click()
    expect(seen.locator('.cabinet.lit[data-point="spot:1"]')).to_have_count(1)
    return page


def roulette_ends_paid(put: Put, size: Size) -> Page:
    page = put(ROULETTE, "payout", {"kind": "prize_traced", "player": "2", "prize": 8_500}, size)
    spot(page, "17").click()
    expect(answer_to(page, "paid_spot")).to_have_value("17")
    # One spot is asked for: another takes its place.
    spot(page, "17-20").click()
    expect(answer_to(page, "paid_spot")).to_have_value("17-20")
    expect(spot(page, "17-20")).to_have_attribute("aria-pressed", "true")
    expect(spot(page, "17")).to_have_attribute("aria-pressed", "false")
    assert fits(page, size)
    submit_what_is_right(page)
    expect_counts(page, {".token.won": 4, ".token.lost": 1})
    after = page.locator(".table-after svg:visible")
    expect(after.locator('[data-point="spot:17-20"] .worth')).to_have_text("+8,5k")
    expect(page.get_by_text("O lugar 3, encarnado: recolhem-se 500$00")).to_be_visible()
    expect(page.get_by_text("O lugar 2, cavalo 17-20: pagam-se 8\N{NO-BREAK SPACE}500$00")).to_be_visible()
    page.locator(".step .cite").first.click()
    expect_counts(page, {'[data-point="spot:17-20"].lit': 1})
    return page


def roulette_sums_are_typed(put: Put, size: Size) -> Page:
    page = put(ROULETTE, "payout", {"kind": "number_out"}, size)
    sums = {"prize.2": "43500", "prize.3": "0", "prize.4": "1.000", "prize.5": "1 500", "total": "46000"}
    answer(page, {**sums, "collected": "abc"})
    # What is no number is a slip: it is said before anything is sent.
    page.get_by_role("button", name="Submeter").click()
    expect(page.get_by_text("escreva um número")).to_be_visible()
    expect(answer_to(page, "collected")).to_be_focused()
    assert answer_to(page, "prize.5").input_value() == "1 500"
    answer(page, {"collected": "400"})
    submit(page)
    expect(page.locator(".part.right")).to_have_count(5)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_have_count(1)
    expect(page.locator(".part.wrong")).to_contain_text("500$00")
    return page


ANSWERED = [
    roulette_ends_paid,
    roulette_sums_are_typed,
    banca_francesa_is_paid,
    craps_is_called_and_paid,
    cussec_is_announced_and_paid,
    black_jack_is_paid,
    machines_pay_and_the_cashier_pays,
    a_machine_is_pointed_at,
]


@at_a_width("answered", ANSWERED)
def test_a_trainee_answers_and_sees_how_the_table_ends(
    worker: None, put_at: Put, answered: Callable[..., Page], size: Size
) -> None:
    page = answered(put_at, size)
    assert troubles(page, look_for(answered.__name__)) == []
