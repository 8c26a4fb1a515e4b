"""A newcomer on a phone, by touch: the guided first coup, the card of a rule, its drill, and the drawer."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import RULEBOOKS
from tests.browser.drilling import enter, to_the_last, turn_to
from tests.browser.walking import below_the_table, troubles
from tests.factories import PASSWORD, PersonFactory
from tests.practice.drills import right_answer
from training.lessons.guide import halts
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = "pt-chemin-de-fer"


def arrive(browser: Browser, base: str, email: str) -> Page:
    context = browser.new_context(
        locale="pt-PT", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(base)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").tap()
    return page


def fits(page: Page) -> None:
    page.wait_for_load_state()  # with its styles: without them it is wider
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def answer(page: Page, key: str, value: str) -> None:
    """Fill or tap one question, whatever its control."""
    page.wait_for_load_state("domcontentloaded")  # its heading is seen before its controls are there
    turn_to(page, key)
    picked = page.locator(f'input[name="q.{key}"][value="{value}"]')
    if picked.count():
        page.locator(f'label[for="{picked.first.get_attribute("id")}"]').or_(
            page.locator("label", has=picked.first)
        ).first.tap()
    else:
        page.locator(f'input[name="q.{key}"]').first.fill(value)


def test_a_newcomer_who_chooses_no_game_sees_why_nothing_began(chromium: Browser, live_server: LiveServer) -> None:
    page = arrive(chromium, live_server.url, PersonFactory().email)
    page.get_by_role("button", name="Começar").tap()
    expect(page.get_by_text("Escolha pelo menos um jogo.")).to_be_in_viewport()


def test_a_newcomer_learns_before_being_asked(chromium: Browser, live_server: LiveServer) -> None:
    page = arrive(chromium, live_server.url, PersonFactory().email)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.get_by_role("link", name="Começar").tap()
    for halt in halts(RULEBOOKS[BOOK]):
        expect(page.get_by_role("heading", name=halt.title)).to_be_visible()
        for name in halt.lights.split():
            kinds = ", ".join(f'[data-point="{kind}:{name}"].lit' for kind in ("place", "card", "stake"))
            expect(page.locator(kinds).first).to_be_attached()
        fits(page)
        if halt.key:
            answer(page, halt.key, right_answer(halt.scenario)[halt.key])
            page.get_by_role("button", name="Verificar").tap()
            expect(page.get_by_text("Certo.")).to_be_in_viewport()
            expect(page.locator("#told")).to_be_focused()
            below_the_table(page, "#told")
        if halt != halts(RULEBOOKS[BOOK])[-1]:
            onwards = page.get_by_role("link", name="Continuar")
            if not halt.key:  # what is only looked at is read and left without scrolling
                expect(onwards).to_be_in_viewport(ratio=0.9)
            onwards.tap()
    page.get_by_role("button", name="Começar a primeira lição").tap()

    expect(page.get_by_role("heading", name="Uma regra nova")).to_be_visible()
    fits(page)
    onwards = page.get_by_role("button", name="Passo seguinte")
    expect(page.locator("[data-walk-end]")).to_be_hidden()
    while onwards.is_visible():
        onwards.tap()
    expect(page.locator("[data-walk-end]")).to_be_visible()
    assert troubles(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="light")
    page.get_by_role("link", name="Percebi: experimentar").tap()

    expect(page.locator("#answer")).to_be_visible()
    drill = Drill.objects.get()
    page.get_by_role("link", name="Consultar").tap()
    expect(page.locator("#drawer")).to_contain_text("na banca")
    page.locator("#reference-words").fill("garage")
    expect(page.locator("#reference-found")).to_contain_text("art. 34")
    expect(page.locator("#reference-found")).not_to_contain_text("Palavras a dizer")
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    for key, value in right_answer(drill.scenario).items():
        answer(page, key, value)
    to_the_last(page)
    page.get_by_role("button", name="Submeter").first.tap()
    expect(page.locator("#panel[data-graded], #panel[data-stored]")).to_be_visible()
    assert errors == []
    page.goto(f"{live_server.url}/practice/study/")
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.95)
    page.goto(f"{live_server.url}/practice/rules/")
    fits(page)
    assert page.evaluate("document.documentElement.scrollHeight") < 4100
    assert troubles(page) == []
    page.context.close()


def test_at_a_desk_the_card_of_a_rule_and_the_way_on_are_seen_at_once(page: Page, live_server: LiveServer) -> None:
    enter(page.context, PersonFactory(), live_server)
    page.goto(live_server.url)
    page.get_by_role("button", name="Treinar o que importa agora").press("Enter")
    expect(page.get_by_role("heading", name="Uma regra nova")).to_be_visible()
    expect(page.get_by_role("link", name="Percebi: experimentar")).to_be_in_viewport(ratio=1)
