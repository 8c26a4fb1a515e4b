"""Every game's table moves, in a real browser: what was said and put down is replayed, and at the end chips are
collected and paid in the order of the regulation. The pages are rendered without a server; their scripts run."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Browser, Page, Route, expect

from rules_engine import RULEBOOKS, Scenario, answer_from, generate, grade
from rules_engine.topics import topics
from training.drawing.disputed import offer_of
from training.people.models import User
from training.practice import presentation
from training.practice.feedback import feedback

pytestmark = pytest.mark.browser
STATIC = Path(__file__).parents[2] / "training/static"
ADDRESS = "http://sabot.test/"
PAYING = ["chemin_de_fer", "ponto_banca", "roulette", "banca_francesa", "black_jack", "craps", "cussec"]
SPEAKING = ["chemin_de_fer", "ponto_banca", "roulette", "black_jack", "craps", "cussec"]
BANKS = {"bank", "house"}
ONE_SIDED = ("chemin_de_fer",)  # all pontos win or lose together
# What moves on the table as it should end: when it begins, whether it is collected or paid, and how far it goes.
MOVING = """() => document.getAnimations().filter((one) => one.effect.target.closest?.(".table-after")).map((one) => {
  const part = one.effect.target;
  const far = one.effect.getKeyframes().some(({ translate }) => translate && !/^0(px)?( 0(px)?)?$/.test(translate));
  const kind = part.matches(".gone") ? "gone" : part.matches(".won") ? "won" : "other";
  return { kind, far, at: one.effect.getTiming().delay };
})"""


def of_game(game: str, fits: Callable[[Scenario], bool]) -> Scenario:
    subjects = [(book, topic) for book in RULEBOOKS if RULEBOOKS[book].game.id == game for topic in topics(book)]
    made = (generate(book, topic, f"moves-{seed}", 4) for seed in range(12) for book, topic in subjects)
    return next(scenario for scenario in made if fits(scenario))


def pays_and_collects(scenario: Scenario) -> bool:
    after = scenario.solve().after
    payers = {payment.payer for payment in after.payments} if after else set()
    sides = bool(payers & BANKS) + bool(payers - BANKS)
    return sides == (1 if scenario.book.game.id in ONE_SIDED else 2)


def is_spoken_at_the_table(scenario: Scenario) -> bool:
    situation: Any = scenario.situation
    people = {*map(str, situation.seats), *situation.standing, "croupier", "stickman"}
    calls = presentation.story(scenario, "pt").calls
    return bool(calls) and calls[0].place in people and bool(getattr(situation, "bets", ()) or len(calls) > 1)


@pytest.fixture(autouse=True)
def no_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages are drawn without a database, so for a house that has decided nothing."""
    monkeypatch.setattr("training.practice.reasoning.practised_by_book", lambda books: {})


def page_of(scenario: Scenario, *, graded: bool) -> str:
    drill = SimpleNamespace(pk="00000000-0000-4000-8000-000000000000", difficulty=4, rulebook=scenario.book.id)
    context: dict[str, Any] = {"drill": drill, "attempt": None, "user": User(email="ana@casino.example", name="Ana")}
    with translation.override("pt"):
        ruling = scenario.solve() if graded else None
        context["story"] = presentation.story(scenario, "pt", ruling=ruling)
        if ruling is None:
            context["questions"] = presentation.questions(scenario, "pt", {})
        else:
            mark = SimpleNamespace(engine_mark=grade(scenario, answer_from({"parts": {}})), ruling=ruling)
            context |= {"feedback": feedback(scenario, mark, "pt"), "reading": True}
        return render_to_string("practice/drill.html", context)


@pytest.fixture
def shown(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    body = ""

    def serve(route: Route) -> None:
        path = STATIC / route.request.url.removeprefix(f"{ADDRESS}static/")
        if route.request.url == ADDRESS:
            route.fulfill(body=body, content_type="text/html; charset=utf-8")
        elif path.is_file():
            route.fulfill(path=path)
        else:
            route.abort()

    def show(html: str) -> Page:
        nonlocal body
        body = html
        page.goto(ADDRESS)
        return page

    page.route("**/*", serve)
    yield show
    context.close()


def test_at_the_end_chips_are_collected_and_then_others_paid(shown: Callable[[str], Page]) -> None:
    for game in PAYING:
        scenario = of_game(game, pays_and_collects)
        page = shown(page_of(scenario, graded=True))
        page.evaluate("document.querySelector('#shown-after').dispatchEvent(new Event('change', { bubbles: true }))")
        moving = page.evaluate(MOVING)
        collected = [one["at"] for one in moving if one["kind"] == "gone" and one["far"]]
        paid = [one["at"] for one in moving if one["kind"] == "won" and one["far"]]
        enough = collected or paid if game in ONE_SIDED else collected and paid
        assert enough, f"{game}: {scenario.topic} {scenario.seed}: {moving}"
        payments = scenario.solve().after.payments
        if payments[0].spot in scenario.book.game.spots:
            assert max(collected) < min(paid), game
        elif payments[0].spot:  # hand after hand, in the order of the seats
            moved = sorted([(at, False) for at in collected] + [(at, True) for at in paid])
            assert [by_bank for _at, by_bank in moved] == [payment.payer in BANKS for payment in payments], game


def test_an_enlarged_table_opens_on_what_is_disputed(shown: Callable[[str], Page]) -> None:
    """On a phone, where the whole table has no room: the chips to be ruled on are in sight."""
    # Only chemin de fer: the tables of the other games stand upright on a phone, whole.
    scenario = of_game("chemin_de_fer", lambda one: offer_of(one.situation) is not None)
    page = shown(page_of(scenario, graded=False))
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Ampliar").click()
    chips = page.locator(".table-before .table-drawing:visible [data-id^='offer:']")
    expect(chips, f"{scenario.topic} {scenario.seed}").to_be_in_viewport(ratio=0.9)


def test_what_was_said_is_replayed_at_the_table(shown: Callable[[str], Page]) -> None:
    for game in SPEAKING:
        page = shown(page_of(of_game(game, is_spoken_at_the_table), graded=False))
        page.get_by_role("button", name="Passar o que aconteceu").click()
        drawing = page.locator(".table-before .table-drawing:visible")
        moving = drawing.evaluate("svg => svg.getAnimations({ subtree: true }).length")
        expect(drawing.locator(".spoken-now, .bubble").first, game).to_be_visible()
        assert moving, game
