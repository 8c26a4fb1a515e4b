"""An exam from the first draft of its programme to an appeal, in real browsers and with a real worker."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.appeals.models import Appeal
from exams.audit.services import verify
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, FormItem, Session, Sitting
from exams.results.models import Mark, Result
from tests.browser.drilling import enter as sign_in
from tests.exams.making import BOOK, judged, right_answer
from tests.factories import PersonFactory
from tests.running import until
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Visit = Callable[[User], Page]


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer, transactional_db: None) -> Iterator[Visit]:
    """A new browser in which this person is signed in; it knows the addresses of the platform by their paths."""
    opened = []

    def new(person: User) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            locale="en-GB",
            timezone_id="Europe/Lisbon",
            viewport={"width": 1280, "height": 900},
        )
        opened.append(context)
        sign_in(context, person, live_server)
        return context.new_page()

    yield new
    for context in opened:
        context.close()


def person(name: str, *roles: Role) -> User:
    made: User = PersonFactory(name=name, roles=roles, language="en")
    return made


def make_programme(page: Page) -> None:
    """One minute for three items; the rest stays as it is proposed."""
    page.goto("/programmes/new/")
    for field, value in {
        "code": "CDF-E2E",
        "name_pt": "Chemin de fer",
        "name_en": "Chemin de fer",
        "minutes": "1",
    }.items():
        page.locator(f"[name={field}]").fill(value)
    page.locator(f"[name=rulebooks][value={BOOK}]").check()
    page.locator("[name=wait_days]").fill("0")
    page.get_by_label("Name (Portuguese)").last.fill("O golpe")
    line = page.get_by_role("group", name="Section 1, line 1")
    line.locator("select[name$=topic]").select_option(f"{BOOK}/third_card")
    line.locator("input[name$=items]").fill("3")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_role("heading", name="The draft")).to_be_visible()


def publish_programme(page: Page) -> None:
    page.goto("/programmes/")
    page.get_by_role("link", name="Chemin de fer").first.click()
    page.get_by_role("link", name="Check and put in force").click()
    page.get_by_role("button", name="Put in force").click()
    expect(page.get_by_text("in force").first).to_be_visible()


def hold_session(page: Page, crashing: User, late: User) -> Session:
    """A session that opens now; the one who will crash has time enough to come back."""
    now = timezone.localtime()
    page.goto("/exams/sessions/new/")
    page.get_by_label("Title").fill("November")
    page.get_by_label("Opens").fill(f"{now - timedelta(minutes=2):%Y-%m-%dT%H:%M}")
    page.get_by_label("Entry closes").fill(f"{now + timedelta(hours=2):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Create the session").click()
    expect(page.get_by_role("heading", name="November")).to_be_visible()
    session = Session.objects.get()
    page.goto(f"/exams/sessions/{session.pk}/candidates/list/")
    page.locator("textarea").fill(f"{crashing.email}\n{late.email}")
    page.locator("form:has(textarea) button[type=submit]").click()
    expect(page.get_by_role("heading", name="2 candidates")).to_be_visible()
    page.get_by_label(f"Extra minutes for {crashing.name}").fill("20")
    page.get_by_role("button", name=f"Grant {crashing.name}").click()
    page.goto(f"/exams/sessions/{session.pk}/")
    page.get_by_role("button", name="Make the papers").click()
    expect(page.get_by_text("Nobody can read them before the exam is over")).to_be_visible(timeout=60_000)
    session.refresh_from_db()
    return session


def begin(page: Page, session: Session) -> None:
    page.goto("/exams/")
    page.locator("a[href*='/exams/enter/']").click()
    page.get_by_label("Access code").fill(session.access_code)
    page.get_by_role("button", name="Begin the exam").click()
    expect(page.locator("[data-clock]")).to_be_visible()


def form_of(someone: User) -> list[FormItem]:
    return list(FormItem.objects.filter(form__candidate__person=someone).select_related("item").order_by("position"))


def give(page: Page, key: str, value: Any) -> None:
    question = page.locator(f".question[data-key='{key}']")
    if question.get_attribute("data-kind") in ("words", "order", "amount", "number"):
        field = question.locator("input:not([type=radio]):not([type=checkbox])").first
        field.fill(", ".join(value) if isinstance(value, list) else str(value))
        field.blur()
    else:
        option = question.locator(f"input[type=radio][value='{value}']")
        named = option.get_attribute("id")
        (question.locator(f'label[for="{named}"]') if named else option.locator("xpath=..")).click()


def answer_here(page: Page, form_item: FormItem) -> None:
    for key, value in right_answer(form_item.item.scenario).items():
        give(page, key, value)
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")


def result_of(someone: User, number: int) -> Result | None:
    return Result.objects.filter(sitting__candidate__person=someone, number=number, in_force=True).first()


def test_an_exam_from_its_programme_to_an_appeal(worker: None, visit: Visit) -> None:
    author, keeper = person("Abel Autor", Role.INSTRUCTOR), person("Graça Guarda", Role.ADMINISTRATOR)
    examiner, reviewer = person("Eva Examinadora", Role.INSTRUCTOR), person("Tito Terceiro", Role.INSTRUCTOR)
    crashing, late = person("Clara Candidata", Role.TRAINEE), person("Lino Lento", Role.TRAINEE)

    make_programme(visit(author))
    judged(ProgrammeVersion.objects.get())
    publish_programme(visit(keeper))
    session = hold_session(visit(examiner), crashing, late)
    papers = {someone: form_of(someone) for someone in (crashing, late)}
    items = {someone: [placed.item_id for placed in paper] for someone, paper in papers.items()}
    assert set(items[crashing]).isdisjoint(items[late]), "they begin at different times and have a case in common"
    contested, kept = 1, 2

    # The late one begins, answers one item, and the minute runs out while the page stays open.
    late_page = visit(late)
    begin(late_page, session)
    answer_here(late_page, papers[late][0])

    # The other one's browser dies after the first answer; another one goes on where that was.
    first = visit(crashing)
    begin(first, session)
    sitting = Sitting.objects.get(candidate__person=crashing)
    first.goto(f"/exams/sittings/{sitting.pk}/{kept}/")
    answer_here(first, papers[crashing][kept - 1])
    first.context.close()
    again = visit(crashing)
    again.goto("/exams/")
    again.get_by_role("link", name="Continue").click()
    again.get_by_label("Access code").fill(session.access_code)
    again.get_by_role("button", name="Continue here").click()
    for place, form_item in enumerate(papers[crashing], 1):
        again.goto(f"/exams/sittings/{sitting.pk}/{place}/")
        if place == kept:
            # Whatever was answered, in words or that none arise, is there.
            expect(again.locator(".strip [aria-current]")).to_have_class(re.compile("answered"))
        elif place != contested:
            answer_here(again, form_item)
    again.get_by_role("button", name="Go to the overview").click()
    again.get_by_role("button", name="Hand in for good").click()
    expect(again.get_by_role("heading", name="The exam is closed")).to_be_visible()

    expect(late_page.get_by_text("The time ran out")).to_be_visible(timeout=75_000)
    sitting = Sitting.objects.get(candidate__person=late)
    assert sitting.closed_at == sitting.deadline_at == sitting.started_at + timedelta(minutes=1)

    for someone in (crashing, late):
        until(f"{someone} is graded", lambda someone=someone: result_of(someone, 1), within=20)  # type: ignore[misc]
    assert Mark.objects.count() == len(papers[crashing]) + len(papers[late])

    # One item is contested, and a third person finds that it should not count.
    again.goto("/results/")
    again.get_by_role("link", name="November").click()
    again.locator(f"a[href$='/items/{contested}/']").click()
    again.get_by_role("link", name="Contest this question").click()
    again.locator("textarea").fill("The call log and the drawing cannot both be right in this scenario.")
    again.get_by_role("button", name="Lodge the appeal").click()
    appeal = until("the appeal is lodged", Appeal.objects.first, within=10)

    examining = visit(examiner)
    examining.goto(f"/appeals/{appeal.pk}/")
    expect(examining.get_by_role("button", name="Decide")).to_have_count(0)
    reviewing = visit(reviewer)
    reviewing.goto(f"/appeals/{appeal.pk}/")
    expect(reviewing.locator("body")).not_to_contain_text(crashing.name)
    reviewing.get_by_label("Upheld: the question is voided and counts for nobody").check()
    reviewing.get_by_label("Reply to the candidate").fill("The drawing leaves it open; the item counts for nobody.")
    reviewing.get_by_role("button", name="Decide").click()

    after = until(f"{crashing} is decided again", lambda: result_of(crashing, 2), within=20)
    assert after is not None
    assert result_of(late, 2) is None, "who did not have the question is decided again"
    assert after.passed
    assert not Result.objects.get(sitting__candidate__person=crashing, number=1).passed
    again.goto(f"/results/{after.sitting_id}/")
    expect(again.get_by_role("heading", name="You passed.")).to_be_visible()
    expect(again.get_by_text("voided, counts for nobody")).to_have_count(1)
    assert Candidate.objects.count() == 2
    assert list(verify()) == []
