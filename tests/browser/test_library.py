"""Instructors in a real browser: generate, pick, review, publish, import."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import PASSWORD
from tests.library.versions import instructor, make_published, make_scenario
from training.library import services
from training.library.models import Version
from training.people.models import User
from training.platform.engine_json import as_stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Page, server: LiveServer, person: User) -> None:
    page.context.clear_cookies()
    page.goto(f"{server.url}/scenarios/")
    page.get_by_label("E-mail").fill(person.email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()
    expect(page.get_by_role("heading", name="Cenários", level=1)).to_be_visible()


def accessible(page: Page) -> None:
    """No serious or critical violation on what is shown."""
    found = Axe().run(page).response["violations"]
    grave = [(item["id"], item["nodes"][0]["html"]) for item in found if item["impact"] in ("serious", "critical")]
    assert grave == []


@pytest.fixture
def narrow(page: Page) -> Iterator[Page]:
    page.set_viewport_size({"width": 360, "height": 740})
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_one_generates_and_picks_another_publishes(page: Page, live_server: LiveServer) -> None:
    author, reviewer = instructor(name="Alda Seixas"), instructor(name="Bento Lousã")
    sign_in(page, live_server, author)
    accessible(page)
    page.get_by_role("link", name="Gerar e escolher").first.click()
    page.get_by_label("Regulamento e tema").select_option("pt-chemin-de-fer/third_card")
    page.get_by_label("Artigo").fill("67 d")
    page.get_by_label("Quantos").fill("3")
    page.get_by_role("button", name="Gerar").click()
    offered = page.locator(".offered > li")
    expect(offered).to_have_count(3)
    offered.nth(1).get_by_text("A mesa", exact=True).click()
    expect(offered.nth(1).locator("svg.table-drawing")).to_be_visible()
    accessible(page)
    page.get_by_label("Guardar o número 2").check()
    page.get_by_role("button", name="Guardar os escolhidos").click()
    page.locator("tbody a").first.click()
    page.get_by_role("link", name="Editar factos e textos").click()
    page.get_by_label("Título").first.fill("A tabela manda")
    page.get_by_label("Nota pedagógica, mostrada com a solução").first.fill("Ver **67 d**.")
    page.get_by_role("button", name="Guardar como rascunho").click()
    expect(page.get_by_text("Guardado como rascunho")).to_be_visible()
    page.locator(".editor-crumbs").get_by_role("link", name="versão 1").click()
    expect(page.get_by_role("heading", name="A tabela manda")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Enviar para revisão").click()
    expect(page.get_by_role("button", name="Publicar")).to_have_count(0)

    sign_in(page, live_server, reviewer)
    page.get_by_role("link", name="A tabela manda").click()
    expect(page.locator(".prose strong")).to_have_text("67 d")
    page.get_by_role("button", name="Publicar").click()
    expect(page.get_by_text("publicado", exact=True)).to_be_visible()
    accessible(page)
    published = Version.objects.get()
    assert (published.state, published.published_by) == ("published", reviewer)


def test_a_file_with_a_bad_row_then_a_good_one(narrow: Page, live_server: LiveServer, tmp_path: Path) -> None:
    # The browser reports a refused page on its console, which the first page of a test must keep empty.
    page = narrow.context.new_page()
    sign_in(page, live_server, instructor())
    page.goto(f"{live_server.url}/scenarios/import/")
    good = as_stored(make_scenario())
    file = tmp_path / "cenarios.json"

    def check(rows: list[object]) -> None:
        file.write_text(json.dumps(rows))
        page.get_by_label("Ficheiro de cenários").set_input_files(file)
        page.get_by_role("button", name="Verificar o ficheiro").click()

    check([good, good | {"difficulty": 9}])
    expect(page.locator("tbody tr")).to_contain_text(["2"])
    expect(page.locator("tbody td").nth(1)).to_have_text("Dificuldade")
    accessible(page)
    assert not Version.objects.exists()
    check([good])
    page.get_by_role("button", name="Importar", exact=True).click()
    expect(page.get_by_text("1 rascunho criado.")).to_be_visible()
    assert Version.objects.get().source == "imported"


def test_what_was_taken_out_is_listed_on_a_phone(narrow: Page, live_server: LiveServer) -> None:
    services.suspend(make_published(), ruling=None, comment="bank: too large")
    sign_in(narrow, live_server, instructor())
    narrow.goto(f"{live_server.url}/scenarios/suspended/")
    expect(narrow.get_by_text("bank: too large")).to_be_visible()
    accessible(narrow)
