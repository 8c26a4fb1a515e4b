"""Answers given by pointing at the cloth or by keys, at the tables of every game but baccarat."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from rules_engine import rulebook
from tests.browser.drilling import turn_to
from tests.browser.games import (
    BANCA,
    BLACK_JACK,
    CRAPS,
    CUSSEC,
    DESK,
    PHONE,
    ROULETTE,
    TABLES,
    answer_to,
    at_a_width,
    expect_counts,
    place,
    spot,
    submit,
    submit_what_is_right,
    sum_on,
)
from training.practice.models import Attempt

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Put = Callable[..., Page]


def chips_on_a_line(put: Put, size: tuple[int, int]) -> None:
    asked = {"kind": "bet_asked", "player": "2", "chance": "small", "count": 4, "value": 500, "plays": 1_000}
    page = put(BANCA, "bets", asked, size, bets=[], dice=[])
    spot(page, "aces").click()
    expect(answer_to(page, "put_where")).to_have_value("ases")
    # A band runs round the table: it is hit in a leg, not in the middle of the room it takes.
    leg = spot(page, "small.line").bounding_box()
    assert leg is not None
    page.mouse.click(leg["x"] + 6, leg["y"] + leg["height"] - 10)
    expect(answer_to(page, "put_where")).to_have_value("risco exterior")
    expect(spot(page, "small.line")).to_have_attribute("aria-pressed", "true")
    expect(spot(page, "aces")).to_have_attribute("aria-pressed", "false")
    submit_what_is_right(page)


def a_come_bet_moves(put: Put, size: tuple[int, int]) -> None:
    page = put(CRAPS, "come", {"kind": "come_rolled", "player": "4", "side": "come"}, size, dice=[4, 5])
    page.locator("[data-key=come_ends] input[value=moves]").press(" ")
    turn_to(page, "lies_on")
    spot(page, "come.8").click()
    # One spot is asked for: another takes its place.
    spot(page, "come.9").click()
    expect(answer_to(page, "lies_on")).to_have_value("come 9")
    submit_what_is_right(page)
    expect_counts(page, {'[data-point="spot:come.9"] .token': 1})
    assert Attempt.objects.get().answer["parts"]["come_ends"] == "moves"


def the_zone_lit_by_mistake(put: Put, size: tuple[int, int]) -> None:
    zones = ["small", "double.2", "triple.2", "triples", "total.6", "single.2"]
    page = put(CUSSEC, "chances", {"kind": "zones_lit", "zones": zones}, size, dice=[2, 2, 2], bets=[])
    expect(page.locator("svg:visible .glowing")).to_have_count(6)
    page.locator("[data-key=zone_fault] input[value=lit_wrongly]").press(" ")
    turn_to(page, "wrong_zone")
    spot(page, "total.6").click()
    spot(page, "small").click()
    expect(answer_to(page, "wrong_zone")).to_have_value("pequeno")
    submit_what_is_right(page)
    expect_counts(page, {".glowing": 5})


@at_a_width("pointed", [chips_on_a_line, a_come_bet_moves, the_zone_lit_by_mistake])
def test_a_spot_is_pointed_at(worker: None, put_at: Put, pointed: Callable[..., None], size: tuple[int, int]) -> None:
    pointed(put_at, size)


def test_losers_are_put_in_order_by_pointing_at_their_seats(worker: None, put_at: Put) -> None:
    bets = [sum_on(player, "big") for player in "1345"]
    page = put_at(BANCA, "paying", {"kind": "collecting", "first": "3"}, bets=bets, dice=[1, 2, 3])
    for seat in "3154":
        place(page, seat).click()
    expect(answer_to(page, "collect_order")).to_have_value("3, 1, 5, 4")
    submit_what_is_right(page)


def test_whose_a_card_is_is_told_by_pointing_at_the_seat(worker: None, put_at: Put) -> None:
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
    page = put_at(BLACK_JACK, "faults", {"kind": "card_unwanted", "seat": 1, "asking": [5]}, **facts)
    expect(page.locator('.table-before svg:visible use[href="#card-back"]')).to_have_count(2)
    place(page, "5").click()
    expect(page.locator('.question[data-key="goes_to"] input[value="5"]')).to_be_checked()
    submit_what_is_right(page)
    expect_counts(page, {'[data-point="card:seat5.3"]': 1})


def test_winners_are_put_in_order_by_pointing_at_their_spots_and_by_name(worker: None, put_at: Put) -> None:
    bets = TABLES[ROULETTE]["bets"]
    page = put_at(ROULETTE, "paying", {"kind": "winners_to_pay"}, bets=[bets[0], *bets[3:]])
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
    submit_what_is_right(page)


def test_the_cloth_is_walked_by_keys_alone(put_at: Put) -> None:
    asked = {"kind": "bet_asked", "player": "2", "chance": "big", "count": 4, "value": 500, "plays": 1_000}
    page = put_at(BANCA, "bets", asked, bets=[], dice=[])
    reached = set()
    spot(page, "aces").focus()
    for _ in range(len(rulebook(BANCA).game.spots)):
        reached.add(page.evaluate("document.activeElement.dataset.point"))
        page.keyboard.press("ArrowUp")
    assert reached == {f"spot:{key}" for key in rulebook(BANCA).game.spots}


def test_numbers_are_found_by_keys_alone(worker: None, put_at: Put) -> None:
    asked = {"kind": "spot_asked", "chance": "street", "first": 16, "number": 18}
    page = put_at(ROULETTE, "numbers", asked, bets=[], number=None)
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


def test_the_number_to_mark_is_not_given_away(put_at: Put) -> None:
    page = put_at(ROULETTE, "spin", {"kind": "ball_comes_down", "number": 12, "ball": "settled"}, bets=[], number=None)
    expect(page.locator("svg:visible .marker")).to_have_count(0)
    spot(page, "12").click()
    expect(answer_to(page, "marker")).to_have_value("12")
    # A line between two numbers is no number.
    spot(page, "12-15").click()
    expect(answer_to(page, "marker")).to_have_value("12")


def test_what_would_tell_the_answer_comes_to_light_with_the_mark(worker: None, put_at: Put) -> None:
    asked = {"kind": "neighbour_asked", "number": 17, "beside": 25}
    page = put_at(ROULETTE, "wheel", asked, DESK, bets=[], number=None)
    expect(page.locator("svg:visible .pocket")).to_have_count(0)
    answer_to(page, "neighbour").fill("34")
    submit(page)
    expect(page.locator("svg:visible .pocket")).to_have_count(37)


def test_on_a_phone_a_spot_out_of_view_is_swiped_to_and_pointed_at(put_at: Put) -> None:
    page = put_at(ROULETTE, "payout", {"kind": "prize_traced", "player": "2", "prize": 8_500}, PHONE)
    expect(answer_to(page, "paid_spot")).to_be_in_viewport()
    spot(page, "17-20").click()
    expect(answer_to(page, "paid_spot")).to_have_value("17-20")
    spot(page, "34").click()  # scrolled to inside the table
    expect(answer_to(page, "paid_spot")).to_have_value("34")
    expect(answer_to(page, "paid_spot")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
