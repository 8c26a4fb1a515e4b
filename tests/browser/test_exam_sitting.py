"""A candidate at work in a real browser: by keys alone, through crashes, without connection, until the time is over."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.records.models import Candidate, Event, Response, Sitting
from tests.browser.drilling import enter as sign_in
from tests.browser.walking import troubles
from tests.exams import making
from tests.running import until
from training.people.models import User
from training.practice.next_drill import start_free

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}
# Whether this question of the exam is kept on the device.
KEPT = """async (position) => {
  const address = document.querySelector("#answer").dataset.item.replace(/0\\/$/, `${position}/`);
  return Boolean(navigator.serviceWorker.controller && (await caches.match(address)));
}"""
# Not even what a page sends while it is being closed gets through.
CUT_OFF = "() => { window.fetch = () => Promise.reject(new TypeError('no connection')); }"


@pytest.fixture
def candidate(transactional_db: None) -> Candidate:
    return making.enter(making.make_session())


@pytest.fixture
def sitting(candidate: Candidate) -> Sitting:
    return making.start(candidate)


@pytest.fixture
def browser_of(chromium: Browser, live_server: LiveServer) -> Iterator[Callable[[User], BrowserContext]]:
    """A new browser in which this person is signed in. Its console may complain: trouble is what is tested here."""
    opened: list[BrowserContext] = []

    def open_one(person: User) -> BrowserContext:
        opened.append(chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 800}))
        sign_in(opened[-1], person, live_server)
        return opened[-1]

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def go(live_server: LiveServer, sitting: Sitting) -> Callable[..., Page]:
    """Open an item of the sitting, or where it is."""

    def to(page: Page, position: int | str = "") -> Page:
        page.goto(f"{live_server.url}/exams/sittings/{sitting.pk}/{position}{'/' if position else ''}")
        return page

    return to


def words(page: Page) -> Locator:
    return page.locator("[data-kind=words] input:not([data-idle])")


def saved(page: Page) -> None:
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")


def parts(position: int = 1) -> dict[str, str]:
    response = Response.objects.filter(form_item__position=position).first()
    return response.answer["parts"] if response else {}


def stored(position: int = 1) -> str:
    return parts(position).get("announcement", "")


def _is_stored(position: int, text: str) -> bool:
    return stored(position) == text


def give_code(page: Page, code: str = "sabot 7") -> None:
    """Go on in this browser."""
    page.locator("#code").fill(code)
    with page.expect_event("load"):
        page.locator("#code").press("Enter")


def item_number(page: Page) -> Locator:
    return page.locator(".strip [aria-current] .number")


# ---------- the way through ----------


def test_an_exam_by_keyboard_alone_on_a_phone(page: Page, candidate: Candidate, live_server: LiveServer) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    sign_in(page.context, candidate.person, live_server)
    page.goto(f"{live_server.url}/exams/")
    page.locator(f"a[href='/exams/enter/{candidate.pk}/']").focus()
    page.keyboard.press("Enter")
    page.locator("#code").focus()
    page.keyboard.type("sabot 7")
    page.keyboard.press("Enter")
    expect(item_number(page)).to_have_text("1")
    page.wait_for_load_state()  # the keys are listened to once the scripts have run
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator(".places")).to_have_count(0)

    questions = [question.get_attribute("data-kind") for question in page.locator("#answer .question").all()]
    assert questions.count("words") == 1
    for kind in questions:
        page.keyboard.press("Enter")  # to the next question without an answer
        expect(page.locator(f"#answer .question:visible[data-kind={kind}] input:focus")).to_have_count(1)
        if kind == "words":
            expect(words(page)).to_be_focused()
            page.keyboard.type("Igualdade a 6")
        else:
            page.keyboard.press("Space")
    chosen = len(questions) - 1
    expect(page.locator("#answer input[type=radio]:checked")).to_have_count(chosen)
    until("all are stored", lambda: len(parts()) == len(questions), within=5)
    saved(page)
    expect(page.locator(".strip [aria-current]")).to_have_class(re.compile("answered"))
    assert stored() == "Igualdade a 6"
    page.reload()
    expect(words(page)).to_have_value("Igualdade a 6")
    expect(page.locator("#answer input[type=radio]:checked")).to_have_count(chosen)

    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(item_number(page)).to_have_text("2")
    page.locator("[name=marked]").focus()
    page.keyboard.press("Space")
    saved(page)
    page.locator(".strip button[value=overview]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/hand-in/")
    states = [line.split()[-1] for line in page.locator(".overview-list li").all_inner_texts()]
    assert len(states) == 5
    expect(page.locator(".overview-list .answered")).to_have_count(1)
    expect(page.locator(".overview-list .marked")).to_have_count(1)
    page.locator("form.actions button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-closed]")).to_be_visible()
    assert Sitting.objects.get().closed_by == "candidate"
    until("the device keeps nothing", lambda: not page.evaluate("Object.keys(localStorage).length"), within=5)


def test_pages_of_a_sitting_are_open_to_everybody(
    page: Page, sitting: Sitting, go: Callable[..., Page], live_server: LiveServer
) -> None:
    sign_in(page.context, sitting.candidate.person, live_server)
    for position in (1, 4, "hand-in"):
        assert troubles(go(page, position)) == []


# ---------- when things go wrong ----------


def test_another_browser_goes_on_and_the_first_is_told(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext]
) -> None:
    person = sitting.candidate.person
    first = go(browser_of(person).new_page(), 1)
    words(first).fill("Igualdade a 6")
    saved(first)
    first.locator("[data-next]").click()
    expect(item_number(first)).to_have_text("2")

    second = go(browser_of(person).new_page())
    assert troubles(second) == []
    give_code(second, "SABOT-8")
    expect(second.get_by_role("alert")).to_be_visible()
    words(first).fill("ainda aqui")
    saved(first)
    give_code(second)
    expect(item_number(second)).to_have_text("2")
    words(first).fill("já não aqui")
    expect(first.locator("[data-exam-says] [data-trouble]")).to_be_visible()
    expect(words(first)).to_be_disabled()
    expect(first.locator("main :is(input, button):enabled")).to_have_count(1)  # to go on here instead
    words(second).fill("Sete")
    saved(second)
    assert stored(2) == "Sete"

    first.locator("[data-reload]").click()
    give_code(first)
    expect(words(first)).to_have_value("Sete")
    words(first).fill("Oito")
    saved(first)
    assert stored(2) == "Oito"
    assert Event.objects.filter(kind=Event.Kind.DEVICE).count() == 2


def test_without_connection_one_goes_on_and_everything_arrives(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext]
) -> None:
    context = browser_of(sitting.candidate.person)
    page = go(context.new_page(), 1)
    until("the next question is kept here", lambda: page.evaluate(KEPT, 2))
    assert Sitting.objects.get().position == 1, "what is kept ahead was not opened"
    context.set_offline(True)
    words(page).fill("sem rede")
    expect(page.locator("[data-exam-offline]")).to_be_visible()
    page.locator("[data-next]").click()
    expect(item_number(page)).to_have_text("2")
    words(page).fill("ainda sem rede")
    page.locator("[data-before]").click()
    expect(item_number(page)).to_have_text("1")
    expect(words(page)).to_have_value("sem rede")
    page.locator(".strip .link-button").click()
    expect(item_number(page)).to_have_text("1")
    context.set_offline(False)
    until("both have arrived", lambda: (stored(1), stored(2)) == ("sem rede", "ainda sem rede"), within=20)
    saved(page)
    expect(page.locator("[data-exam-offline]")).to_be_hidden()
    until("both are in the log", lambda: {"offline", "online"} <= set(Event.objects.values_list("kind", flat=True)))
    page.locator(".strip .link-button").click()
    page.locator("[data-hand-in] button").click()
    until("nothing is left here", lambda: not page.evaluate("() => caches.has('sabot-exam')"))


def test_what_was_left_behind_on_another_question_is_sent_from_any_page(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext]
) -> None:
    page = go(browser_of(sitting.candidate.person).new_page(), 1)
    for position, text in ((2, "da lista"), (3, "da entrega")):
        kept = json.dumps({"base": 0, "sequence": 1, "fields": [["q.announcement", text]]})
        page.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [f"sabot.exam.{sitting.pk}.{position}", kept])
        go(page, 1 if position == 2 else "hand-in")
        until("it has arrived", partial(_is_stored, position, text), within=20)


def test_a_crash_without_connection_loses_nothing(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext]
) -> None:
    context = browser_of(sitting.candidate.person)
    page = go(context.new_page(), 3)
    page.evaluate(CUT_OFF)
    words(page).fill("escrito antes da queda")
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "offline")
    page.close()
    assert stored(3) == ""
    page = go(context.new_page())
    expect(item_number(page)).to_have_text("3")
    expect(words(page)).to_have_value("escrito antes da queda")
    saved(page)
    assert stored(3) == "escrito antes da queda"


def test_what_was_kept_does_not_undo_what_another_browser_saved_since(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext]
) -> None:
    context = browser_of(sitting.candidate.person)
    page = go(context.new_page(), 1)
    page.evaluate(CUT_OFF)
    words(page).fill("antigo")
    expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "offline")
    page.close()
    other = go(browser_of(sitting.candidate.person).new_page(), 1)
    give_code(other)
    words(other).fill("novo")
    saved(other)
    back = go(context.new_page(), 1)
    give_code(back)
    expect(words(back)).to_have_value("novo")
    assert stored() == "novo"


def test_the_last_key_before_leaving_is_saved(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext], live_server: LiveServer
) -> None:
    page = go(browser_of(sitting.candidate.person).new_page(), 1)
    words(page).fill("mesmo antes de sair")
    page.goto(f"{live_server.url}/exams/")  # at once, before the page would have saved by itself
    until("the answer is stored", lambda: stored() == "mesmo antes de sair", within=20)


# ---------- the clock ----------


def test_the_time_runs_out_by_itself(
    page: Page, sitting: Sitting, go: Callable[..., Page], live_server: LiveServer
) -> None:
    sign_in(page.context, sitting.candidate.person, live_server)
    began = timezone.now() - timedelta(minutes=30)
    Sitting.objects.update(started_at=began, deadline_at=timezone.now() + timedelta(seconds=6))
    go(page, 1)
    expect(page.locator("[data-exam-says] .notice")).to_be_visible()  # one minute left
    expect(page.locator(".exam-bar")).to_have_class(re.compile("ending"))
    words(page).fill("a tempo")
    expect(page.locator("[data-closed]")).to_be_visible(timeout=15_000)
    found = Sitting.objects.get()
    assert (found.closed_at, found.closed_by) == (found.deadline_at, "time")
    assert stored() == "a tempo"


@pytest.mark.parametrize(("minutes", "warned"), [(5, False), (10, False), (11, True)])
def test_ten_minutes_left_is_said_only_in_an_exam_that_was_longer(
    page: Page, sitting: Sitting, go: Callable[..., Page], live_server: LiveServer, minutes: int, warned: bool
) -> None:
    sign_in(page.context, sitting.candidate.person, live_server)
    ends = timezone.now() + timedelta(minutes=min(minutes, 10))
    Sitting.objects.update(started_at=ends - timedelta(minutes=minutes), deadline_at=ends)
    go(page, 1)
    expect(page.locator("[data-clock]")).to_have_text(re.compile(rf"^{min(minutes, 10) - 1}:"))
    expect(page.locator("[data-exam-says] .notice")).to_have_count(1 if warned else 0)


def test_added_time_and_closing_reach_an_idle_page(
    sitting: Sitting, go: Callable[..., Page], browser_of: Callable[[User], BrowserContext], live_server: LiveServer
) -> None:
    page = go(browser_of(sitting.candidate.person).new_page(), 1)
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"^(29|30):"))
    live = browser_of(sitting.candidate.session.created_by).new_page()
    live.goto(f"{live_server.url}/exams/sessions/{sitting.candidate.session_id}/live/")
    live.locator("#minutes").fill("30")
    live.locator("#time-reason").fill("Alarme de incêndio.")
    live.locator("#time-reason").press("Enter")
    expect(live.locator(".messages")).to_be_visible()
    ask = "dispatchEvent(new Event('online'))"  # what the page does by itself every 15 s
    page.evaluate(ask)
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"^(59:|1:00:)"))
    expect(page.locator("[data-exam-says]")).to_contain_text("mais 30 minutos. Alarme de incêndio.")
    expect(page.locator("[data-exam-added] li")).to_have_count(1)

    words(page).fill("Sete")
    saved(page)
    expect(live.locator("#live td[data-label]").nth(2)).to_have_text("1 / 5", timeout=15_000)  # it asks by itself
    live.locator(f"#who-{sitting.pk}").click()
    live.locator("#reason").fill("Fim do ensaio.")
    live.locator("button[value=close]").click()
    expect(live.locator(".messages")).to_be_visible()
    page.evaluate(ask)
    expect(page.locator("[data-closed]")).to_contain_text("Fim do ensaio.")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_second_browser_finds_every_room_closed_and_the_way_back(
    chromium: Browser, live_server: LiveServer, sitting: Sitting, script: bool
) -> None:
    context = chromium.new_context(locale="pt-PT", viewport={"width": 360, "height": 740}, java_script_enabled=script)
    sign_in(context, sitting.candidate.person, live_server)
    page = context.new_page()
    answer = page.goto(f"{live_server.url}/practice/")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_role("heading", level=1)).to_have_text("O seu exame está a decorrer")
    expect(page.get_by_role("navigation")).to_have_count(0)
    if script:
        assert troubles(page) == []
    page.get_by_role("link", name="Voltar ao exame").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Questão 1")
    expect(page.get_by_role("navigation", name="Secções")).to_have_count(0)
    context.close()


def test_a_part_of_a_page_opened_before_the_exam_gives_way_to_the_reason(
    browser_of: Callable[[User], BrowserContext], live_server: LiveServer, candidate: Candidate
) -> None:
    page = browser_of(candidate.person).new_page()
    drill = start_free(candidate.person, rulebook=making.BOOK, topic="third_card", difficulty=2)
    page.goto(f"{live_server.url}/practice/{drill.pk}/")
    making.start(candidate)
    for _try in range(2):  # the first time it only says that something is empty
        page.get_by_role("button", name="Submeter").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("O seu exame está a decorrer")
