"""Every page of the platform, as every role: accessible, whole at phone and desktop width, without errors.

Each is analysed in one of four looks (desktop or phone, light or dark), spread evenly, and a page that several roles
share is opened as one of them. With SABOT_FULL=1 as every role and in all four looks.
With SABOT_LOOK=folder (`make look`) a picture of each is kept instead, in every look and in Portuguese and English.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import unquote
from zlib import crc32

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.urls import resolve, reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

import rules_engine
from exams import obstacles
from tests.browser.walking import keep, look_for, troubles
from tests.exams import making
from tests.factories import PASSWORD, PersonFactory
from tests.house import House, all_routes, graded, put
from tests.library.versions import make_in_review, make_published, make_scenario
from tests.samples import FULL
from training.library import services as library
from training.live_table import services as live_tables
from training.people.access import Access, declared, permits
from training.people.models import Role, User
from training.practice import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Addresses that show no page of their own, by the name of their route, and why.
NO_PAGE = {
    "metrics": "text for a program, and only for those whom the settings name",
    "certificate_document": "a file, for its holder and HR alone",
    "certificate_credential": "a file, for its holder and HR alone",
    "certificate_badge_png": "a file, for its holder alone",
    "certificate_badge_svg": "a file, for its holder alone",
    "share_certificate": "for its holder alone, who walks through it in a test of its own",
    "settle_marking": "leads to the marks where nothing differs; a test of its own settles a difference",
    "mock": "leads to the question where it is; a test of its own walks through one",
    "manifest": "data for a browser that installs it",
    "service_worker": "a script",
    "house_logo": "a picture, and only of a house that has one",
    "own_sheet": "a file, and only of what is released",
    "class_answer": "only what is graded is shown; the house names one itself",
    "candidate": "a part of the page of generated scenarios",
    "version_table": "a part of the lists of scenarios",
    "who_edits": "a part of the editor",
    "try_facts": "a part of the editor; a test of its own tries a draft as a trainee",
    "mfa_download_recovery_codes": "a file",
    "own_result": "only what is released is shown; the house names one itself",
    "own_result_item": "only what is released is shown; the house names one itself",
    "live_debrief": "only of a session that has ended; the house names one itself",
    "live_moment": "only of a session that has ended; the house names one itself",
    "sitting": "leads to the item where it is; the house names a closed one itself",
    "rule_card": "only before a rule is met for the first time; a test of its own looks at it",
    "sign_on_callback": "leads on, and only from the directory",
    "sign_on_again": "only with a directory; a test of its own walks through it",
    "own_sign_on": "only with a directory; a test of its own walks through it",
    "person_subject": "only with a directory; a test of its own walks through it",
    "sign_on_office": "only with a directory; a test of its own walks through it",
    "demo_mail": "only in the demonstration, which has a test of its own",
    "readyz": "no page, and without a worker it says so",
    "hr_export": "leads to the page of exports, of which it is a part",
    "hr_issue_many": "leads back to the list where nothing is ticked",
    "hr_suspend_many": "leads back to the list where nothing is ticked",
    "set_scenario": "only of a published scenario, and leads to a form where one class fits; a test of its own asks",
    "hr_staff_changes": "a file, and only of a checked list",
    "api_unknown": "says in JSON that there is no such address",
}
# What shows itself only on the way through a second step of signing in: walked by a test of its own.
ON_THE_WAY = {
    "account_logout",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "mfa_authenticate",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
}
# The same pages with less on them: axe looks at every word, and a long list has nothing that a short one lacks.
SHORT = {
    "rules": "?rulebook=es-chemin-de-fer",
    "compare_rulebooks": "?one=pt-ponto-banca-1995&other=pt-ponto-banca-macau",
    "odds": "?game=ponto_banca",
}


class Furnished(House):
    """The house with drills and versions in every state a page can show."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.graded_version = graded(put(self.trainee, self.published.scenario, version=self.published))
        self.waiting = put(self.trainee, make_scenario("4"))
        services.submit_answer(self.waiting, rules_engine.answer_from({"parts": {}}))
        self.other_game = put(self.trainee, rules_engine.generate("pt-ponto-banca-1995", "payout", "5", 2))
        self.in_review = make_in_review(seed="6")
        self.banked = make_published(seed="8", reserved=True)
        suspended = library.publish(make_in_review(seed="7"), self.instructor)
        library.suspend(suspended, ruling=None, comment="bank: too large")
        self.suspended = suspended
        self._deal()
        self._set_sessions_up()

    def _deal(self) -> None:
        """The trainee has dealt at one table and left it, and sits at another."""
        for number in range(1, 7):
            later = timezone.now() + timedelta(seconds=2 * number)
            live_tables.act(self.trainee, self.live.pk, number, {"type": "carry_on"}, later)
        self.dealt = live_tables.leave(self.trainee, self.live.pk, timezone.now())
        self.live = live_tables.start(
            self.trainee, rulebook="pt-chemin-de-fer", length="ten", rung="quiet", pace=0, now=timezone.now()
        )

    def _set_sessions_up(self) -> None:
        """Sessions in every state, which others may look at as invigilators."""
        self.administrator = PersonFactory(roles=[Role.ADMINISTRATOR])
        self.auditor = PersonFactory(roles=[Role.AUDITOR])
        obstacle = obstacles.too_few(rulebook="pt-chemin-de-fer", topic="suivi", difficulty=2, room_for=0)
        states = {"draft": obstacle, "preparing": None, "cancelled": None}
        self.sessions = [
            making.make_session(self.programme, created_by=self.instructor, state=state, obstacle=obstacle)
            for state, obstacle in states.items()
        ]
        making.enter(self.sessions[0])
        for session in (*self.sessions, self.sitting.candidate.session):
            session.invigilators.add(self.hr, self.administrator)

    def parameters(self) -> dict[str, Any]:
        book = {"book_id": "pt-ponto-banca-macau", "cite": "distribuicao P-draw", "number": "distribuicao"}
        return super().parameters() | book

    def more(self) -> list[str]:
        """Addresses with other things in them than `parameters` says."""
        drills = (self.answered, self.graded_version, self.waiting, self.other_game)
        versions = (self.published, self.banked, self.in_review, self.suspended)
        return [
            *[f"/practice/{drill.pk}/" for drill in drills],
            *[f"/scenarios/{version.pk}/" for version in versions],
            f"/classes/{self.room.pk}/trainees/{self.trainee.pk}/answers/{self.answered.pk}/",
            f"/practice/table/{self.dealt.pk}/debrief/",
            f"/practice/table/{self.dealt.pk}/debrief/3/",
            "/exams/",
            f"/exams/sittings/{self.contestable.form.candidate.sitting.pk}/",
            f"/results/{self.contestable.form.candidate.sitting.pk}/",
            f"/results/{self.contestable.form.candidate.sitting.pk}/items/1/",
            *[f"/exams/sessions/{session.pk}/" for session in self.sessions],
            f"/exams/sessions/{self.sessions[0].pk}/?q=pessoa",
            f"/exams/sessions/{self.sessions[0].pk}/candidates/?q=pessoa",
            f"/exams/sessions/{self.sessions[0].pk}/change/",
            "/rulebooks/pt-chemin-de-fer/67 d/",
            "/rulebooks/pt-chemin-de-fer/article/67/",
            "/rulebooks/pt-chemin-de-fer/stake_between/",
            "/scenarios/generate/?topic=pt-chemin-de-fer/third_card&difficulty=2&count=2&seed=abc",
        ]


@pytest.fixture
def house(transactional_db: None) -> Furnished:
    return Furnished()


class Visit:
    """One person's walk through the platform in one browser window."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.base, self.context, self.role = base, context, "stranger"
        self.page: Page = context.new_page()
        self.console: list[str] = []
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("console", lambda said: self.console.append(said.text) if said.type == "error" else None)

    def sign_in(self, person: User) -> None:
        self.role = min(person.roles, default="nobody")
        self.page.goto(f"{self.base}/account/login/")
        self.page.get_by_label("E-mail").fill(person.email)
        self.page.get_by_label("Palavra-passe").fill(PASSWORD)
        self.page.get_by_role("button", name="Iniciar sessão").click()
        self.page.wait_for_url(lambda address: "login" not in address)

    def is_page(self, address: str) -> bool:
        """Whether there is something to look at: not a file, nor what only takes what is sent to it."""
        answer = self.context.request.get(self.base + address, max_redirects=0)
        assert answer.status in (200, 405), f"{address} answers {answer.status}: show it, or say why not in NO_PAGE"
        return answer.status == 200 and "html" in answer.headers["content-type"]

    def troubles(self, address: str) -> list[str]:
        self.console.clear()
        if "SABOT_LOOK" in os.environ:
            return self.looks(address)
        answer = self.page.goto(self.base + address)
        assert answer and answer.ok, address
        found = troubles(self.page, look_for(route_of(address)))
        return [f"{address} {trouble}" for trouble in [*found, *self.console]]

    def looks(self, address: str) -> list[str]:
        for language in ("en", "pt"):
            User.objects.update(language=language)
            self.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": self.base}])
            self.page.goto(self.base + address)
            keep(self.page, f"{self.role}{address}", language)
        return self.console


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer) -> Iterator[Visit]:
    context = chromium.new_context(locale="pt-PT", viewport={"width": 1280, "height": 800})
    yield Visit(context, live_server.url)
    context.close()


def access_to(address: str) -> Access:
    access = declared(resolve(unquote(address.partition("?")[0])))
    assert access is not None
    return access


def route_of(address: str) -> str:
    return resolve(unquote(address.partition("?")[0])).route


def is_visited(role: str, address: str) -> bool:
    """Whether a page is visited as this role: one of those that share it, always the same. With SABOT_FULL=1 and for
    pictures, as each of them. Each role has a first page of its own."""
    access, route = access_to(address), route_of(address)
    if FULL or "SABOT_LOOK" in os.environ or access.anybody or access.in_exam or not route:
        return True
    sharing = sorted(Role if access.roles is None else access.roles)
    return role == sharing[crc32(route.encode()) % len(sharing)]


def open_to(person: User | AnonymousUser, address: str) -> bool:
    """Whether this person may open it. What is public looks the same to all, so that only a stranger visits it."""
    access = access_to(address)
    return permits(access, person, "GET") and access.anybody == person.is_anonymous


def pages_for(person: User | AnonymousUser, house: Furnished, visit: Visit) -> list[str]:
    found = []
    at_work = person == house.candidate
    for name, route in all_routes().items():
        address = route.address(house.parameters()) + SHORT.get(name, "")
        if access_to(address).in_exam != at_work:
            continue  # the house's exam is the candidate's, to whom everything else is closed
        if name in {*NO_PAGE, *ON_THE_WAY} or not open_to(person, address) or not is_visited(visit.role, address):
            continue
        if visit.is_page(address):
            found.append(address)
    more = [] if at_work else house.more()
    return found + [address for address in more if open_to(person, address) and is_visited(visit.role, address)]


def troubles_of(person: User | AnonymousUser, house: Furnished, visit: Visit) -> list[str]:
    return [trouble for address in pages_for(person, house, visit) for trouble in visit.troubles(address)]


@pytest.mark.parametrize("role", Role)
def test_every_page_of_a_role(visit: Visit, house: Furnished, role: Role) -> None:
    person = {
        Role.TRAINEE: house.trainee,
        Role.INSTRUCTOR: house.instructor,
        Role.HR: house.hr,
        Role.ADMINISTRATOR: house.administrator,
        Role.AUDITOR: house.auditor,
    }[role]
    visit.sign_in(person)
    assert troubles_of(person, house, visit) == []


def test_every_page_of_a_candidate_at_work(visit: Visit, house: Furnished) -> None:
    visit.sign_in(house.candidate)
    assert troubles_of(house.candidate, house, visit) == []


def test_the_page_on_which_a_holder_shares_a_certificate(visit: Visit, house: Furnished) -> None:
    visit.sign_in(house.trainee)
    assert visit.troubles(reverse("share_certificate", args=[house.certificate.pk])) == []


def test_every_page_before_signing_in(visit: Visit, house: Furnished) -> None:
    assert troubles_of(AnonymousUser(), house, visit) == []


def test_every_page_of_the_second_step(visit: Visit, transactional_db: None) -> None:
    person = PersonFactory()
    visit.sign_in(person)
    found = visit.troubles(reverse("account_logout"))
    found += visit.troubles(reverse("mfa_activate_totp"))
    if "reauthenticate" in visit.page.url:
        visit.page.get_by_label("Palavra-passe").fill(PASSWORD)
        visit.page.locator("main button[type=submit]").first.click()
        visit.page.wait_for_url("**" + reverse("mfa_activate_totp"))
        found += visit.troubles(reverse("mfa_activate_totp"))
    found += visit.troubles(reverse("account_reauthenticate"))
    TOTP.activate(person, generate_totp_secret())
    RecoveryCodes.activate(person)
    for name in ("mfa_index", "mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"):
        found += visit.troubles(reverse(name))
        assert visit.page.url.endswith(reverse(name))
    visit.page.goto(visit.base + reverse("mfa_reauthenticate"))
    found += troubles(visit.page)
    visit.context.clear_cookies()
    visit.sign_in(person)
    assert visit.page.url.endswith(reverse("mfa_authenticate"))
    found += troubles(visit.page)
    assert found == []
