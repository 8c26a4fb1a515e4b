"""A new trainee on a phone, by touch alone: from the invitation to the end of the day, with every tap counted.

A drill needs no swipe: everything that is tapped in it is on the screen, and the page never scrolls.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from playwright.sync_api import Browser, Locator, expect
from pytest_django.live_server_helper import LiveServer

from exams.accounts.roles import invite
from exams.mock.models import Mock
from exams.programmes.rules import Line, Section
from rules_engine import RULEBOOKS, Scenario, topics
from tests.browser.hands import Hand
from tests.browser.walking import on_case
from tests.exams import making
from tests.factories import PersonFactory
from tests.practice.drills import right_answer
from training.lessons.guide import halts
from training.mail.courier import deliver
from training.people.models import Role
from training.practice import services
from training.practice.models import Attempt, Drill
from training.sprint.models import Sprint, SprintCase

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OWN = "pt-black-jack"  # the game that is chosen; one case of each of the others is tried
OTHERS = ("pt-craps", "pt-cussec", "pt-roleta-americana", "pt-chemin-de-fer")
ADDRESS, PASSWORD = "ilda@sabot.example", "pano-verde-e-fichas"
# Taps a part may take: a drill, and the others.
A_DRILL = 24
MOST = {
    "invitation": 3,
    "welcome": 3,
    "placement": 40,
    "guided coup": 20,
    "day": 80,
    "sprint": 6,
    "mock exam": 16,
}


@pytest.fixture
def hand(chromium: Browser, live_server: LiveServer, settings: Any) -> Iterator[Hand]:
    settings.PUBLIC_URL = live_server.url
    context = chromium.new_context(
        locale="pt-PT", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    yield Hand(context.new_page(), "touch")
    context.close()


class Counter:
    """Taps by part of the protocol."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.taps = hand, dict[str, int]()
        self.before = 0

    def end(self, part: str) -> None:
        self.taps[part] = self.hand.actions - self.before
        self.before = self.hand.actions


def on_screen(thing: Locator) -> None:
    """It can be tapped without a swipe."""
    expect(thing).to_be_visible()
    expect(thing).to_be_in_viewport(ratio=0.6)


def give(hand: Hand, key: str, value: str, *, still: bool = True) -> None:
    """One answer through its own control, turned to by taps."""
    page = hand.page
    question = page.locator(f'.question[data-key="{key}"]')
    for way in ("[data-on]", "[data-back]"):
        while question.is_hidden() and page.locator(way).is_visible():
            hand.do(page.locator(way))
    picked = page.locator(f'input[name="q.{key}"][value="{value}"]')
    if not picked.count():
        field = page.locator(f'input[name="q.{key}"]').first
        if still:
            on_screen(field)
        hand.write(field, value)
        return
    known = picked.first.get_attribute("id")
    label = page.locator(f'label[for="{known}"]') if known else picked.first.locator("xpath=ancestor::label")
    if label.is_hidden() and question.locator("summary").count():
        hand.do(question.locator("summary").first)
    if still:
        on_screen(label)
    hand.do(label)


def give_all(hand: Hand, values: dict[str, str]) -> None:
    """The answers in the order of the page."""
    for key in hand.page.locator("#answer .question").evaluate_all("all => all.map(one => one.dataset.key)"):
        give(hand, key, values[key])


def answer(hand: Hand, given: Callable[[Scenario], dict[str, str]] = right_answer) -> None:
    """Answer the open drill, from its page to its mark, without a swipe."""
    page = hand.page
    expect(page.locator("#answer")).to_be_visible()
    page.wait_for_load_state("networkidle")
    drill, before = Drill.objects.get(attempt=None), hand.actions
    give_all(hand, given(drill.scenario))
    while page.locator("[data-on]").is_visible():
        hand.do(page.locator("[data-on]"))
    submit = page.locator("#answer button[type=submit]").last
    on_screen(submit)
    assert page.evaluate("scrollY") == 0
    # For each question a tap to answer it and one to turn to the next.
    assert hand.actions - before <= 2 * len(drill.scenario.questions)
    hand.do(submit)
    expect(page.locator("#panel[data-stored], #panel[data-graded]")).to_be_visible()
    services.grade(Attempt.objects.get(drill=drill).pk)
    expect(page.locator("#panel[data-graded], #panel[data-held]")).to_be_visible()
    if page.locator("#panel[data-held]").count():
        hand.do(page.get_by_role("button", name="Ver a solução"))
    expect(page.locator("#panel[data-graded]")).to_be_visible()
    on_screen(page.locator("[data-next]").first)


def test_a_new_trainee_from_the_invitation_to_the_end_of_the_day(hand: Hand, live_server: LiveServer) -> None:
    line = Line(rulebook=OWN, topic=topics(OWN)[0], difficulty=1, items=2, points=1)
    making.make_version(making.make_rules(sections=(Section(key="coup", names={"pt": "O jogo"}, lines=(line,)),)))
    counted = Counter(hand)
    _invited(hand)
    counted.end("invitation")
    _welcome(hand)
    counted.end("welcome")
    assert _placement(hand) <= 4
    counted.end("placement")
    _guided(hand, live_server)
    counted.end("guided coup")
    assert 3 <= _day(hand, live_server) <= 10
    counted.end("day")
    for book in OTHERS:
        _one_drill(hand, live_server, book)
        counted.end(book)
    _sprint(hand, live_server)
    counted.end("sprint")
    _mock(hand, live_server)
    counted.end("mock exam")
    sys.stdout.write(f"Taps: {counted.taps}\n")  # shown with -s
    assert {part: taps for part, taps in counted.taps.items() if taps > MOST.get(part, A_DRILL)} == {}, counted.taps


def _invited(hand: Hand) -> None:
    page, chief = hand.page, PersonFactory(roles=[Role.ADMINISTRATOR])
    invite(email=ADDRESS, name="Ilda Nova", language="pt", roles=[Role.TRAINEE], by=chief)
    deliver()
    (sent,) = [letter for letter in mail.outbox if letter.to == [ADDRESS]]
    page.goto(next(word for word in str(sent.body).split() if "/password/reset/key/" in word))
    for field in page.locator("input[type=password]").all():
        hand.write(field, PASSWORD)
    hand.do(page.get_by_role("button", name="Guardar a palavra-passe"))
    expect(page.get_by_role("heading", name="Palavra-passe")).to_be_visible()


def _welcome(hand: Hand) -> None:
    page = hand.page
    page.goto(page.url.split("/account")[0])
    begin = page.get_by_role("button", name="Começar", exact=True)
    on_screen(begin)  # all games and the way on, on one screen
    hand.do(page.locator(f'label.tile:has(input[value="{OWN}"])'))
    hand.do(page.get_by_text("Já dou jogo"))
    hand.do(begin)


def _placement(hand: Hand) -> int:
    """Answers wrongly until the test has placed the trainee at the beginning; returns how many cases that took."""
    page, cases = hand.page, 0
    while True:
        expect(page.locator("#answer, .home-grid").first).to_be_visible()
        if page.locator(".home-grid").count():
            return cases
        answer(hand, wrong)
        hand.do(page.locator("[data-next]").first)
        cases += 1
        page.wait_for_load_state()


def wrong(scenario: Scenario) -> dict[str, str]:
    """Another option of every choice; what is typed stays right."""
    others = {
        question.key: next(str(one) for one in question.options if str(one) != right_answer(scenario)[question.key])
        for question in scenario.questions
        if question.kind == "choice"
    }
    return right_answer(scenario) | others


def _guided(hand: Hand, live_server: LiveServer) -> None:
    page, stops = hand.page, halts(RULEBOOKS[OWN])
    page.goto(live_server.url + reverse("first_coup", args=[OWN]))
    for halt in stops:
        expect(page.get_by_role("heading", name=halt.title)).to_be_visible()
        if halt.key:
            give(hand, halt.key, right_answer(halt.scenario)[halt.key], still=False)
            hand.do(page.get_by_role("button", name="Verificar"))
            expect(page.get_by_text("Certo.")).to_be_visible()
        if halt != stops[-1]:
            hand.do(page.get_by_role("link", name="Continuar"))


def _one_drill(hand: Hand, live_server: LiveServer, book: str) -> None:
    page = hand.page
    page.goto(f"{live_server.url}{reverse('rules')}?rulebook={book}")
    start = page.locator(f'form:has(input[name=topic][value="{book}/{topics(book)[0]}"]) button').first
    if start.is_hidden():
        hand.do(page.locator("details:has(form) > summary").first)
    hand.do(start)
    answer(hand)


def _day(hand: Hand, live_server: LiveServer) -> int:
    """The planned cases, each after its card if something is new, to the page at the end; returns how many."""
    page, cases = hand.page, 0
    page.goto(live_server.url)
    hand.do(page.get_by_role("button", name="Treinar o que importa agora"))
    while True:
        understood = page.get_by_role("link", name="Percebi: experimentar")
        expect(understood.or_(page.locator("#answer, .day-page")).first).to_be_visible()
        if page.locator(".day-page").count():
            expect(page.get_by_role("heading", name="Por hoje está feito.")).to_be_visible()
            hand.do(page.get_by_role("link", name="Até amanhã"))
            return cases
        if understood.count():
            hand.do(understood)
        answer(hand)
        hand.do(page.locator("[data-next]").first)
        cases += 1
        page.wait_for_load_state()


def _sprint(hand: Hand, live_server: LiveServer) -> None:
    page = hand.page
    page.goto(live_server.url + "/practice/sprint/")
    hand.do(page.locator("form:has([name=kind][value=scores]) button"))
    for number in (1, 2, 3):
        on_case(page, number)
        case = SprintCase.objects.get(answered_at=None)
        right = next(str(one.value) for one in case.scenario.solve().decisions if one.key == case.question)
        on_screen(page.locator(f'[data-key="{right}"]'))
        hand.do(page.locator(f'[data-key="{right}"]'))
        on_case(page, number + 1)
    Sprint.objects.update(deadline_at=Sprint.objects.get().started_at)
    page.reload()
    expect(page.get_by_role("heading", name="Tempo. Certas: 3")).to_be_visible()


def _mock(hand: Hand, live_server: LiveServer) -> None:
    page = hand.page
    page.goto(live_server.url + "/exams/mock/")
    hand.do(page.get_by_role("button", name="Começar o exame de ensaio").first)
    expect(page.locator(".exam-bar")).to_be_visible()
    for item in Mock.objects.get().items.all():
        expect(page.get_by_role("heading", name=f"Questão {item.position} de 2")).to_be_visible()
        page.wait_for_load_state("networkidle")
        give_all(hand, right_answer(item.scenario))
        while page.locator("[data-on]").is_visible():
            hand.do(page.locator("[data-on]"))
        assert page.evaluate("scrollY") == 0
        hand.do(page.locator("#answer [data-next]"))
    hand.do(page.get_by_role("button", name="Entregar"))
    expect(page.get_by_text("A corrigir")).to_be_visible()
