"""An instructor and a trainee with a class, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.classes.rooms import answer, instructor, make_class
from tests.factories import PASSWORD, PersonFactory
from tests.practice.drills import make_drill, right_answer
from training.classes.models import Enrolment
from training.people.models import User
from training.practice import services as practice
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page, server: LiveServer, person: User, path: str) -> None:
    page.context.clear_cookies()
    page.goto(f"{server.url}{path}")
    page.get_by_label("E-mail").fill(person.email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()


def accessible(page: Page) -> None:
    """No serious or critical violation on what is shown, and nothing wider than the window."""
    found = Axe().run(page).response["violations"]
    grave = [(item["id"], item["nodes"][0]["html"]) for item in found if item["impact"] in ("serious", "critical")]
    assert grave == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A phone whose console may complain: the browser reports there that a form was refused."""
    context = chromium.new_context(locale="pt-PT", viewport={"width": 360, "height": 740})
    yield context.new_page()
    context.close()


def test_a_list_with_a_bad_row_is_put_right_on_the_page(phone: Page, live_server: LiveServer, tmp_path: Path) -> None:
    page = phone
    PersonFactory(email="ana@casino.example", name="Ana Vaz")
    sign_in(page, live_server, instructor(), "/classes/")
    accessible(page)
    page.get_by_role("link", name="Nova turma").click()
    page.get_by_label("Nome").fill("Turma da noite")
    page.get_by_label("Portugal · chemin de fer", exact=True).check()
    accessible(page)
    page.get_by_role("button", name="Criar a turma").click()
    page.get_by_role("link", name="Inscrever com uma lista CSV").click()
    file = tmp_path / "turma.csv"
    file.write_text("email;name\nana@casino.example;Ana\nrui.casino.example;Rui Sá\n", encoding="utf-8-sig")
    page.get_by_label("Ficheiro CSV").set_input_files(file)
    page.get_by_label("Registar os desconhecidos").check()
    page.get_by_role("button", name="Verificar a lista").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr td").first).to_have_text("3")
    accessible(page)
    assert not Enrolment.objects.exists()
    listed = page.get_by_label("Ou a própria lista")
    listed.fill(listed.input_value().replace("rui.casino", "rui@casino"))
    page.get_by_role("button", name="Verificar a lista").click()
    expect(page.get_by_text("A lista não tem erros")).to_be_visible()
    accessible(page)
    assert not Enrolment.objects.exists()
    page.get_by_role("button", name="Inscrever", exact=True).click()
    expect(page.get_by_text("2 formandos inscritos.")).to_be_visible()
    accessible(page)
    assert set(Enrolment.objects.values_list("trainee__name", flat=True)) == {"Ana Vaz", "Rui Sá"}


def test_from_setting_work_to_reading_the_answer(page: Page, live_server: LiveServer) -> None:
    teacher, trainee = instructor(), PersonFactory(name="Inês Varela")
    room = make_class(teacher, trainee)
    drill = make_drill(trainee)
    answer(drill, **right_answer(drill.scenario))
    practice.grade(drill.attempt.pk)

    sign_in(page, live_server, teacher, f"/classes/{room.pk}/assignments/")
    page.get_by_role("link", name="Marcar trabalho").click()
    page.get_by_label("Título").fill("Semana 1")
    page.get_by_label("A fazer até ao fim do dia").fill("2099-01-31")
    first = page.get_by_role("group", name="Linha 1")
    first.get_by_label("Tema").select_option("pt-chemin-de-fer/third_card")
    first.get_by_label("Quantos").fill("2")
    accessible(page)
    page.get_by_label("Título").press("Enter")
    expect(page.get_by_role("cell", name="0 de 1")).to_be_visible()
    page.get_by_role("link", name="Progresso").click()
    accessible(page)
    page.get_by_role("link", name="100 %").click()
    accessible(page)
    page.locator("#answers tbody a").click()
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator("[data-next]")).to_have_count(0)
    accessible(page)

    sign_in(page, live_server, trainee, "/assigned/")
    accessible(page)
    expect(page.get_by_role("heading", name="Semana 1")).to_be_visible()
    page.get_by_role("button", name=re.compile("Começar.*Semana 1")).click()
    page.wait_for_url(f"{live_server.url}/practice/**")
    put = Drill.objects.get(mode=Drill.Mode.ASSIGNED)
    assert page.url.endswith(f"/practice/{put.pk}/")
