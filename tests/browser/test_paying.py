"""Paying with chips: by touch, by dragging and by keys, in every game that pays."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

import rules_engine
from rules_engine import Scenario
from rules_engine.narration import ask
from rules_engine.paying import usual
from rules_engine.words import grouped
from tests.browser.drilling import address, enter, see_the_solution, submit, turn_to
from training.drawing import chip_rack
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# A topic of each game whose cases ask for a payment.
PAYING = {
    "pt-chemin-de-fer": "payment",
    "pt-ponto-banca-1995": "payout",
    "pt-roleta-americana": "payout",
    "pt-banca-francesa": "payout",
    "pt-black-jack": "payout",
    "pt-craps": "payout",
    "pt-cussec": "payout",
}


def paid_case(book: str, topic: str) -> tuple[Scenario, str, int]:
    """A case in which something is paid: the question and the right amount."""
    names = rules_engine.rulebook(book).game.paid
    for seed in range(60):
        scenario = rules_engine.generate(book, topic, seed, 2)
        ruling = scenario.solve()
        for question in scenario.questions:
            amount = ruling.get(question.key)
            if question.key.partition(".")[0] in names and isinstance(amount, int) and amount:
                return scenario, question.key, amount
    raise AssertionError(f"nothing is paid in {topic} of {book}")


@pytest.fixture
def page(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    context = chromium.new_context(
        locale="pt-PT", viewport={"width": 390, "height": 844}, has_touch=True, base_url=live_server.url
    )
    enter(context, trainee, live_server)
    yield context.new_page()
    context.close()


def put(trainee: User, scenario: Scenario) -> Drill:
    return Drill.objects.create(
        trainee=trainee,
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        difficulty=2,
        scenario_document=document(scenario),
    )


@pytest.mark.parametrize("book", PAYING)
def test_paid_by_touch(worker: None, book: str, page: Page, trainee: User, live_server: LiveServer) -> None:
    scenario, key, amount = paid_case(book, PAYING[book])
    page.goto(address(put(trainee, scenario), live_server))
    question = turn_to(page, key)
    for value, count in usual(amount, chip_rack.values(scenario.book)).items():
        for _ in range(count):
            question.locator(f'[data-chip="{value}"]').tap()
    expect(question.locator("output")).to_have_text(f"= {grouped(amount, 'pt')}")
    submit(page)
    if len(scenario.questions) > 1:  # the others are left empty
        expect(page.locator("[data-trouble]")).to_be_visible()
        submit(page)
        see_the_solution(page)
    right = page.locator(".part.right", has_text=ask(key, scenario.situation, scenario.book, "pt"))
    expect(right.first).to_be_visible(timeout=10_000)


def test_taken_back_changed_and_paid_by_keys(page: Page, trainee: User, live_server: LiveServer) -> None:
    scenario, key, _amount = paid_case("pt-roleta-americana", "payout")
    page.goto(address(put(trainee, scenario), live_server))
    question = turn_to(page, key)
    field = question.locator("input[inputmode]")
    question.locator('[data-chip="10"]').tap()
    question.locator('[data-chip="10"]').tap()
    expect(field).to_have_value("2×10")
    question.locator('[data-stack="10"]').tap()
    expect(field).to_have_value("1×10")
    question.locator("[data-change]").tap()
    question.locator('[data-stack="10"]').tap()
    expect(field).to_have_value("2×5")
    question.locator('[data-chip="1"]').focus()
    page.keyboard.press("1")
    expect(field).to_have_value("2×5 + 1×1")
    page.keyboard.press("Backspace")
    expect(field).to_have_value("2×5")
    field.fill("175")
    expect(question.locator("[data-stack]")).to_have_count(0)


def test_dragged_to_the_tray_and_away(page: Page, trainee: User, live_server: LiveServer) -> None:
    scenario, key, _amount = paid_case("pt-roleta-americana", "payout")
    page.goto(address(put(trainee, scenario), live_server))
    question = turn_to(page, key)
    field = question.locator("input[inputmode]")
    question.locator('[data-chip="5"]').drag_to(question.locator("[data-tray]"))
    expect(field).to_have_value("1×5")
    question.locator('[data-stack="5"]').drag_to(question.locator(".rack-chips"))
    expect(field).to_have_value("")


def test_a_huge_count_is_drawn_in_part_and_foreign_chips_are_not_added_up(
    page: Page, trainee: User, live_server: LiveServer
) -> None:
    scenario, key, _amount = paid_case("pt-roleta-americana", "payout")
    page.goto(address(put(trainee, scenario), live_server))
    question = turn_to(page, key)
    field, total = question.locator("input[inputmode]"), question.locator("output")
    field.fill("9999×1")
    expect(total).to_have_text(f"= {grouped(9_999, 'pt')}")
    expect(question.locator(".pile svg")).to_have_count(200)
    for written in ("9999999999×1", "35×15"):
        field.fill(written)
        expect(question.locator("[data-stack]")).to_have_count(0)
        expect(total).not_to_contain_text("=")
