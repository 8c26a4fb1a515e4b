"""Gaming machines in a real browser: a trainee points at a machine and types a payout, an instructor writes a case."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import rulebook, scenario_of
from tests.browser.drilling import see_the_solution
from tests.browser.walking import troubles
from tests.factories import PersonFactory
from tests.library.versions import instructor
from training.library.models import Version
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = "pt-maquinas"
PHONE, DESK = (360, 740), (1280, 800)
WIDTHS = pytest.mark.parametrize(("width", "height"), [PHONE, DESK], ids=["phone", "desk"])


def machine(number: int, **facts: Any) -> dict[str, Any]:
    return {"number": number, "model": "caravela", "stake": 100, "player": str(number), **facts}


def enter(page: Page, person: User, server: LiveServer) -> None:
    """Sign in without the form: that is tested elsewhere."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": server.url}])


@pytest.fixture
def put(page: Page, live_server: LiveServer) -> Callable[..., Page]:
    """A drill with these facts before a trainee, at a width."""

    def go(topic: str, size: tuple[int, int], **facts: Any) -> Page:
        book, trainee = rulebook(BOOK), PersonFactory()
        scenario = scenario_of(book.situation(**facts), book, topic=topic)
        drill = Drill.objects.create(
            trainee=trainee, rulebook=BOOK, topic=topic, difficulty=2, scenario_document=document(scenario)
        )
        page.set_viewport_size({"width": size[0], "height": size[1]})
        enter(page, trainee, live_server)
        page.goto(f"{live_server.url}/practice/{drill.pk}/")
        return page

    return go


def answer_to(page: Page, key: str) -> Any:
    return page.locator(f'.question[data-key="{key}"] input:not([type=radio], [type=checkbox])')


def choose(page: Page, key: str, value: str) -> None:
    """By the label, as a finger does."""
    field = page.locator(f'.question[data-key="{key}"] input[value="{value}"]')
    page.locator(f'label[for="{field.get_attribute("id")}"]').click()


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submeter").click()
    expect(page.locator(".verdict")).to_be_visible(timeout=10_000)


# ---------- the trainee ----------


@WIDTHS
def test_a_machine_and_a_player_are_pointed_at(worker: None, put: Callable[..., Page], width: int, height: int) -> None:
    machines = [machine(1), machine(2, model="sereia", player="1"), machine(3, stake=50), machine(4, model="dama")]
    incident = {"kind": "machine_asked", "guest": "3a", "type": "reels", "stake": 100}
    facts = {"machines": machines, "seats": [1, 3, 4], "standing": ["3a"], "incident": incident}
    page = put("play", (width, height), **facts)
    seen = page.locator(".table-before svg:visible")
    expect(seen.locator(".cabinet")).to_have_count(4)
    choose(page, "request", "makes_room")
    seen.locator('[data-point="place:1"]').click()
    expect(page.locator('.question[data-key="gives_way"] input[value="1"]')).to_be_checked()
    seen.locator('.target[data-point="spot:2"]').click()
    expect(answer_to(page, "gets")).to_have_value("2")
    # One machine is asked for: another takes its place.
    seen.locator('.target[data-point="spot:1"]').click()
    expect(answer_to(page, "gets")).to_have_value("1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")
    page.locator(".step .cite").first.click()
    expect(seen.locator('.cabinet.lit[data-point="spot:1"]')).to_have_count(1)
    assert troubles(page) == []


@WIDTHS
def test_prizes_are_paid_by_machine_and_by_slip(
    worker: None, put: Callable[..., Page], width: int, height: int
) -> None:
    machines = [machine(1, prize=200), machine(2, prize=201), machine(3, jackpot=750_000, won="jackpot")]
    page = put("paying", (width, height), machines=machines, seats=[1, 2, 3], incident={"kind": "prizes_shown"})
    for key, value in (("paid_by.1", "machine"), ("paid_by.2", "machine"), ("paid_by.3", "cashier")):
        choose(page, key, value)
    answer_to(page, "by_machines").fill("20 000")
    answer_to(page, "by_slip").fill("770.100$00")
    submit(page)
    expect(page.locator(".part.right")).to_have_count(4)
    see_the_solution(page)
    expect(page.locator(".part.wrong")).to_contain_text("o caixa, por guia")
    expect(page.get_by_text("O caixa da sala → o jogador 3: 750\N{NO-BREAK SPACE}000$00")).to_be_visible()
    expect(page.get_by_text("O jogador 1, máquina 1: pagam-se 20\N{NO-BREAK SPACE}000$00")).to_be_visible()
    after = page.locator(".table-after svg:visible")
    expect(after.get_by_text("+20\N{NARROW NO-BREAK SPACE}100 pelo caixa")).to_be_visible()
    assert troubles(page) == []


# ---------- the instructor ----------


@WIDTHS
def test_a_reading_of_counters_is_written_ruled_on_and_sent_to_review(
    page: Page, live_server: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    enter(page, instructor(), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    page.get_by_role("link", name="A partir do incidente desta noite").click()
    page.get_by_role("link", name="Portugal 1995 · máquinas automáticas", exact=True).click()
    page.get_by_role("link", name="Leitura dos contadores").click()
    verdict = page.locator("#ruled")
    expect(verdict).to_contain_text("art. VIII 2")

    row = int(page.get_by_label("Máquina", exact=True).input_value()) - 1
    page.get_by_label("Prémios pagos por guia, em fichas").fill("0")
    page.get_by_label("Fichas entradas no início do período").fill("5000")
    page.locator(f"#f-machines-{row}-tokens_in").fill("4999")
    expect(verdict).to_contain_text("Estes factos não são possíveis")
    page.locator(f"#f-machines-{row}-tokens_in").fill("6000")
    page.get_by_label("Prémios pagos no início do período").fill("4000")
    page.locator(f"#f-machines-{row}-prizes_paid").fill("4799")
    expect(verdict).to_contain_text("Devolveram-se 799 fichas: 79 %.")
    page.locator(f"#f-machines-{row}-prizes_paid").fill("4800")
    expect(verdict).to_contain_text("Devolveram-se 800 fichas: 80 %.")
    expect(page.locator(f'#drawn .cabinet[data-point="spot:{row + 1}"]:visible')).to_contain_text(
        "4\N{NARROW NO-BREAK SPACE}800"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.get_by_label("Título").first.fill("À justa nos oitenta por cento")
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    ruling = Version.objects.get().scenario.solve()
    assert (ruling["reached"], ruling["least_prizes"]) == ("yes", 800)
