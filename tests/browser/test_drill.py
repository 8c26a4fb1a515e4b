"""A trainee at the answer page, in a real browser: by keys alone, by pointing, and when things go wrong."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

import rules_engine
from rules_engine import scenario_of
from rules_engine.games.chemin_de_fer import GAME
from tests.browser.walking import below_the_table, past_the_card
from tests.factories import PASSWORD, PersonFactory
from tests.practice.drills import make_drill
from training.people.models import User
from training.practice import services
from training.practice.models import Attempt, Drill, Flag
from training.stored import document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WORDS = "Igualdade a 6"


@pytest.fixture
def trainee(transactional_db: None) -> User:
    return PersonFactory()


def enter(context: BrowserContext, person: User, live_server: LiveServer) -> None:
    """Sign in without the form: most tests here are about something else."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])


@pytest.fixture
def visit(page: Page, trainee: User, live_server: LiveServer) -> Callable[[Drill], Page]:
    def go(drill: Drill) -> Page:
        enter(page.context, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


@pytest.fixture
def troubled(chromium: Browser, trainee: User, live_server: LiveServer) -> Iterator[Page]:
    """A page whose console may complain, since what is tested is trouble."""
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 800})
    enter(context, trainee, live_server)
    yield context.new_page()
    context.close()


def put(trainee: User, situation: dict[str, Any], topic: str = "third_card", book: str = "pt-chemin-de-fer") -> Drill:
    scenario = scenario_of(GAME.read(situation), rules_engine.rulebook(book), topic=topic)
    return Drill.objects.create(
        trainee=trainee, rulebook=book, topic=topic, difficulty=2, scenario_document=document(scenario)
    )


@pytest.fixture
def third_card(trainee: User) -> Drill:
    return put(
        trainee,
        {
            "seats": [1, 2, 3, 4, 5, 6, 7],
            "banker": "7",
            "bank": 600,
            "holder": "2",
            "claim": "stake",
            "stakes": [{"player": "2", "amount": 300}, {"player": "1", "amount": 300}],
            "ponto": ["4h", "8d", "4s"],
            "banker_cards": ["Ks", "5d"],
            "next": ["As"],
            "by_table": ["banker"],
            "calls": [
                {"by": "croupier", "says": "closed"},
                {"by": "2", "says": "card"},
                {"by": "ponto", "says": "card"},
            ],
            "incident": {"kind": "banker_to_decide", "wish": "stand"},
        },
    )


def address(drill: Drill, live_server: LiveServer) -> str:
    return f"{live_server.url}/practice/{drill.pk}/"


def fill_in(page: Page, words: str = WORDS, winner: str = "empate") -> None:
    page.get_by_label("Acabado o golpe, que resultado anuncia?").fill(words)
    page.locator("[data-key=banker_draw] label", has_text="tem de tirar").click()
    page.locator("[data-key=winner] label", has_text=winner).click()


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submeter").click()


def draft_of(page: Page, drill: Drill) -> str | None:
    found: str | None = page.evaluate(f"localStorage.getItem('sabot.draft.{drill.pk}')")
    return found


# ---------- the way through ----------


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
    expect(page.locator("#panel[data-graded]")).to_contain_text("Quase tudo certo", timeout=10_000)
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


def test_the_call_log_is_stepped_through(visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    page.keyboard.press("Escape")
    position = page.locator("[data-log-position]")
    expect(position).to_have_text("3 / 3")
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text("2 / 3")
    expect(page.locator(".table-before [data-point='place:2']")).to_have_class(re.compile(r"\blit\b"))
    expect(page.locator(".calls li.later")).to_have_count(1)
    third = page.locator(".table-before [data-point='card:ponto.3']")
    expect(third).to_be_hidden()
    expect(page.locator(".spoken-now")).to_have_text("«Carta.»")
    page.get_by_role("button", name="Voltar").click()
    expect(page.locator(".table-before .croupier")).to_have_class(re.compile(r"\blit\b"))
    expect(page.get_by_role("button", name="Voltar")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(position).to_have_text("2 / 3")
    page.keyboard.press("ArrowRight")
    expect(third).to_be_visible()
    assert third.evaluate("part => part.getAnimations().length")  # it leaves the shoe
    page.get_by_role("button", name="Passar o que aconteceu").click()
    expect(third).to_be_hidden()
    expect(position).to_have_text("3 / 3")
    expect(third).to_be_visible()


def test_the_table_goes_to_how_it_should_end_unless_motion_is_reduced(
    worker: None, visit: Callable[[Drill], Page], third_card: Drill, trainee: User
) -> None:
    moving = "document.querySelectorAll('#table .table-after g').values().some(part => part.getAnimations().length)"
    page = visit(third_card)
    fill_in(page)
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)
    page.wait_for_function(moving)
    drawn = page.locator(".table-after [data-point='card:banker.3']")
    expect(drawn).to_have_css("opacity", "1")
    drawn.evaluate("part => Promise.all(part.getAnimations().map(one => one.finished))")
    assert drawn.evaluate("part => getComputedStyle(part).translate") in ("none", "0px")

    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.get_by_text("Como estava").click()
    page.get_by_text("Como deve acabar").click()
    expect(drawn).to_be_visible()
    assert not page.evaluate(moving)


# ---------- said instead of typed ----------

# Stands in for the browser's listener: what it hears is put into `window.hear`.
LISTENER = """
window.webkitSpeechRecognition = window.SpeechRecognition = class {
  start() {
    window.spokenIn = this.lang;
    window.hear = (...said) => {
      for (const transcript of said) this.onresult({ results: [[{ transcript }]] });
      this.onend();
    };
  }
  stop() { this.onend(); }
  abort() { this.onend(); }
};
window.said = [];
speechSynthesis.speak = ({ text, lang }) => window.said.push([text, lang]);
"""


def test_the_words_are_said_corrected_sent_and_heard(
    worker: None, visit: Callable[[Drill], Page], page: Page, third_card: Drill
) -> None:
    page.add_init_script(LISTENER)
    visit(third_card)
    box = page.get_by_label("Acabado o golpe, que resultado anuncia?")
    microphone = page.get_by_role("button", name="Dizer")
    microphone.click()
    expect(page.get_by_role("dialog")).to_contain_text("Quem ouve é o seu navegador, não o Sabot.")
    page.get_by_role("button", name="Deixar desligado").click()
    assert not page.evaluate("window.spokenIn")  # off unless somebody wants it
    microphone.click()
    page.get_by_role("button", name="Deixar o navegador ouvir").click()
    expect(microphone).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.spokenIn") == "pt-PT"
    page.evaluate("window.hear('igualdade', 'igualdade a 5')")
    expect(box).to_have_value("igualdade a 5")
    expect(box).to_be_focused()
    page.keyboard.press("Backspace")
    page.keyboard.type("6")
    fill_in(page, words=box.input_value())
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["announcement"] == "igualdade a 6"
    page.get_by_role("button", name="Ouvir: «Igualdade a 6»").click()
    assert page.evaluate("window.said") == [["Igualdade a 6", "pt-PT"]]


# ---------- pointing ----------


def cards_to(trainee: User) -> Drill:
    """A drill that asks for one player and for no order, so that pointing answers this question alone."""
    for seed in range(60):
        scenario = rules_engine.generate("pt-chemin-de-fer", "cards_to", seed, 3)
        kinds = [question.kind for question in scenario.questions]
        if kinds.count("player") == 1 and "order" not in kinds and scenario.situation.standing:
            return Drill.objects.create(
                trainee=trainee,
                rulebook=scenario.rulebook,
                topic=scenario.topic,
                difficulty=3,
                scenario_document=document(scenario),
            )
    raise AssertionError("no such scenario in 60 seeds")


def test_pointing_at_a_seat_answers_who(visit: Callable[[Drill], Page], trainee: User) -> None:
    drill = cards_to(trainee)
    situation = drill.scenario.situation
    question = next(question for question in drill.scenario.questions if question.kind == "player")
    page = visit(drill)
    seat, standing = str(situation.seats[0]), situation.standing[0]
    answer = page.locator(f"[data-key='{question.key}']")

    page.locator(f".table-before [data-point='place:{seat}']").click()
    expect(answer.locator(f"input[value='{seat}']")).to_be_checked()
    expect(page.locator(f".table-before [data-point='place:{seat}']")).to_have_attribute("aria-pressed", "true")
    page.locator(f".table-before [data-point='place:{standing}']").focus()
    page.keyboard.press("Enter")
    expect(answer.locator(f"input[value='{standing}']")).to_be_checked()
    expect(page.locator(f".table-before [data-point='place:{seat}']")).to_have_attribute("aria-pressed", "false")

    page.locator("h1").click()
    page.keyboard.type(f"{situation.seats[1]} no ponto")
    expect(answer.locator(f"input[value='{standing}']")).to_be_checked()
    answer.locator("input").first.focus()
    page.keyboard.press(seat)
    expect(answer.locator(f"input[value='{seat}']")).to_be_checked()
    page.keyboard.type(standing)
    expect(answer.locator(f"input[value='{standing}']")).to_be_checked()


def order_drill(trainee: User) -> Drill:
    for seed in range(200):
        scenario = rules_engine.generate("pt-chemin-de-fer", "banco_priority", seed, 3)
        if any(question.kind == "order" for question in scenario.questions):
            return put(trainee, document(scenario.situation), "banco_priority")
    raise AssertionError("no such scenario in 200 seeds")


def test_seats_pointed_at_one_after_the_other_give_an_order(visit: Callable[[Drill], Page], trainee: User) -> None:
    drill = order_drill(trainee)
    first, second = map(str, drill.scenario.situation.seats[:2])
    page = visit(drill)
    field = page.locator("[data-kind=order] .with-unit input")
    field.focus()
    for place in (second, first):
        page.locator(f".table-before [data-point='place:{place}']").click()
    expect(field).to_have_value(f"{second}, {first}")
    page.locator(f"[data-kind=order] [data-add='{second}']").click()
    expect(field).to_have_value(first)


def test_pointing_at_a_card_sends_it_and_at_a_hand_says_who_wins(
    visit: Callable[[Drill], Page], trainee: User, third_card: Drill
) -> None:
    drill = put(
        trainee,
        {
            "seats": [1, 2, 3, 4, 5],
            "banker": "3",
            "bank": 500,
            "holder": "5",
            "claim": "stake",
            "stakes": [{"player": "5", "amount": 500}],
            "ponto": ["2h", "4h"],
            "banker_cards": ["Kd", "6d"],
            "loose": ["9c", "4s"],
            "hidden": ["loose.1"],
            "calls": [{"by": "ponto", "says": "no"}],
            "incident": {"kind": "unasked_card"},
        },
        "draw_faults",
        "it-sanremo-chemin-de-fer",
    )
    page = visit(drill)
    assert "9♣" not in page.content()
    page.locator(".table-before [data-point='card:loose.2']").click()
    page.locator("[data-send] button").nth(2).press("Enter")
    expect(page.locator("[data-key='fate.loose.2'] input").nth(2)).to_be_checked()
    expect(page.locator(".table-before [data-point='card:loose.2']")).to_be_focused()
    expect(page.locator("[data-send]")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("[data-send] button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-send]")).to_be_hidden()

    page = visit(third_card)
    page.locator(".table-before [data-point='card:banker.1']").click(position={"x": 4, "y": 40})
    expect(page.locator("[data-key=winner] input[value=banker]")).to_be_checked()


# ---------- when things go wrong ----------


def test_nothing_is_left_empty_by_a_slip(worker: None, visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    page.get_by_label("Acabado o golpe, que resultado anuncia?").fill(WORDS)
    submit(page)
    expect(page.get_by_role("alert")).to_contain_text("Falta responder")
    assert not Attempt.objects.exists()
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["winner"] == ""


def test_a_draft_outlives_a_reload_and_another_page(visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    fill_in(page)
    page.reload()
    expect(page.get_by_label("Acabado o golpe, que resultado anuncia?")).to_have_value(WORDS)
    expect(page.locator("[data-key=winner] input[value=tie]")).to_be_checked()
    expect(page.get_by_text("O que já tinha respondido está preenchido.")).to_be_visible()
    page.get_by_role("link", name="Treino").first.click()
    page.go_back()
    expect(page.get_by_label("Acabado o golpe, que resultado anuncia?")).to_have_value(WORDS)


def test_an_expired_session_leads_back_to_the_answer(
    worker: None, visit: Callable[[Drill], Page], trainee: User, third_card: Drill, live_server: LiveServer
) -> None:
    page = visit(third_card)
    fill_in(page)
    page.context.clear_cookies(name="sessionid")
    submit(page)
    page.get_by_label("E-mail").fill(trainee.email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()
    expect(page).to_have_url(address(third_card, live_server))
    expect(page.get_by_label("Acabado o golpe, que resultado anuncia?")).to_have_value(WORDS)
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["announcement"] == WORDS


def test_a_lost_connection_loses_nothing(
    worker: None, troubled: Page, third_card: Drill, live_server: LiveServer
) -> None:
    troubled.goto(address(third_card, live_server))
    fill_in(troubled)
    troubled.context.set_offline(True)
    submit(troubled)
    expect(troubled.get_by_role("alert")).to_contain_text("Sem ligação ao Sabot.")
    expect(troubled.get_by_label("Acabado o golpe, que resultado anuncia?")).to_have_value(WORDS)
    assert not Attempt.objects.exists()
    troubled.context.set_offline(False)
    troubled.get_by_role("button", name="Tentar de novo").click()
    expect(troubled.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["announcement"] == WORDS


def test_a_connection_lost_while_waiting_is_taken_up_again(
    troubled: Page, third_card: Drill, live_server: LiveServer
) -> None:
    troubled.goto(address(third_card, live_server))
    fill_in(troubled)
    submit(troubled)
    expect(troubled.locator("#panel[data-stored]")).to_be_visible()
    troubled.context.set_offline(True)
    expect(troubled.get_by_role("alert")).to_contain_text("Sem ligação ao Sabot.")
    services.grade(Attempt.objects.get().pk)
    troubled.context.set_offline(False)
    expect(troubled.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)


def test_a_page_grown_too_old_is_loaded_again_with_the_answer(
    worker: None, troubled: Page, third_card: Drill, live_server: LiveServer
) -> None:
    """Who signs in again in another tab has a new token; the form here still carries the old one."""
    troubled.goto(address(third_card, live_server))
    fill_in(troubled)
    troubled.evaluate("document.querySelector('#answer [name=csrfmiddlewaretoken]').value = 'x'.repeat(64)")
    submit(troubled)
    expect(troubled.get_by_role("alert")).to_contain_text("Está guardada neste dispositivo")
    assert not Attempt.objects.exists()
    troubled.get_by_role("button", name="Carregar a página de novo").click()
    expect(troubled.get_by_text("O que já tinha respondido está preenchido.")).to_be_visible()
    submit(troubled)
    expect(troubled.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)


def test_in_two_tabs_the_first_answer_counts(
    worker: None, troubled: Page, third_card: Drill, live_server: LiveServer
) -> None:
    other = troubled.context.new_page()
    for tab in (troubled, other):
        tab.goto(address(third_card, live_server))
    fill_in(troubled)
    fill_in(other, words="Igualdade a 5")
    submit(troubled)
    expect(troubled.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    submit(other)
    expect(other.get_by_role("alert")).to_contain_text("conta a primeira resposta")
    expect(other.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    assert Attempt.objects.count() == 1


def test_a_double_click_is_one_answer(worker: None, visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    fill_in(page)
    page.get_by_role("button", name="Submeter").dblclick()
    expect(page.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)
    assert len(sent) == 1
    assert Attempt.objects.count() == 1


def test_without_scripts_the_form_still_answers(
    worker: None, chromium: Browser, trainee: User, third_card: Drill, live_server: LiveServer
) -> None:
    context = chromium.new_context(locale="pt-PT", java_script_enabled=False)
    enter(context, trainee, live_server)
    page = context.new_page()
    page.goto(address(third_card, live_server))
    fill_in(page)
    submit(page)
    for _ in range(50):
        if page.locator("#panel[data-graded]").count():
            break
        page.get_by_role("link", name="Ver se já").click()
    expect(page.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.")
    context.close()


def test_on_a_phone_the_table_stays_in_sight_and_submit_in_reach_and_the_verdict_is_seen(
    worker: None, visit: Callable[[Drill], Page], third_card: Drill
) -> None:
    page = visit(third_card)
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    expect(page.locator(".calls li").first).to_be_visible()
    page.locator("[data-key=winner]").scroll_into_view_if_needed()
    expect(page.locator("#table .table-drawing").first).to_be_in_viewport()
    expect(page.get_by_role("button", name="Submeter")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="Ampliar").click()
    assert page.evaluate("document.querySelector('#table .table-drawing').getBoundingClientRect().width") > 600
    page.get_by_role("button", name="Reduzir").click()
    assert page.evaluate("document.querySelector('#table .table-drawing').getBoundingClientRect().width") <= 360

    # The mark is read under the table, not behind it.
    fill_in(page, winner="ponto")
    submit(page)
    expect(page.locator(".verdict")).to_be_focused(timeout=10_000)
    expect(page.locator(".part").first).to_be_in_viewport()
    assert below_the_table(page, ".verdict")
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
    words, box = page.locator("[data-key=announcement] input[name='q.announcement']").all()
    label = page.locator("[data-key=announcement] .idle")
    words.fill("Igualdade a 6")
    page.locator("[data-rest]").click()
    expect(box).not_to_be_checked()  # what is answered stays answered
    label.click()
    expect(words).to_have_value("")
    words.fill("Igualdade a 6")
    expect(box).not_to_be_checked()
    label.click()
    page.reload()  # the draft brings it back
    expect(page.locator("[data-key=announcement] input[type=checkbox]")).to_be_checked()
    expect(page.locator("[data-key=announcement] input").first).to_have_value("")
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_contain_text("Está tudo certo.", timeout=10_000)
    assert Attempt.objects.get().answer["parts"]["ponto_score"] == "does_not_arise"
