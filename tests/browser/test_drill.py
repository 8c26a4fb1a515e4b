"""A trainee at the answer page, in a real browser: by keys alone, to the feedback, on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import address, draft_of, fill_in, put, see_the_solution, submit
from tests.browser.walking import below_the_table, past_the_card
from tests.factories import PASSWORD, PersonFactory
from tests.practice.drills import make_drill
from training.people.models import User
from training.practice.models import Attempt, Drill, Flag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_first_drill_to_feedback_by_keyboard_alone(worker: None, page: Page, live_server: LiveServer) -> None:
    PersonFactory(email="nova@casino.example")
    page.goto(live_server.url)
    page.get_by_label("E-mail").focus()
    page.keyboard.type("nova@casino.example")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}/")
    drill = make_drill(User.objects.get(email="nova@casino.example"))
    page.goto(address(drill, live_server))

    words = page.get_by_label("Acabado o golpe, que resultado anuncia?")
    expect(words).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("tem de tirar")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    # Typed beside a field it answers nothing: a key belongs to the question that has the focus.
    page.keyboard.type("4 no ponto, t 6 na banca")
    expect(page.locator("#answer input:checked")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(words).to_be_focused()
    page.keyboard.type("7 no ponto, 5 na banca")
    expect(page.locator("#answer input:checked")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("[data-key=banker_draw] input").first).to_be_focused()
    page.keyboard.press("t")
    expect(page.locator("[data-key=banker_draw] input[value=must_draw]")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("[data-key=winner] input").first).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")

    # What is wrong is read first: a second Enter does not skip it.
    expect(page.locator(".verdict")).to_be_focused(timeout=10_000)
    page.keyboard.press("Enter")
    expect(page).to_have_url(address(drill, live_server))
    page.get_by_role("button", name="Ver a solução").press("Enter")
    expect(page.locator(".verdict")).to_be_focused()
    expect(page.get_by_text(re.compile(r"^art\. \d+")).first).to_be_visible()
    assert (
        Attempt.objects.get().answer["parts"] | {"banker_draw": "must_draw", "winner": "ponto"}
        == (Attempt.objects.get().answer["parts"])
    )
    page.keyboard.press("n")
    past_the_card(page, address(drill, live_server))


def test_feedback_fills_the_panel_without_leaving_the_page(
    worker: None, visit: Callable[[Drill], Page], third_card: Drill
) -> None:
    page = visit(third_card)
    page.evaluate("window.stayed = true")
    fill_in(page, winner="ponto")
    submit(page)
    expect(page.locator("#panel[data-held]")).to_contain_text("2 de 3 certas", timeout=10_000)
    expect(page.locator(".question")).to_have_count(1)  # what was missed can be tried again
    page.locator("[data-key=winner] label", has_text="banca").click()
    page.reload()  # nothing of it is lost
    expect(page.locator("[data-key=winner] input[value=banker]")).to_be_checked()
    page.evaluate("window.stayed = true")
    page.locator("[data-key=winner] label", has_text="empate").click()
    page.get_by_role("button", name="Tentar de novo").dblclick()
    expect(page.locator("#panel[data-graded]")).to_contain_text("Quase tudo certo")
    expect(page.locator("#panel[data-graded]")).to_contain_text("À segunda, tudo certo.")
    expect(page.locator(".verdict.nearly")).to_be_focused()
    expect(page.locator(".part.right")).to_have_count(2)
    expect(page.locator(".part.wrong .article-link")).to_have_text("art. 2")

    # The badge of an article opens it beside the work.
    page.locator(".part.wrong .article-link").click()
    expect(page.get_by_role("dialog", name="art. 2")).to_contain_text("A página inteira deste artigo")
    page.get_by_role("button", name="Fechar").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".step.pivot .article-link").first.click()
    expect(page.locator("#leaf .drawing-table")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".what-if")).to_be_visible()
    assert page.evaluate("window.stayed")
    assert draft_of(page, third_card) is None

    # The table is drawn as it should end, and can be turned back.
    expect(page.locator(".table-after [data-point='card:banker.3']")).to_be_visible()
    page.get_by_text("Como estava").click()
    expect(page.locator(".table-after")).to_be_hidden()
    expect(page.locator(".table-before [data-point='card:next.1']")).to_be_visible()

    # A step lights up what it turned on, as long as it is pointed at or once it is pressed.
    scores = page.locator(".step[data-lit*='banker.1']").last
    scores.hover()
    expect(page.locator(".table-before [data-point='card:banker.1']")).to_have_class(re.compile(r"\blit\b"))
    page.locator(".verdict").hover()
    expect(page.locator(".table-before .lit")).to_have_count(0)
    scores.locator(".cite").press("Enter")
    expect(page.locator(".table-before [data-point='card:banker.2']")).to_have_class(re.compile(r"\blit\b"))

    page.get_by_text("Há algo errado neste cenário").click()
    page.get_by_label("O que está errado").fill("A carta do sabot é outra.")
    page.get_by_role("button", name="Sinalizar").click()
    expect(page.locator("#flag")).to_contain_text("Sinalizou este cenário.")
    assert Flag.objects.get().drill_id == third_card.pk


def test_on_a_phone_the_table_stays_in_sight_and_the_verdict_takes_the_place_of_the_question(
    worker: None, visit: Callable[[Drill], Page], third_card: Drill
) -> None:
    page = visit(third_card)
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    gist = page.get_by_role("button", name="O que aconteceu, por inteiro")
    expect(gist).to_have_attribute("aria-expanded", "false")
    gist.click()
    expect(page.locator(".calls li").first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#table .table-drawing").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="Ampliar").click()
    assert page.evaluate("document.querySelector('#table .table-drawing').getBoundingClientRect().width") > 600
    page.get_by_role("button", name="Reduzir").click()
    assert page.evaluate("document.querySelector('#table .table-drawing').getBoundingClientRect().width") <= 360

    # The mark is read under the table, not behind it.
    fill_in(page, winner="ponto")
    submit(page)
    see_the_solution(page)
    expect(page.locator(".verdict")).to_be_focused(timeout=10_000)
    expect(page.locator(".part").first).to_be_in_viewport()
    expect(page.locator("[data-next]")).to_be_in_viewport()
    below_the_table(page, ".verdict")
    page.get_by_role("button", name="Ampliar").click()
    switch = page.locator(".table-switch").bounding_box()
    assert switch is not None
    assert switch["x"] >= 0
    assert switch["x"] + switch["width"] <= 360
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Ampliar")).to_be_visible()


@pytest.fixture
def stuck(trainee: User) -> Drill:
    """Two cards came out as one and nobody knows their order: the coup is annulled, and little else arises."""
    return put(
        trainee,
        {
            "seats": [1, 2, 3, 4, 5],
            "banker": "5",
            "bank": 600,
            "holder": "2",
            "claim": "stake",
            "calls": [{"by": "ponto", "says": "card"}],
            "ponto": ["2h", "2d"],
            "banker_cards": ["Ks", "3d"],
            "loose": ["5h", "9c"],
            "next": ["As"],
            "incident": {"kind": "stuck_third_cards", "order_known": False, "wish": "stand"},
        },
        topic="draw_faults",
    )


def test_once_the_coup_is_annulled_the_rest_is_answered_at_one_stroke(
    worker: None, visit: Callable[[Drill], Page], stuck: Drill
) -> None:
    page = visit(stuck)
    page.locator("[data-key=coup]").get_by_text("anulado").click()
    page.locator("[data-key=winner]").get_by_text("ninguém").click()
    for card in ("fate.loose.1", "fate.loose.2"):
        page.locator(f"[data-key='{card}'] input[value=burned] + label").click()
    page.locator("[data-rest]").click()
    expect(page.locator("[data-key=ponto_score] [data-idle]")).to_be_checked()
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["ponto_score"] == "does_not_arise"


@pytest.fixture
def not_begun(trainee: User) -> Drill:
    """A ball fell into the wheel before any was thrown: nothing is announced, and no ball goes back."""
    return put(
        trainee,
        {
            "seats": [1, 2, 3, 4],
            "minimum": 500,
            "previous": 21,
            "bets": [{"player": "2", "chance": "straight", "numbers": [17], "count": 2, "value": 500}],
            "incident": {"kind": "fell_in", "thing": "ball", "moment": "before_throw"},
        },
        topic="null_spin",
        book="pt-roleta-francesa",
    )


def test_words_and_that_there_are_none_take_the_place_of_each_other(
    worker: None, visit: Callable[[Drill], Page], not_begun: Drill
) -> None:
    page = visit(not_begun)
    page.locator("[data-key=spin] input[value=not_begun] + label").click()
    words, box = page.locator("[data-key=announcement] input[name='q.announcement']").all()
    label = page.locator("[data-key=announcement] .idle")
    words.fill("Nada feito")
    page.locator("[data-rest]").click()
    expect(box).not_to_be_checked()  # what is answered stays answered
    label.click()
    expect(words).to_have_value("")
    words.fill("Nada feito")
    expect(box).not_to_be_checked()
    label.click()
    page.reload()  # the draft brings it back
    expect(page.locator("[data-key=announcement] input[type=checkbox]")).to_be_checked()
    expect(page.locator("[data-key=announcement] input").first).to_have_value("")
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["ball_back"] == "does_not_arise"
