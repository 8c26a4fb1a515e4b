"""A trainee's drill in a browser: put, opened, filled in, sent."""

from typing import Any

from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

import rules_engine
from rules_engine import scenario_of
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Drill

WORDS = "Igualdade a 6"


def enter(context: BrowserContext, person: User, live_server: LiveServer) -> None:
    """Sign in without the form: most tests here are about something else."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])


def put(trainee: User, situation: dict[str, Any], topic: str = "third_card", book: str = "pt-chemin-de-fer") -> Drill:
    law = rules_engine.rulebook(book)
    scenario = scenario_of(law.situation(**situation), law, topic=topic)
    return Drill.objects.create(
        trainee=trainee, rulebook=book, topic=topic, difficulty=2, scenario_document=document(scenario)
    )


def address(drill: Drill, live_server: LiveServer) -> str:
    return f"{live_server.url}/practice/{drill.pk}/"


def turn_to(page: Page, key: str) -> Locator:
    """The question with this key; on a phone, which shows one at a time, it is turned to."""
    question = page.locator(f'.question[data-key="{key}"]')
    for way in ("[data-back]", "[data-on]"):
        while question.is_hidden() and page.locator(way).is_visible():
            page.locator(way).click()
    return question


def fill_in(page: Page, words: str = WORDS, winner: str = "empate") -> None:
    turn_to(page, "announcement").get_by_label("Acabado o golpe, que resultado anuncia?").fill(words)
    turn_to(page, "banker_draw").locator("label", has_text="tem de tirar").click()
    turn_to(page, "winner").locator("label", has_text=winner).click()


def to_the_last(page: Page) -> None:
    """To the last question, where a phone has the button that submits."""
    while page.locator("[data-on]").is_visible():
        page.locator("[data-on]").click()


def submit(page: Page) -> None:
    to_the_last(page)
    page.get_by_role("button", name="Submeter").click()


def draft_of(page: Page, drill: Drill) -> str | None:
    found: str | None = page.evaluate(f"localStorage.getItem('sabot.draft.{drill.pk}')")
    return found


def see_the_solution(page: Page) -> None:
    """Something was wrong and could be tried again; this trainee wants to know."""
    expect(page.locator("#panel[data-held]")).to_be_visible(timeout=10_000)
    page.get_by_role("button", name="Ver a solução").click()
    expect(page.locator("#panel[data-graded]")).to_be_visible()
