"""A day, a sprint and a mock exam in a real browser: by touch on a phone, by keyboard alone at a desk."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.mock.models import Mock
from exams.programmes.rules import Line, Section
from tests.browser.drilling import to_the_last, turn_to
from tests.browser.walking import on_case, past_the_card, troubles
from tests.exams import making
from tests.factories import PASSWORD, PersonFactory
from tests.practice.drills import right_answer
from training.mastery.services import set_study_plan
from training.people.models import User
from training.practice import services
from training.practice.models import Drill
from training.sprint.models import Sprint, SprintCase

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = "pt-chemin-de-fer"


@pytest.fixture(params=["touch", "keyboard"])
def hands(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[tuple[Page, bool]]:
    """A page, and whether it is touched: a phone, or a desk without a mouse."""
    touch = request.param == "touch"
    size = {"width": 360, "height": 740} if touch else {"width": 1280, "height": 800}
    context = chromium.new_context(locale="pt-PT", viewport=size, has_touch=touch)  # type: ignore[arg-type]
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page, touch
    context.close()
    assert errors == []


def press(page: Page, touch: bool, name: str) -> None:
    button = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first
    button.tap() if touch else button.press("Enter")


def sign_in(page: Page, base: str, person: User) -> None:
    page.goto(base)
    expect(page.locator(".sign-in-table")).to_be_visible()
    page.get_by_label("E-mail").fill(person.email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_label("Palavra-passe").press("Enter")
    expect(page.get_by_role("heading", name="Hoje")).to_be_visible()


def graded() -> None:
    for pk in Drill.objects.filter(attempt__state="submitted").values_list("attempt__pk", flat=True):
        services.grade(pk)


def test_a_day_to_its_end_then_a_sprint_and_a_mock_exam(hands: tuple[Page, bool], live_server: LiveServer) -> None:
    page, touch = hands
    trainee = PersonFactory()
    set_study_plan(trainee, daily_minutes=5, rulebooks=[])
    line = Line(rulebook=BOOK, topic="third_card", difficulty=1, items=2, points=1)
    making.make_version(making.make_rules(sections=(Section(key="coup", names={"pt": "O golpe"}, lines=(line,)),)))
    sign_in(page, live_server.url, trainee)

    # The day: what stands in its plan is answered, the head counts, and the end sums it up.
    left = page.url
    press(page, touch, "Treinar o que importa agora")
    for number in range(1, 6):
        past_the_card(page, left, touch=touch)
        expect(page.locator(".day-head")).to_contain_text(f"{number} de 5 hoje")
        drill = Drill.objects.get(attempt=None)
        answer = services.rules_engine.answer_from({"parts": right_answer(drill.scenario)})  # type: ignore[attr-defined]
        services.grade(services.submit_answer(drill, answer).pk)
        page.reload()
        left = page.url
        press(page, touch, "Seguinte")
    expect(page.get_by_role("heading", name="Por hoje está feito.")).to_be_visible()
    expect(page.get_by_role("heading", name="O que volta amanhã")).to_be_visible()
    assert troubles(page) == []

    _sprint(page, touch, live_server.url)
    _mock(page, touch, live_server.url)


def _sprint(page: Page, touch: bool, base: str) -> None:
    _size(page, touch)
    page.goto(f"{base}/practice/sprint/")
    assert troubles(page) == []
    _size(page, touch)
    start = page.locator("form:has([name=kind][value=scores]) button")
    start.tap() if touch else start.press("Enter")
    for number in (1, 2, 3):
        on_case(page, number)
        expect(page.locator(".sprint-buttons .button").first).to_be_visible()
        case = SprintCase.objects.get(answered_at=None)
        right = next(str(one.value) for one in case.scenario.solve().decisions if one.key == case.question)
        wanted = page.locator(f'[data-key="{right}"]')
        wanted.tap() if touch else page.keyboard.press(right)
        on_case(page, number + 1)  # the page before says that an answer was right as well
        expect(page.locator(".sprint-last")).to_contain_text("Certo.")
    assert page.evaluate("document.documentElement.scrollWidth") <= (360 if touch else 1280)
    sprint = Sprint.objects.get()
    assert (sprint.right, sprint.wrong) == (3, 0)
    # The server's clock ends it, whatever the page shows.
    Sprint.objects.update(deadline_at=sprint.started_at)
    page.reload()
    expect(page.get_by_role("heading", name="Tempo. Certas: 3")).to_be_visible()
    assert troubles(page) == []


def _mock(page: Page, touch: bool, base: str) -> None:
    _size(page, touch)
    page.goto(f"{base}/exams/mock/")
    press(page, touch, "Começar o exame de ensaio")
    expect(page.locator(".exam-bar")).to_contain_text("Exame de ensaio")
    expect(page.locator("[data-clock]")).to_contain_text(":")
    assert troubles(page) == []
    _size(page, touch)
    mock = Mock.objects.get()
    for item in mock.items.all():
        expect(page.get_by_role("heading", name=f"Questão {item.position} de 2")).to_be_visible()
        for key, value in right_answer(item.scenario).items():
            _fill(page, key, value)
        to_the_last(page)
        press(page, touch, "Seguinte" if item.position == 1 else "Para o resumo")
    press(page, touch, "Entregar")
    expect(page.get_by_text("A corrigir")).to_be_visible()
    graded()
    expect(page.get_by_role("heading", name="Teria passado.")).to_be_visible()
    assert troubles(page) == []


def _fill(page: Page, key: str, value: str) -> None:
    """One answer through its own control, whatever kind it is."""
    turn_to(page, key)
    radio = page.locator(f'[name="q.{key}"][type=radio][value="{value}"]')
    box = page.locator(f'[name="q.{key}"][type=checkbox][value="{value}"]')
    for control in (radio, box):
        if control.count():
            control.focus()
            page.keyboard.press("Space")
            return
    page.locator(f'[name="q.{key}"]').first.fill(value)


def _size(page: Page, touch: bool) -> None:
    page.set_viewport_size({"width": 360, "height": 740} if touch else {"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
