"""A story of two moments in a real browser: written, sent, reviewed, published and drilled to the mark of the whole."""

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine.situation import kind_of
from tests.browser.drilling import address, submit
from tests.browser.test_editor import accessible, enter
from tests.factories import PersonFactory
from tests.library.versions import instructor
from training.library.models import Version
from training.library.moments import moments
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NEXT = "O que acontece a seguir"
LATER = "O pagador começa a pagar sem anunciar."


def write(page: Page, server: LiveServer) -> Version:
    """A dropped card, and then the coup is settled."""
    page.goto(f"{server.url}/scenarios/new/")
    page.get_by_role("link", name="Portugal · chemin de fer", exact=True).click()
    page.locator('#found a[href*="kind=card_on_floor"]').first.click()
    expect(page.locator("#ruled .steps")).to_be_visible()
    page.get_by_label("Título").first.fill("Caiu uma carta, e depois")
    page.get_by_role("button", name=NEXT).click()

    page.wait_for_url("**/next/")
    expect(page.get_by_role("heading", name=NEXT)).to_be_visible()
    expect(page.get_by_text("nos exames só saem momentos isolados")).to_be_visible()
    accessible(page)
    page.locator('#found a[href*="kind=coup_being_settled"]').first.click()
    expect(page.locator("#ruled .steps")).to_be_visible()
    expect(page.get_by_text("A mesa começa tal como o momento anterior deve acabar")).to_be_visible()
    expect(page.get_by_label("Título")).to_have_count(0)
    accessible(page)
    page.locator("#id_pt-story").fill(LATER)
    page.locator("#id_pt-story").blur()
    page.wait_for_load_state("networkidle")  # ruled on as typed: a check that comes after the sending is refused
    page.get_by_role("button", name="Guardar e enviar para revisão").click()
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    return Version.objects.get()


def review(page: Page, server: LiveServer, version: Version) -> None:
    page.goto(f"{server.url}/scenarios/{version.pk}/")
    second = page.get_by_role("region", name="Momento 2")
    expect(second).to_contain_text(LATER)
    expect(second.locator(".steps li")).not_to_have_count(0)
    expect(page.get_by_label("Para o banco de exames")).to_have_count(0)
    accessible(page)
    page.get_by_role("button", name="Publicar", exact=True).click()
    expect(page.get_by_text("publicado", exact=True)).to_be_visible()


def leave_empty(page: Page) -> None:
    """Sent with nothing in it: asked once, then marked."""
    submit(page)
    expect(page.locator("[data-trouble]")).to_be_visible()
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)


def test_two_moments_written_reviewed_published_and_drilled(worker: None, page: Page, live_server: LiveServer) -> None:
    enter(page, instructor(), live_server)
    version = write(page, live_server)
    second = moments(version)[1]
    assert kind_of(second.scenario.situation.incident) == "coup_being_settled"

    enter(page, instructor(), live_server)
    review(page, live_server, version)
    version.refresh_from_db()
    assert [one.ruling for one in moments(version)] == [one.scenario.solve() for one in moments(version)]

    trainee = PersonFactory()
    enter(page, trainee, live_server)
    client = Client()
    client.force_login(trainee)
    client.post("/practice/start/", {"topic": f"{version.rulebook}/{version.topic}", "difficulty": version.difficulty})
    page.goto(address(Drill.objects.get(trainee=trainee), live_server))
    expect(page.get_by_role("heading", name="Caiu uma carta, e depois")).to_be_visible()
    expect(page.get_by_text("momento 1 de 2")).to_be_visible()
    assert LATER not in page.content()
    leave_empty(page)
    assert LATER not in page.content()
    expect(page.locator("#panel .steps")).to_be_visible()
    page.get_by_role("button", name=NEXT).click()

    expect(page.get_by_text("momento 2 de 2")).to_be_visible()
    expect(page.locator(".authored")).to_contain_text(LATER)
    assert [(drill.moment, drill.version) for drill in Drill.objects.order_by("created_at")] == [
        (1, version),
        (2, version),
    ]
    leave_empty(page)
    expect(page.get_by_role("heading", name="A história toda")).to_be_visible()
    of = sum(drill.attempt.mark.of for drill in Drill.objects.all())
    expect(page.locator("[data-whole]")).to_contain_text(f"de {of}")
    expect(page.get_by_role("button", name=NEXT)).to_have_count(0)
    accessible(page)
