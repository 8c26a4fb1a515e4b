"""A house sets up a euro table; a trainee practises on it, an exam uses it, an old escudo case stays as it was."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

import rules_engine
from exams.papers import maker
from exams.programmes import services as programmes
from exams.programmes.rules import Line, Section
from exams.records.models import Candidate, Session
from tests.browser.drilling import enter
from tests.exams import making
from tests.exams.making import judged, right_answer
from tests.exams.test_papers import preparing
from tests.factories import PersonFactory
from training.house import tables
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.practice import services as practice
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = "pt-roleta-francesa"


@pytest.fixture
def browser_of(chromium: Browser, live_server: LiveServer) -> Iterator[Callable[[User], Page]]:
    """A page at which this person is signed in."""
    opened = []

    def open_one(person: User) -> Page:
        opened.append(chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 900}))
        enter(opened[-1], person, live_server)
        return opened[-1].new_page()

    yield open_one
    for context in opened:
        context.close()


def old_case(trainee: User) -> Drill:
    """A case as it was stored before there were tables, in escudos, answered and marked."""
    escudos = next(table for table in rules_engine.rulebook(BOOK).tables if table.historical)
    stored = as_stored(rules_engine.generate(BOOK, "payout", "old", 2, table=escudos))
    del stored["table"]
    drill = practice.put_drill(trainee, rules_engine.scenario_from(stored), mode=Drill.Mode.FREE)
    answer = rules_engine.answer_from({"parts": right_answer(drill.scenario)})
    practice.grade(practice.submit_answer(drill, answer).pk)
    return drill


def set_up(page: Page, live_server: LiveServer) -> None:
    """By hand: a least bet that the law does not allow is refused with its article, then it is put right."""
    page.goto(f"{live_server.url}/house/tables/{BOOK}/new/")
    page.locator("#id_name").fill("Sala Azul")
    page.locator("#id_minimum").fill("5")
    page.locator("#id_seats").fill("7")
    for number, value in enumerate(("5", "20", "100", "500")):
        page.locator(f"#id_chip-{number}-value").fill(value)
    for number in range(4, page.locator("[id$=-value]").count()):
        page.locator(f"#id_chip-{number}-value").fill("")
    page.locator("#id_chip-0-usual").uncheck()
    page.locator("#id_chip-0-colour").fill("#123456")
    page.locator("#id_chip-0-edge").fill("#fedcba")
    page.locator("#id_chip-0-edge").dispatch_event("change")
    expect(page.locator("#drawn-chips .chip-row svg")).to_have_count(4)
    expect(page.locator("#drawn-chips [id='chip-5-123456-fedcba']")).to_have_count(1)
    page.get_by_role("button", name="Guardar").click()
    expect(page.locator("#id_minimum")).to_have_value("5")  # nothing typed is lost
    expect(page.locator("#id_chip-0-colour")).to_have_value("#123456")
    expect(page.get_by_text(re.compile(r"X.* 20"))).to_be_visible()
    page.locator("#id_minimum").fill("10")
    page.get_by_role("button", name="Guardar").click()
    page.wait_for_url("**/house/tables/")
    expect(page.locator(f"#{BOOK} .house-table:not(.out-of-use)")).to_have_count(1)


def exam_at_the_tables_of_the_house(author: User, candidate: User) -> Session:
    line = Line(rulebook=BOOK, topic="payout", difficulty=2, items=2, points=2)
    section = Section(key="p", names={"pt": "Pagamentos"}, lines=(line,))
    rules = making.make_rules(rulebooks=(BOOK,), sections=(section,))
    draft = programmes.create_programme(author, code="ROL", names={"pt": "Roleta"}, rules=rules)
    version = programmes.publish(judged(draft), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=draft.changed_at)
    session = preparing(0, programme_version=version, created_by=author)
    Candidate.objects.create(session=session, person=candidate, entered_by=author)
    assert maker.make_papers(session.pk)
    session.refresh_from_db()
    return session


def test_from_the_table_of_a_house_to_practice_and_exam(
    browser_of: Callable[[User], Page], live_server: LiveServer
) -> None:
    instructor, trainee = PersonFactory(roles=[Role.INSTRUCTOR]), PersonFactory(roles=[Role.TRAINEE])
    old = old_case(trainee)
    ruling, points = old.scenario.solve(), old.attempt.mark.points
    set_up(browser_of(instructor), live_server)

    desk = browser_of(trainee)
    desk.goto(f"{live_server.url}{reverse('rules')}?rulebook={BOOK}&chapter=payout")
    desk.locator(f"form.levels:has(input[value='{BOOK}/payout']) button[value='2']").click()
    expect(desk.get_by_text("mesa Sala Azul")).to_be_visible()
    new = Drill.objects.exclude(pk=old.pk).get()
    assert new.scenario.table == tables.of_house(BOOK)[0]
    assert "$00" not in desk.locator("main").inner_text() and "€" in desk.locator("main").inner_text()

    session = exam_at_the_tables_of_the_house(instructor, trainee)
    items = list(session.items.all())
    assert items and {item.scenario.table.name for item in items} == {"Sala Azul"}
    sitting = making.start(Candidate.objects.get(session=session))
    desk.goto(f"{live_server.url}/exams/sittings/{sitting.pk}/")
    expect(desk.get_by_text("mesa Sala Azul")).to_be_visible()
    assert "$00" not in desk.locator("main").inner_text()
    making.close(sitting)

    desk.goto(f"{live_server.url}/practice/{old.pk}/")
    expect(desk.locator("main")).to_contain_text("$00")
    assert "mesa Sala Azul" not in desk.locator("main").inner_text()
    kept = Drill.objects.get(pk=old.pk)
    assert kept.scenario.solve() == ruling and kept.attempt.mark.points == points == kept.attempt.mark.of
    assert kept.scenario.book.currency == "PTE" and not kept.scenario.table
