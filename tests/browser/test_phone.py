"""What trainees met on a phone: everything in view, nothing that was typed is lost, and only keys that work."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

import rules_engine
from exams import clock
from exams.mock.models import Mock, MockItem
from rules_engine import RULEBOOKS
from tests.browser.drilling import enter, see_the_solution
from tests.browser.games import ROULETTE
from tests.exams import making
from training.lessons.guide import halts
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Drill
from training.sprint import services as sprints
from training.sprint.kinds import KINDS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONES = {"tall": {"width": 390, "height": 844}, "small": {"width": 360, "height": 740}}
LANDSCAPE = {"width": 844, "height": 390}
# Whether somebody sees all of a part: it is on the screen and nothing lies over its middle or its corners.
IN_SIGHT = """part => {
  const { left, top, right, bottom } = part.getBoundingClientRect();
  const points = [[(left + right) / 2, (top + bottom) / 2], [left + 6, top + 6], [right - 6, bottom - 6]];
  return points.every(([x, y]) => {
    const found = document.elementFromPoint(x, y);
    return found && (part.contains(found) || found.contains(part));
  });
}"""


@pytest.fixture
def phone(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    size: Any = PHONES["tall"]
    context = chromium.new_context(
        locale="pt-PT", viewport=size, has_touch=True, is_mobile=True, base_url=live_server.url
    )
    enter(context, trainee, live_server)
    yield context.new_page()
    context.close()


def in_sight(page: Page, *selectors: str) -> None:
    for selector in selectors:
        for part in page.locator(f"{selector} >> visible=true").all():
            assert part.evaluate(IN_SIGHT), selector
        assert page.locator(f"{selector} >> visible=true").count(), selector


def mock_of(trainee: User, *scenarios: rules_engine.Scenario) -> Mock:
    now = clock.now()
    version = making.make_version()
    mock = Mock.objects.create(
        person=trainee, programme_version=version, started_at=now, deadline_at=now + timedelta(hours=1)
    )
    for position, scenario in enumerate(scenarios, 1):
        MockItem.objects.create(mock=mock, position=position, section="s", line=0, scenario_document=document(scenario))
    return mock


# ---------- everything is in view ----------


@pytest.mark.parametrize("size", [*PHONES.values(), LANDSCAPE], ids=[*PHONES, "landscape"])
def test_a_mock_exam_shows_facts_question_and_way_on(phone: Page, trainee: User, size: dict[str, int]) -> None:
    cases = [rules_engine.generate(ROULETTE, "payout", f"phone-{seed}", 3) for seed in range(2)]
    mock = mock_of(trainee, *cases)
    phone.set_viewport_size(size)  # type: ignore[arg-type]
    phone.goto(f"/exams/mock/{mock.pk}/1/")
    in_sight(phone, ".gist", ".question legend, .question label", ".submit-bar .button", "[data-clock]")
    table, gist = phone.locator("#table").bounding_box(), phone.locator(".gist").bounding_box()
    assert table and gist
    if size != LANDSCAPE:
        assert table["y"] + table["height"] <= gist["y"] + 1
    phone.get_by_role("button", name="O que aconteceu").tap()
    expect(phone.locator(".happened")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollHeight") == size["height"]


@pytest.mark.parametrize("size", [*PHONES.values(), LANDSCAPE], ids=[*PHONES, "landscape"])
def test_a_sprint_starts_with_its_question_in_view(
    phone: Page, trainee: User, size: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = replace(KINDS["payouts"], asks=lambda question: question.kind == "amount")
    for name, kind in {"scores": KINDS["scores"], "payouts": KINDS["payouts"], "typed": typed}.items():
        monkeypatch.setitem(KINDS, kind.key, kind)
        sprint = sprints.start(trainee, kind.key, timezone.now())
        phone.set_viewport_size(size)  # type: ignore[arg-type]
        phone.goto(f"/practice/sprint/{sprint.pk}/")
        in_sight(phone, "#panel .question legend, #panel .question label", "#panel .button")
        assert phone.locator("#table").bounding_box()["height"] >= 130, name  # type: ignore[index]
        type(sprint).objects.update(closed_at=timezone.now())


@pytest.mark.parametrize("book", ["pt-roleta-americana", "pt-roleta-francesa", "pt-craps", "pt-cussec"])
def test_the_guided_coup_shows_words_and_button(phone: Page, book: str) -> None:
    phone.set_viewport_size(PHONES["small"])  # type: ignore[arg-type]
    for number, halt in enumerate(halts(RULEBOOKS[book]), 1):
        phone.goto(f"/practice/first-coup/{book}/?stop={number}")
        expect(phone.get_by_role("heading", name=halt.title)).to_be_in_viewport(ratio=1)
        in_sight(phone, ".guide-text", ".submit-bar .button")
        for option in phone.locator("#guide-answer .options label").all():
            assert option.evaluate(IN_SIGHT)


def test_on_its_side_a_phone_shows_cards_and_question(phone: Page, third_card: Drill) -> None:
    phone.set_viewport_size(LANDSCAPE)  # type: ignore[arg-type]
    phone.goto(f"/practice/{third_card.pk}/")
    in_sight(phone, ".table-before [data-point='card:ponto.3']", ".question label", ".submit-bar .button")


# ---------- one question at a time ----------


def test_back_and_forth_between_questions_loses_nothing(worker: None, phone: Page, third_card: Drill) -> None:
    phone.goto(f"/practice/{third_card.pk}/")
    expect(phone.locator(".question:visible")).to_have_count(1)
    phone.locator("[data-key=announcement] input").first.fill("Igualdade a 6")
    phone.get_by_role("button", name="Seguinte").tap()
    expect(phone.locator("[data-key=banker_draw] legend")).to_be_focused()
    expect(phone.get_by_role("img", name="Pergunta 2 de 3")).to_be_visible()
    phone.locator("[data-key=banker_draw] label", has_text="tem de tirar").tap()
    phone.get_by_role("button", name="Pergunta anterior").tap()
    expect(phone.locator("[data-key=announcement] input").first).to_have_value("Igualdade a 6")
    phone.get_by_role("button", name="Seguinte").tap()
    phone.get_by_role("button", name="Seguinte").tap()
    expect(phone.get_by_role("button", name="Seguinte")).to_be_hidden()
    phone.set_viewport_size({"width": 1366, "height": 768})  # at a desk all of them
    expect(phone.locator(".question:visible")).to_have_count(3)
    phone.set_viewport_size(PHONES["tall"])  # type: ignore[arg-type]
    phone.get_by_role("button", name="Submeter").tap()
    expect(phone.get_by_role("alert")).to_contain_text("Falta responder")
    phone.locator("[data-key=winner] label", has_text="empate").tap()
    phone.get_by_role("button", name="Submeter").tap()
    expect(phone.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.")
    in_sight(phone, ".verdict-line", "[data-next]")


def test_words_in_a_sum_are_explained_beside_the_field(phone: Page, trainee: User) -> None:
    scenario = next(
        made
        for made in (rules_engine.generate("pt-ponto-banca-macau", "payout", seed, 2) for seed in range(20))
        if [question.kind for question in made.questions].count("amount") > 1
    )
    drill = Drill.objects.create(
        trainee=trainee,
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        difficulty=2,
        scenario_document=document(scenario),
    )
    phone.goto(f"/practice/{drill.pk}/")
    field = phone.locator("[data-kind=amount] .with-unit input")
    for _question in scenario.questions:
        if field.locator("visible=true").count() and not field.first.input_value():
            field.locator("visible=true").fill("abc")
        if phone.get_by_role("button", name="Seguinte").is_visible():
            phone.get_by_role("button", name="Seguinte").tap()
    phone.get_by_role("button", name="Submeter").tap()
    expect(phone.get_by_text("escreva um número").locator("visible=true")).to_be_in_viewport(ratio=1)
    expect(field.locator("visible=true")).to_be_focused()


def test_a_long_word_does_not_widen_the_solution(worker: None, phone: Page, third_card: Drill) -> None:
    phone.goto(f"/practice/{third_card.pk}/")
    phone.locator("[data-key=announcement] input").first.fill("x" * 290)
    for _question in range(2):
        phone.get_by_role("button", name="Seguinte").tap()
    for _time in range(2):  # the rest is left empty on purpose
        phone.get_by_role("button", name="Seguinte").or_(phone.get_by_role("button", name="Submeter")).first.evaluate(
            "() => document.querySelector('#answer').requestSubmit()"
        )
    see_the_solution(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONES["tall"]["width"]
    panel: dict[str, Any] = phone.locator("#panel").evaluate("one => ({ all: one.scrollWidth, seen: one.clientWidth })")
    assert panel["all"] <= panel["seen"]


def test_a_mock_exam_keeps_answers_on_reload(phone: Page, trainee: User, third_card: Drill) -> None:
    mock = mock_of(trainee, third_card.scenario)
    phone.goto(f"/exams/mock/{mock.pk}/1/")
    field = phone.locator("[data-key=announcement] input").first
    field.fill("Igualdade a 6")
    phone.reload()  # at once, before the server can have it
    expect(field).to_have_value("Igualdade a 6")
    phone.get_by_role("button", name="Pergunta anterior").tap()
    with phone.expect_response(lambda response: response.status == 204):
        field.fill("Igualdade a 5")
    phone.evaluate("localStorage.clear()")
    phone.reload()
    expect(field).to_have_value("Igualdade a 5")


# ---------- keys and figures ----------


def test_the_help_lists_only_keys_that_work(
    page: Page, trainee: User, third_card: Drill, live_server: LiveServer
) -> None:
    enter(page.context, trainee, live_server)
    page.goto(f"{live_server.url}/practice/{third_card.pk}/")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    told = page.get_by_role("dialog").inner_text()
    assert "a opção com esta letra" in told
    assert "pode escolher" in told
    assert not [promise for promise in ("o lugar", "ninguém", "os pontos", "o cenário seguinte") if promise in told]
    page.keyboard.press("Escape")
    winner = page.locator("[data-key=winner]")
    winner.locator("input").first.focus()
    for letter in "cab":
        page.keyboard.press(letter)
        expect(winner.locator("input").nth("abc".index(letter))).to_be_checked()


def test_the_croupiers_words_do_not_cover_the_bank(visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    page.emulate_media(reduced_motion="reduce")
    for _line in range(2):  # back to what the croupier said first
        page.get_by_role("button", name="Voltar").click()
    covered = page.evaluate(
        """() => {
          const words = document.querySelector(".spoken-now rect").getBoundingClientRect();
          const apart = (box) => box.bottom <= words.top || box.top >= words.bottom ||
            box.right <= words.left || box.left >= words.right;
          const bank = [...document.querySelectorAll(".table-before [data-point='stake:bank']")];
          return bank.map((part) => part.getBoundingClientRect()).filter((box) => !apart(box)).length;
        }"""
    )
    assert covered == 0


# ---------- finding one's way ----------


def test_a_filter_applies_by_itself_and_there_is_one_row_of_navigation(phone: Page) -> None:
    phone.goto("/practice/rules/")
    expect(phone.locator(".practice-tabs")).to_be_visible()
    expect(phone.locator(".places")).to_be_hidden()
    expect(phone.get_by_role("button", name="Mostrar")).to_be_hidden()
    phone.get_by_label("Regulamento").select_option("pt-craps")
    phone.wait_for_url("**/?rulebook=pt-craps")
    expect(phone.get_by_role("heading", name="craps")).to_be_visible()
    phone.locator("summary", has_text="Menu da conta").tap()
    phone.locator(".places-too").get_by_role("link", name="Exames").tap()
    phone.wait_for_url("**/exams/")
    expect(phone.locator(".places")).to_be_visible()
