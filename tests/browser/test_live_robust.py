"""The live table in a real browser when something comes between: the line is lost, answers get lost, the phone sleeps.
And an instructor who watches and asks for a fault."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import encode, play
from tests.browser.drilling import enter
from tests.classes import rooms
from tests.factories import PersonFactory
from tests.samples import FULL
from training.live_table import services
from training.live_table.models import Injection, Session
from training.live_table.replaying import replayed
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LOST = 20_000 if FULL else 4_000  # milliseconds without a line
SLEEP = """(hidden) => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def opened(trainee: User, *, coups: int = 3, pace: int = 0) -> Session:
    setup = play.Setup(rulebook="pt-roleta-francesa", seed="robust", coups=coups, faults=0)
    return services.opened(trainee, setup, length="ten", rung="quiet", pace=pace, now=timezone.now())


@pytest.fixture
def table(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    """Uncovered, at the desk."""
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1366, "height": 768})
    enter(context, trainee, live_server)
    page = context.new_page()
    page.goto(f"{live_server.url}/practice/table/{opened(trainee).pk}/")
    page.locator("[data-uncover]").click()
    yield page
    context.close()


def shown(page: Page, number: int) -> None:
    expect(page.locator("[data-live]")).to_have_attribute("data-shown", str(number))


def test_a_lost_line_and_lost_answers_lose_and_double_nothing(table: Page, trainee: User) -> None:
    table.locator("[data-carry]").click()
    shown(table, 1)
    table.context.set_offline(True)
    table.locator("[data-carry]").click()
    table.locator("#say").fill("Zero")
    table.locator("#say").press("Enter")
    expect(table.locator("[data-trouble]")).to_be_visible()
    table.wait_for_timeout(LOST)
    session = Session.objects.get(trainee=trainee)
    assert session.last_number == 1
    table.context.set_offline(False)
    shown(table, 3)
    expect(table.locator("[data-trouble]")).to_be_hidden()

    swallowed: list[int] = []

    def swallow(route: Route) -> None:
        """The act arrives, but its answer does not."""
        if swallowed:
            return route.continue_()
        swallowed.append(route.fetch().status)
        return route.abort()

    table.route("**/act/", swallow)
    table.locator("[data-carry]").click()
    shown(table, 4)
    assert swallowed == [200]
    sent = list(session.acts.values_list("number", "document__type"))
    assert sent == [(1, "carry_on"), (2, "carry_on"), (3, "say"), (4, "carry_on")]


def test_a_sleeping_phone_covers_the_table_and_finds_it_as_it_was(table: Page, trainee: User) -> None:
    for number in range(1, 4):
        table.locator("[data-carry]").click()
        shown(table, number)
    Session.objects.filter(trainee=trainee).update(pace=1)
    table.reload()
    table.locator("[data-uncover]").click()
    table.evaluate(SLEEP, True)
    expect(table.locator("[data-room]")).to_be_hidden()
    for part in ("[data-table]", "[data-log]", "[data-palette]", "[data-stop]"):
        expect(table.locator(part).first).to_be_hidden()
    before = Session.objects.get(trainee=trainee).last_number
    table.wait_for_timeout(2500)  # longer than the pace
    assert Session.objects.get(trainee=trainee).last_number <= before + 1
    stands = Session.objects.get(trainee=trainee).last_number
    table.evaluate(SLEEP, False)
    expect(table.locator("[data-room]")).to_be_hidden()  # until the dealer says so
    table.locator("[data-uncover]").click()
    shown(table, stands + 1)


def test_the_next_coup_begins_by_itself_and_acts_between_two_coups_wait(table: Page, trainee: User) -> None:
    """The page sends an act again until the table takes it; the dealer notices nothing."""
    for number in range(1, 60):
        table.locator("[data-carry]").click()
        shown(table, number)
        session = Session.objects.get(trainee=trainee)
        if session.rests_until:
            break
    table.locator("#say").fill("Façam jogo")
    table.locator("#say").press("Enter")
    shown(table, number + 1)
    expect(table.locator("[data-trouble]")).to_be_hidden()
    assert Session.objects.get(trainee=trainee).acts.get(number=number + 1).document["text"] == "Façam jogo"


def test_an_instructor_watches_and_asks_for_a_fault(
    table: Page, chromium: Browser, trainee: User, live_server: LiveServer
) -> None:
    instructor = PersonFactory(roles=[Role.INSTRUCTOR])
    room = rooms.make_class(instructor, trainee)
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1366, "height": 768})
    enter(context, instructor, live_server)
    desk = context.new_page()
    desk.goto(f"{live_server.url}/practice/table/classes/{room.pk}/")
    desk.get_by_role("link", name=trainee.name).click()
    expect(desk.locator("#watched svg.table-drawing:visible").first).to_be_visible()
    desk.locator("#kind").select_option(index=0)
    desk.get_by_role("button", name="Fazer acontecer").click()
    asked = Injection.objects.get()
    expect(desk.locator("#watched")).to_contain_text("ainda por vir")
    for _each in range(80):
        before = Session.objects.get(trainee=trainee)
        if before.shown and before.shown[0].get("amount") == asked.coup and not before.pending:
            break
        table.locator("[data-carry]").click()
        expect(table.locator("[data-live]")).not_to_have_attribute("data-shown", str(before.last_number))
    expect(desk.locator("#watched")).to_contain_text("aconteceu")
    context.close()
    session = Session.objects.get(trainee=trainee)
    *_earlier, (_number, state) = replayed(session)
    assert encode(state).decode() == session.state
