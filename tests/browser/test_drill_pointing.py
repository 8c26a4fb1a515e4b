"""Answering by pointing at the table, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import rules_engine
from tests.browser.drilling import put
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def cards_to(trainee: User) -> Drill:
    """A drill that asks for one player and for no order, so that pointing answers this question alone."""
    for seed in range(60):
        scenario = rules_engine.generate("pt-chemin-de-fer", "cards_to", seed, 3)
        situation: Any = scenario.situation
        kinds = [question.kind for question in scenario.questions]
        if kinds.count("player") == 1 and "order" not in kinds and situation.standing:
            return Drill.objects.create(
                trainee=trainee,
                rulebook=scenario.rulebook,
                topic=scenario.topic,
                difficulty=3,
                scenario_document=document(scenario),
            )
    raise AssertionError("no such scenario in 60 seeds")


def test_pointing_at_a_seat_answers_who(visit: Callable[[Drill], Page], trainee: User) -> None:
    drill = cards_to(trainee)
    situation: Any = drill.scenario.situation
    question = next(question for question in drill.scenario.questions if question.kind == "player")
    page = visit(drill)
    seat, standing = str(situation.seats[0]), situation.standing[0]
    answer = page.locator(f"[data-key='{question.key}']")

    page.locator(f".table-before [data-point='place:{seat}']").click()
    expect(answer.locator(f"input[value='{seat}']")).to_be_checked()
    expect(page.locator(f".table-before [data-point='place:{seat}']")).to_have_attribute("aria-pressed", "true")
    page.locator(f".table-before [data-point='place:{standing}']").focus()
    page.keyboard.press("Enter")
    expect(answer.locator(f"input[value='{standing}']")).to_be_checked()
    expect(page.locator(f".table-before [data-point='place:{seat}']")).to_have_attribute("aria-pressed", "false")

    page.locator("h1").click()
    page.keyboard.type(f"{situation.seats[1]} no ponto")
    expect(answer.locator(f"input[value='{standing}']")).to_be_checked()
    answer.locator("input").first.focus()
    page.keyboard.press(seat)
    expect(answer.locator(f"input[value='{seat}']")).to_be_checked()
    page.keyboard.type(standing)
    expect(answer.locator(f"input[value='{standing}']")).to_be_checked()


def order_drill(trainee: User) -> Drill:
    for seed in range(200):
        scenario = rules_engine.generate("pt-chemin-de-fer", "banco_priority", seed, 3)
        if any(question.kind == "order" for question in scenario.questions):
            return put(trainee, document(scenario.situation), "banco_priority")
    raise AssertionError("no such scenario in 200 seeds")


def test_seats_pointed_at_one_after_the_other_give_an_order(visit: Callable[[Drill], Page], trainee: User) -> None:
    drill = order_drill(trainee)
    situation: Any = drill.scenario.situation
    first, second = map(str, situation.seats[:2])
    page = visit(drill)
    field = page.locator("[data-kind=order] .with-unit input")
    field.focus()
    for place in (second, first):
        page.locator(f".table-before [data-point='place:{place}']").click()
    expect(field).to_have_value(f"{second}, {first}")
    page.locator(f"[data-kind=order] [data-add='{second}']").click()
    expect(field).to_have_value(first)


def test_pointing_at_a_card_sends_it_and_at_a_hand_says_who_wins(
    visit: Callable[[Drill], Page], trainee: User, third_card: Drill
) -> None:
    drill = put(
        trainee,
        {
            "seats": [1, 2, 3, 4, 5],
            "banker": "3",
            "bank": 500,
            "holder": "5",
            "claim": "stake",
            "stakes": [{"player": "5", "amount": 500}],
            "ponto": ["2h", "4h"],
            "banker_cards": ["Kd", "6d"],
            "loose": ["9c", "4s"],
            "hidden": ["loose.1"],
            "calls": [{"by": "ponto", "says": "no"}],
            "incident": {"kind": "unasked_card"},
        },
        "draw_faults",
        "it-sanremo-chemin-de-fer",
    )
    page = visit(drill)
    assert "9♣" not in page.content()
    page.locator(".table-before [data-point='card:loose.2']").click()
    page.locator("[data-send] button").nth(2).press("Enter")
    expect(page.locator("[data-key='fate.loose.2'] input").nth(2)).to_be_checked()
    expect(page.locator(".table-before [data-point='card:loose.2']")).to_be_focused()
    expect(page.locator("[data-send]")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("[data-send] button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-send]")).to_be_hidden()

    page = visit(third_card)
    page.locator(".table-before [data-point='card:banker.1']").click(position={"x": 4, "y": 40})
    expect(page.locator("[data-key=winner] input[value=banker]")).to_be_checked()
