"""The keys of a sprint in a real browser: the letter on a button answers with it, and nothing else does."""

from dataclasses import replace

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import enter
from tests.browser.walking import on_case
from tests.factories import PersonFactory
from training.sprint import services
from training.sprint.kinds import KINDS
from training.sprint.models import Sprint

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def run(page: Page, live_server: LiveServer, kind: str) -> Sprint:
    trainee = PersonFactory()
    sprint = services.start(trainee, kind, timezone.now())
    enter(page.context, trainee, live_server)
    page.goto(f"{live_server.url}/practice/sprint/{sprint.pk}/")
    expect(page.locator("[name=number]")).to_have_value("1")
    return sprint


def due(sprint: Sprint) -> str:
    case = sprint.cases.get(answered_at=None)
    return str(next(one.value for one in case.scenario.solve().decisions if one.key == case.question))


def test_the_letter_on_a_button_gives_its_answer(page: Page, live_server: LiveServer) -> None:
    sprint = run(page, live_server, "third_card")
    for number in (1, 2):
        on_case(page, number)
        button = page.locator(f'.sprint-buttons [value="{due(sprint)}"]')
        key = str(button.get_attribute("data-key"))
        expect(button.locator("kbd")).to_have_text(key.upper())
        page.keyboard.press(key.upper() if number == 2 else key)
        expect(page.locator(".sprint-last")).to_contain_text("Certo.")
    expect(page.locator("[name=number]")).to_have_value("3")
    sprint.refresh_from_db()
    assert (sprint.right, sprint.wrong) == (2, 0)


def test_other_keys_and_those_of_the_browser_answer_nothing(page: Page, live_server: LiveServer) -> None:
    sprint = run(page, live_server, "third_card")
    key = str(page.locator(".sprint-buttons .button").first.get_attribute("data-key"))
    for pressed in ("Control+" + key, "Alt+" + key, "x", '"', "Tab"):
        page.keyboard.press(pressed)
    expect(page.locator("[name=number]")).to_have_value("1")
    assert sprint.cases.filter(answered_at__isnull=False).count() == 0


def test_a_sum_is_typed_where_the_focus_is_and_sent_with_enter(
    page: Page, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = replace(KINDS["payouts"], asks=lambda question: question.kind == "amount")
    monkeypatch.setitem(KINDS, "payouts", sums)
    sprint = run(page, live_server, "payouts")
    expect(page.locator("#given")).to_be_focused()
    page.keyboard.type(due(sprint))
    page.keyboard.press("Enter")
    expect(page.locator(".sprint-last")).to_contain_text("Certo.")
