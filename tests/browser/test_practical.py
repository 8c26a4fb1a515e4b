"""Both kinds of practical exam in a real browser, through to the certificate."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.certificates import issuance
from exams.certificates.models import Certificate
from exams.practical import marking
from exams.practical.models import ExamTable, Tick
from exams.records.models import Sitting
from exams.results import grading
from tests.browser.drilling import enter as sign_in
from tests.exams import certifying, practising
from tests.exams.setting_up import examiner
from tests.factories import PersonFactory
from tests.running import until
from training.live_table import planning
from training.people.models import User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def browser_of(chromium: Browser, live_server: LiveServer) -> Iterator[Callable[[User], BrowserContext]]:
    opened: list[BrowserContext] = []

    def open_one(person: User) -> BrowserContext:
        opened.append(chromium.new_context(locale="pt-PT", viewport={"width": 820, "height": 1180}))
        sign_in(opened[-1], person, live_server)
        return opened[-1]

    yield open_one
    for context in opened:
        context.close()


def clicked(page: Page, selector: str) -> None:
    with page.expect_response("**/act/"):
        page.locator(selector).first.click()


def act(page: Page, sent: dict[str, Any]) -> None:
    """One act by the controls of the page."""
    match sent["type"]:
        case "say":
            page.locator("#tab-calls").click()
            page.locator("#say").fill(sent["text"])
            clicked(page, "[data-say-form] [type=submit]")
        case "do" if isinstance(sent["value"], int):
            page.locator("#tab-do").click()
            page.locator(f"#do-{sent['key']}").fill(str(sent["value"]))
            clicked(page, f'[data-do-number="{sent["key"]}"] button')
        case "do" | "give":
            page.locator("#tab-do").click()
            clicked(page, f'[data-do="{sent["key"]}"][data-value="{sent.get("value", sent.get("to"))}"]')
        case "pay":
            collects = sent["payee"] == "house"
            page.locator("#tab-chips").click()
            player = sent["payer"] if collects else sent["payee"]
            pile = page.locator(f'label:has([data-player="{player}"][data-spot="{sent.get("spot", "")}"])')
            if not pile.count():  # a stake that the fault took off the cloth: the inspector puts it right
                clicked(page, "[data-carry]")
                return
            pile.click()
            left = sent["amount"]
            for chip in reversed(page.locator("[data-chip]").all()):
                value = int(str(chip.get_attribute("data-chip")))
                for _each in range(left // value):
                    chip.click()
                left %= value
            clicked(page, "[data-collect]" if collects else "[data-pay]")
        case "halt":
            clicked(page, "[data-stop]")
        case "stop":
            page.locator(f'[name=kind][value="{sent["kind"]}"]').check()
            clicked(page, "[data-claim-form] button[type=submit]")
        case _:
            clicked(page, "[data-carry]")


def test_on_screen_from_the_code_to_the_certificate(
    browser_of: Callable[[User], BrowserContext], live_server: LiveServer
) -> None:
    version = practising.make_version(coups=2, pace=60)
    person = PersonFactory()
    certifying.make_result(version, person)
    session = practising.make_session(version, person)
    page = browser_of(person).new_page()
    page.goto(f"{live_server.url}/exams/enter/{session.candidates.get().pk}/")
    page.locator("#code").fill(session.access_code)
    page.locator("#code").press("Enter")
    page.locator("[data-uncover]").click()
    expect(page.locator("[data-clock]")).to_be_visible()
    practising.identify(Sitting.objects.get(candidate__session=session))
    while not (table := ExamTable.objects.get()).ended_at:
        planning.plan_now(table)  # the server does so too, after its answer
        table.refresh_from_db()
        act(page, practising.next_act(table, stops=True))
        if not ExamTable.objects.get().ended_at:
            expect(page.locator("[data-live]")).to_have_attribute("data-shown", str(table.last_number + 1))
    page.wait_for_url("**/hand-in/")
    page.locator("form.actions button").click()
    expect(page.locator("h1")).to_be_visible()
    until("it is graded", lambda: graded(session.candidates.get().sitting), within=10)
    page.goto(f"{live_server.url}/certificates/")
    expect(page.locator("main")).to_contain_text("Exame prático")
    assert Certificate.objects.get(practice__isnull=False).holder == person


def graded(sitting: Sitting) -> bool:
    result = grading.grade_sitting(sitting.pk)
    return result is not None and (issuance.follow(result.pk) is not None or Certificate.objects.exists())


def test_at_a_real_table_two_examiners_settle_and_the_certificate_follows(
    browser_of: Callable[[User], BrowserContext], live_server: LiveServer
) -> None:
    version = practising.make_version(coups=2, held="table")
    person, first, second = PersonFactory(), examiner(), examiner()
    certifying.make_result(version, person)
    session = practising.make_session(version, person)
    table = ExamTable.objects.get()
    context = browser_of(first)
    page = context.new_page()
    page.goto(f"{live_server.url}/exams/practical/sessions/{session.pk}/")
    page.locator("main tbody th a").click()
    page.locator("main form button").click()
    practising.identify(Sitting.objects.get(candidate__session=session))
    for box in page.locator("[data-key][type=checkbox]").all()[:-1]:
        box.check()
    expect(page.locator("[data-tick-state]")).to_have_attribute("data-state", "saved")
    # Without connection the last tick is kept here, over a reload, until the server has it.
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no connection')); }")
    page.locator("[data-key][type=checkbox]").last.check()
    expect(page.locator("[data-tick-state]")).to_have_attribute("data-state", "offline")
    count = len(marking.listed(table)) - 1  # all but the number of false alarms
    assert Tick.objects.count() == count - 1
    page.reload()
    until("the tick is stored", lambda: Tick.objects.count() == count, within=5)
    expect(page.locator("[data-key][type=checkbox]").last).to_be_checked()
    page.locator("[data-hand-in] button").click()
    expect(page.locator("[data-hand-in]")).to_have_count(0)
    _mark(table, second)
    page.goto(f"{live_server.url}/exams/practical/tables/{table.pk}/settle/")
    page.locator('[name="c.alarms"][value="1"]').check()
    page.locator("form.stack button[type=submit]").click()
    marking.settle(table.pk, {"alarms": 1}, by=second, reason="", now=timezone.now())
    until("it is graded", lambda: graded(session.candidates.get().sitting), within=10)
    made = Certificate.objects.get(practice__isnull=False)
    page.goto(f"{live_server.url}/c/{made.code}")
    expect(page.locator("main")).to_contain_text("Practical exam")


def _mark(table: ExamTable, who: User) -> None:
    """The same as the other examiner, and one false alarm more."""
    marking.begin(table.pk, by=who, now=timezone.now())
    for box in marking.listed(table):
        marking.tick(table.pk, box.key, 1, 1, by=who, now=timezone.now())
    marking.hand_in(table.pk, by=who, now=timezone.now())
