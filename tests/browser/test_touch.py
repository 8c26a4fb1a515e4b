"""Buttons, and links outside sentences, are at least 44 px high on a phone."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from rules_engine import Answer
from tests.browser.drilling import enter
from tests.factories import PersonFactory
from tests.practice.drills import make_drill, right_answer
from training.people.models import User
from training.practice import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# A link in a sentence has text beside it in its own block; everything else is a target of its own.
SMALL = """() => {
  const alone = one => {
    const block = one.closest("p, li, dd, td, th, figcaption, label, legend, summary");
    return !block || block.textContent.trim() === one.textContent.trim() || one.matches("button, .button");
  };
  return [...document.querySelectorAll("body :is(a[href], button, summary)")]
    .filter(one => one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}))
    .filter(one => !one.closest(".table-figure, .skip-link, dialog") && !one.matches(".skip-link") && alone(one))
    .map(one => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.height > 1 && box.height < 43.5)
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)}: ${Math.round(box.height)} px`);
}"""
PAGES = [
    "home",
    "practice",
    "day",
    "history",
    "rules",
    "study",
    "rulebooks",
    "own_exams",
    "own_certificates",
    "own_data",
]


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="pt", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def answered(trainee: User) -> None:
    for wrong in (False, True):
        drill = make_drill(trainee)
        given = {} if wrong else right_answer(drill.scenario)
        services.grade(services.submit_answer(drill, Answer(given)).pk)  # type: ignore[arg-type]


def test_targets_on_the_pages_of_a_trainee(phone: Page, live_server: LiveServer) -> None:
    trainee = PersonFactory()
    answered(trainee)
    enter(phone.context, trainee, live_server)
    small = {}
    for name in PAGES:
        phone.goto(live_server.url + reverse(name))
        small[name] = phone.evaluate(SMALL)
    for book, number in (("pt-black-jack", ""), ("pt-chemin-de-fer", "67")):
        name, args = ("whole_article", [book, number]) if number else ("rulebook", [book])
        phone.goto(live_server.url + reverse(name, args=args))
        small[name] = phone.evaluate(SMALL)
    assert {name: found for name, found in small.items() if found} == {}
