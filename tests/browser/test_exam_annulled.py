"""An exam interrupted by an alarm and annulled by two people; an examiner who decides with the paper in sight."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.records.models import Sitting
from exams.results import grading
from exams.results.models import Result
from tests.browser.drilling import enter as sign_in
from tests.browser.walking import troubles
from tests.exams import making
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[[User], Page]
WHY = "Alarme de incêndio: a sala foi evacuada."


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer, transactional_db: None) -> Iterator[Visit]:
    """A new browser in which this person is signed in."""
    opened = []

    def new(person: User) -> Page:
        context = chromium.new_context(
            base_url=live_server.url, locale="pt-PT", viewport={"width": 1280, "height": 800}
        )
        opened.append(context)
        sign_in(context, person, live_server)
        return context.new_page()

    yield new
    for context in opened:
        context.close()


def test_an_exam_interrupted_by_an_alarm_and_annulled(visit: Visit) -> None:
    session = making.make_session()
    sitting = making.start(making.enter(session, PersonFactory(name="Clara Candidata", roles=[Role.TRAINEE])))
    candidate, holder, second = (
        visit(who)
        for who in (sitting.candidate.person, session.created_by, PersonFactory(roles=[Role.INSTRUCTOR], name="Eva"))
    )
    candidate.goto(f"/exams/sittings/{sitting.pk}/1/")
    expect(candidate.locator("[data-clock]")).to_be_visible()

    # The alarm: the invigilator sees who needs somebody, closes the sitting and asks for it to be annulled.
    holder.goto(f"/exams/sessions/{session.pk}/live/")
    alerts = holder.get_by_role("region", name="Quem precisa de si")
    expect(alerts).to_contain_text("A identidade ainda não foi confirmada.")
    assert troubles(holder) == []
    alerts.get_by_role("link", name="Clara Candidata").click()
    holder.locator("#reason").fill("Alarme de incêndio.")
    holder.get_by_role("button", name="Encerrar a prova").click()
    candidate.evaluate("dispatchEvent(new Event('online'))")  # what the page does by itself every 15 s
    expect(candidate.locator("[data-closed]")).to_contain_text("Alarme de incêndio.")
    grading.grade_sitting(sitting.pk)
    holder.get_by_role("link", name="Anular a prova ou devolver a tentativa").click()
    assert troubles(holder) == []
    holder.get_by_label("A prova é anulada e a tentativa devolvida").check()
    holder.get_by_label("Porquê").fill(WHY)
    holder.get_by_role("button", name="Pedir").click()
    expect(holder.get_by_role("article")).to_contain_text(WHY)
    expect(holder.get_by_role("button", name="Confirmar")).to_have_count(0)  # not by who asked

    second.goto("/results/")
    second.get_by_role("link", name="1 anulação espera por uma segunda pessoa.").click()
    assert troubles(second) == []
    second.get_by_role("button", name="Confirmar").click()
    expect(second.locator(".messages")).to_contain_text("o candidato é avisado")

    candidate.goto("/exams/")
    candidate.get_by_role("link", name="Ver porquê").click()
    expect(candidate.get_by_role("heading", name="Este exame foi anulado.")).to_be_visible()
    expect(candidate.locator("main")).to_contain_text(WHY)
    expect(candidate.locator("main")).to_contain_text("Não conta como tentativa")
    assert troubles(candidate) == []
    assert not Result.objects.filter(in_force=True).exists()
    assert Mail.objects.get(person=sitting.candidate.person).subject == "O seu exame foi anulado: Chemin de fer"
    assert Sitting.objects.get().try_back


def test_an_examiner_decides_with_the_paper_in_sight(visit: Visit) -> None:
    session = making.make_session(making.make_version(making.make_rules(decision="by_examiner")))
    sitting = making.start(making.enter(session, PersonFactory(name="Clara Candidata", roles=[Role.TRAINEE])))
    making.answer(sitting, right=4)
    grading.grade_sitting(making.close(sitting).pk)
    page = visit(PersonFactory(roles=[Role.INSTRUCTOR]))
    page.goto(f"/results/sessions/{session.pk}/")
    page.get_by_role("link", name="Clara Candidata").first.click()
    expect(page.locator(".paper-item")).to_have_count(5)
    last = page.locator(".paper-item").last
    last.scroll_into_view_if_needed()
    expect(last.locator(".part.wrong").first).to_be_visible()
    decide = page.get_by_role("button", name="Registar a decisão")
    expect(decide).to_be_in_viewport()  # beside the paper, wherever one reads
    last.get_by_text("Porquê").click()
    expect(last.locator(".steps")).to_be_visible()
    assert troubles(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})

    last.get_by_role("link", name="Ver na mesa").click()
    expect(page.locator(".drill-table svg:visible").first).to_be_visible()
    page.go_back()
    page.get_by_label("aprovado", exact=True).check()
    page.get_by_label("Motivo").fill("A última questão estava mal posta.")
    page.get_by_role("button", name="Registar a decisão").click()
    expect(page.locator(".messages")).to_be_visible()
    assert Result.objects.get(in_force=True).passed
