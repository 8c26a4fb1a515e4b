"""A drill when things go wrong, in a real browser: nothing that was typed is lost, nothing counts twice."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import WORDS, address, enter, fill_in, see_the_solution, submit
from tests.factories import PASSWORD
from training.people.models import User
from training.practice import services
from training.practice.models import Attempt, Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_nothing_is_left_empty_by_a_slip(worker: None, visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    page.get_by_label("Acabado o golpe, que resultado anuncia?").fill(WORDS)
    submit(page)
    expect(page.get_by_role("alert")).to_contain_text("Falta responder")
    assert not Attempt.objects.exists()
    submit(page)
    see_the_solution(page)
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
