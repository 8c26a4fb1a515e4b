"""A trainee's first hour and a candidate's exam in Italian at Sanremo's table and in Spanish at Spain's, page by page:
no page, mail or document says anything in another language.

With SABOT_LOOK=folder every page is kept as a picture too, at phone and desk width.
"""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from exams.accounts import roles
from exams.appeals import letters as appeal_letters
from exams.appeals.models import Appeal
from exams.certificates import issuance
from exams.certificates.models import Certificate
from exams.exam_sessions.letters import tell_candidates
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Section
from exams.records.models import Event, Session, Sitting
from exams.results.grading import grade_sitting
from exams.results.letters import send_owed
from exams.results.models import Result
from rules_engine import RULEBOOKS, Scenario
from tests.browser.drilling import enter as sign_in
from tests.browser.drilling import to_the_last
from tests.browser.test_certificates import read_from_paper
from tests.exams import making
from tests.factories import PersonFactory
from tests.foreign import foreign, other_languages
from tests.practice.drills import right_answer
from tests.running import until
from training.lessons.guide import halts
from training.mail.courier import deliver
from training.people.models import Role, User
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "tappeto-verde-e-fiches"
LOOK = os.environ.get("SABOT_LOOK", "")
SIZES = (390, 844), (1366, 900)


@dataclass(frozen=True)
class Country:
    language: str
    locale: str
    book: str
    name: str
    programme: str
    section: str
    title: str
    chief: str
    house: str
    reason: str


ITALY = Country(
    "it",
    "it-IT",
    "it-sanremo-chemin-de-fer",
    "Giulia Ferraris",
    "Croupier di chemin de fer",
    "Il colpo",
    "Sessione di novembre",
    "Carlo Oneglia",
    "Casinò di Ponente",
    "La carta era stata staccata prima della chiusura del giuoco.",
)
SPAIN = Country(
    "es",
    "es-ES",
    "es-chemin-de-fer",
    "Lucía Herrero",
    "Crupier de chemin de fer",
    "La jugada",
    "Convocatoria de noviembre",
    "Andrés Molina",
    "Casino de juego del Mar Menor",
    "La carta ya estaba fuera cuando terminó el tiempo de apuestas.",
)
both = pytest.mark.parametrize("country", [ITALY, SPAIN], ids=lambda country: country.language)


class Walk:
    """One person's way through the platform, whose every page is read for words of another language."""

    def __init__(self, page: Page, country: Country) -> None:
        self.page, self.country = page, country
        self.found: list[str] = []
        self.read: list[str] = []

    def see(self, name: str, address: str = "") -> Page:
        """Read the page that is open, or open another one first."""
        if address:
            answer = self.page.goto(address)
            assert answer and answer.ok, f"{address} answers {answer and answer.status}"
        self.page.wait_for_load_state()
        content = self.page.content()
        assert f'<html lang="{self.country.language}"' in content, f"{name} is in another language"
        self.found += [f"{name}: {one}" for one in other_languages(content, self.country.language)]
        self.read.append(name)
        self._keep(name)
        return self.page

    def hear(self, name: str, text: str) -> None:
        """Read a mail or a document, line by line."""
        lines = [line.strip() for line in text.splitlines() if "://" not in line]
        told = [foreign(line, self.country.language) for line in lines if line]
        self.found += [f"{name}: {one}" for one in told if one]
        self.read.append(name)
        if LOOK:
            (Path(LOOK) / f"{self._named(name)}.txt").write_text(text)

    def mails(self, to: User) -> list[str]:
        """Read the mails to somebody that came since; their texts."""
        deliver()  # unless a worker is doing so
        sent = until(f"a mail to {to.name}", lambda: [letter for letter in mail.outbox if to.email in letter.to])
        mail.outbox.clear()
        for letter in sent:
            self.hear(f"mail {letter.subject}", f"{letter.subject}\n{letter.body}")
        return [str(letter.body) for letter in sent]

    def press(self, where: Locator, *, leads_on: bool = True) -> None:
        """Click, and wait for the page that follows."""
        if not leads_on:
            where.click()
            return
        with self.page.expect_event("load"):
            where.click()

    def _named(self, name: str) -> str:
        return f"{self.country.language}-{len(self.read):02}-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}"

    def _keep(self, name: str) -> None:
        if not LOOK:
            return
        Path(LOOK).mkdir(parents=True, exist_ok=True)
        was = self.page.viewport_size
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.wait_for_timeout(150)
            self.page.screenshot(path=Path(LOOK) / f"{self._named(name)}-{width}.png", full_page=True)
        if was:
            self.page.set_viewport_size(was)


@pytest.fixture
def walk(chromium: Browser, live_server: LiveServer, settings: Any, country: Country) -> Iterator[Walk]:
    settings.PUBLIC_URL, settings.ISSUER_NAME = live_server.url, country.house
    context = chromium.new_context(
        base_url=live_server.url, locale=country.locale, viewport={"width": 1366, "height": 900}
    )
    walking = Walk(context.new_page(), country)
    errors: list[str] = []
    walking.page.on("pageerror", lambda error: errors.append(str(error)))
    yield walking
    context.close()
    assert errors == []


def programme(country: Country) -> ProgrammeVersion:
    """The house's programme in the words of its country, at its own table."""
    line = Line(rulebook=country.book, topic="draw_faults", difficulty=2, items=2, points=2)
    section = Section(key="coup", names={country.language: country.section}, lines=(line,))
    rules = making.make_rules(rulebooks=(country.book,), sections=(section,), pass_mark=40)
    chief = PersonFactory(name=country.chief, roles=[Role.INSTRUCTOR], language=country.language)
    return making.make_version(rules, names={country.language: country.programme}, author=chief)


def give(page: Page, answer: dict[str, str], form: str = "#answer") -> None:
    """Answer every question of the form, whatever its control."""
    for key, value in answer.items():
        question = page.locator(f'{form} .question[data-key="{key}"]')
        picked = question.locator(f'input[type=radio][value="{value}"]')
        if picked.count():
            picked.first.evaluate("one => one.click()")  # wherever it is drawn
        else:
            question.locator("input:not([type=radio])").first.fill(value)


def one_wrong(scenario: Scenario) -> dict[str, str]:
    """The right answer but for one choice."""
    right = right_answer(scenario)
    choice = next(one for one in scenario.questions if one.kind == "choice")
    return right | {choice.key: str(next(option for option in choice.options if option != right[choice.key]))}


def answer_drill(walk: Walk, name: str, *, right: bool) -> None:
    """Answer the open drill and read what is told of it, the solution too."""
    page = walk.page
    expect(page.locator("#answer")).to_be_visible()
    drill = Drill.objects.get(pk=page.url.rstrip("/").rpartition("/")[2])
    walk.see(name)
    give(page, right_answer(drill.scenario) if right else one_wrong(drill.scenario))
    to_the_last(page)
    page.locator("#answer button[type=submit]").click()
    held = page.locator("#panel[data-held]")
    expect(page.locator("#panel[data-graded]").or_(held)).to_be_visible()
    if held.count():
        walk.see(f"{name}, not yet right")
        page.locator("[data-solution]").click()
    expect(page.locator("#panel[data-graded]")).to_be_visible()
    walk.see(f"{name}, marked")


@both
def test_a_trainees_first_hour(walk: Walk, worker: None, country: Country) -> None:
    page = walk.page
    programme(country)
    chief = PersonFactory(name=country.chief, roles=[Role.ADMINISTRATOR], language=country.language)
    trainee = roles.invite(
        email="dealer@casino.example", name=country.name, language=country.language, roles=[Role.TRAINEE], by=chief
    )
    [invitation] = walk.mails(trainee)

    walk.see("sign-in", "/account/login/")
    walk.see("forgotten password", "/account/password/reset/")
    walk.see("choose a password", re.findall(r"\S+/password/reset/key/\S+", invitation)[0])
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    walk.press(page.locator("main button[type=submit]"))
    walk.see("password chosen")

    walk.see("choose a game", "/")
    walk.see("welcome", "/practice/welcome/")
    page.locator(f'[name=rulebooks][value="{country.book}"]').check(force=True)
    page.locator("[name=placement]").check(force=True)
    walk.press(page.locator("form.welcome button[type=submit]"))
    while "/practice/" in page.url:
        answer_drill(walk, "placement", right=not Drill.objects.filter(attempt__isnull=False).exists())
        walk.press(page.locator("[data-next]"))
    walk.see("placed")
    guided_coup(walk)
    lesson_and_drill(walk)
    sprint(walk)
    mock_exam(walk)
    rest_of_the_hour(walk)
    assert not walk.found, "\n".join(walk.found)


def guided_coup(walk: Walk) -> None:
    page = walk.page
    page.goto(f"/practice/first-coup/{walk.country.book}/")
    for number, halt in enumerate(stops := halts(RULEBOOKS[walk.country.book])):
        walk.see(f"first coup {number}")
        if halt.key:
            give(page, {halt.key: right_answer(halt.scenario)[halt.key]}, "#guide-answer")
            walk.press(page.locator("#guide-answer button[type=submit]"))
            walk.see(f"first coup {number}, answered")
        if halt != stops[-1]:
            walk.press(page.locator("#panel .submit-bar a.button"))


def lesson_and_drill(walk: Walk) -> None:
    page = walk.page
    walk.see("lessons", "/practice/rules/")
    walk.press(page.locator("form[action$='/lessons/'] button").first)
    if "/card/" in page.url:
        walk.see("card of a rule")
        page.goto(page.url.removesuffix("card/"))
    answer_drill(walk, "drill", right=False)
    walk.see("reference", f"/practice/reference/{walk.country.book}/")


def sprint(walk: Walk) -> None:
    page = walk.page
    walk.see("sprints", "/practice/sprint/")
    walk.press(page.locator("form[action$='/sprint/start/'] button").first)
    walk.see("sprint")
    page.locator(".sprint-buttons .button").first.click()
    expect(page.locator("[name=number]")).to_have_value("2")
    walk.see("sprint, answered")


def mock_exam(walk: Walk) -> None:
    page = walk.page
    walk.see("mock exams", "/exams/mock/")
    walk.press(page.locator("main form button[type=submit]").first)
    walk.see("mock exam, question")
    overview = re.sub(r"\d+/$", "?overview", page.url)
    walk.see("mock exam, overview", overview)
    walk.press(page.locator("main form button[type=submit]").last)
    walk.see("mock exam, over")


def rest_of_the_hour(walk: Walk) -> None:
    book = walk.country.book
    cite = next(iter(RULEBOOKS[book].law.clauses))
    for name, address in {
        "practice": "/practice/",
        "home": "/",
        "end of the day": "/practice/day/",
        "history": "/practice/history/",
        "study plan": "/practice/study/",
        "live tables": "/practice/table/",
        "assigned": "/assigned/",
        "exams": "/exams/",
        "results": "/results/",
        "certificates": "/certificates/",
        "rulebooks": "/rulebooks/",
        "rulebook": f"/rulebooks/{book}/",
        "article": f"/rulebooks/{book}/{cite}/",
        "search": "/rulebooks/?q=carta",
        "password": "/account/password/change/",
        "second factor": "/account/2fa/",
        "own data": "/own-data/",
    }.items():
        walk.see(name, address)


@both
def test_a_candidates_exam(
    walk: Walk, chromium: Browser, live_server: LiveServer, country: Country, tmp_path: Path
) -> None:
    page, version = walk.page, programme(country)
    candidate = PersonFactory(name=country.name, language=country.language)
    session = making.make_session(version, title=country.title, place="Sala 2")
    entered = making.enter(session, candidate)
    tell_candidates(session.pk)
    walk.mails(candidate)
    sign_in(page.context, candidate, live_server)

    walk.see("own exams", "/exams/")
    walk.see("the room", f"/exams/enter/{entered.pk}/")
    page.locator("#code").fill("sabot 7")
    walk.press(page.locator("form:has(#code) button[type=submit]"))
    sitting = Sitting.objects.get()
    for form_item in entered.form.items.select_related("item").order_by("position"):
        walk.see(f"question {form_item.position}", f"/exams/sittings/{sitting.pk}/{form_item.position}/")
        if form_item.position == 1:
            give(page, making.right_answer(form_item.item.scenario))
            expect(page.locator("[data-save-state]")).to_have_attribute("data-state", "saved")
    walk.see("hand in", f"/exams/sittings/{sitting.pk}/hand-in/")
    walk.press(page.locator("form.actions button"))
    walk.see("handed in")

    result = graded(sitting)
    walk.mails(candidate)
    walk.see("results", "/results/")
    walk.see("result", f"/results/{sitting.pk}/")
    walk.see("a question lost", f"/results/{sitting.pk}/items/2/")
    contest(walk, sitting)
    certificate = Certificate.objects.get(holder=candidate)
    walk.see("certificates", "/certificates/")
    pdf = tmp_path / "certificate.pdf"
    pdf.write_bytes(page.request.get(f"/certificates/{certificate.pk}/document.pdf").body())
    if LOOK:
        shutil.copy(pdf, Path(LOOK) / f"{country.language}-certificate.pdf")
    with pypdfium2.PdfDocument(pdf) as opened:
        walk.hear("certificate", opened[0].get_textpage().get_text_bounded())
    stranger = Walk(chromium.new_context(base_url=live_server.url, locale=country.locale).new_page(), country)
    stranger.see("public check", read_from_paper(pdf))
    stranger.see("check by code", "/c/")
    stranger.page.context.close()
    assert result.passed
    assert not walk.found + stranger.found, "\n".join(walk.found + stranger.found)


def graded(sitting: Sitting) -> Result:
    """The result as the worker decides and releases it once nobody can get the same cases any more."""
    over = timezone.now() - timedelta(seconds=1)
    by = sitting.candidate.session.created_by
    Event.objects.create(sitting=sitting, kind=Event.Kind.IDENTITY, at=over, by=by, text=sitting.name)
    Session.objects.filter(candidates__sitting=sitting).update(entry_closes_at=over)
    result = grade_sitting(sitting.pk)
    assert result is not None
    issuance.follow(result.pk)
    send_owed(result.pk)
    return result


def contest(walk: Walk, sitting: Sitting) -> None:
    page = walk.page
    lodge = page.locator("a[href*='/appeals/items/']").first
    walk.press(lodge)
    walk.see("contest a question")
    page.locator("textarea").fill(walk.country.reason)
    walk.press(page.locator("form:has(textarea) button[type=submit]"))
    walk.see("contested")
    walk.see("own appeals", "/appeals/own/")
    appeal_letters.send(Appeal.objects.get())
    walk.mails(sitting.candidate.person)
