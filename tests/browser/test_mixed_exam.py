"""One exam of three games, from the sitting to a certificate that names them, in real browsers with a real worker."""

from datetime import timedelta
from pathlib import Path

import pypdfium2
import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from exams.certificates.models import Certificate
from exams.exam_sessions import candidacy, preparation
from exams.records.models import Session, Sitting
from rules_engine import rulebook
from rules_engine.narration import book_name
from tests.browser.test_certificates import read_from_paper
from tests.browser.test_certificates_whole import Visit, download, visit
from tests.browser.test_exam_whole import answer_here, begin, form_of
from tests.browser.walking import troubles
from tests.exams import making
from tests.exams.making import THREE_GAMES
from tests.factories import PersonFactory
from tests.running import until
from training.people.models import Role, User

__all__ = ["visit"]  # a fixture
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = [book_name(book, "en") for book in THREE_GAMES]


def session_for(candidate: User) -> Session:
    """A session that is open now; its forms are made by the worker."""
    names = {"pt": "Croupier de banca", "en": "Table games dealer"}
    author = PersonFactory(roles=[Role.INSTRUCTOR], language="en")
    version = making.make_version(making.mixed_rules(), names=names, author=author)
    now = timezone.now()
    session = Session.objects.create(
        programme_version=version,
        title="November",
        opens_at=now - timedelta(minutes=2),
        entry_closes_at=now + timedelta(hours=2),
        access_code="SABOT-7",
        created_by=version.author,
    )
    candidacy.enter(session, candidate, version.author)
    preparation.prepare(session, version.author)
    until("the forms are made", lambda: Session.objects.get(pk=session.pk).state == Session.State.READY, within=60)
    session.refresh_from_db()  # its code came with the forms
    return session


def sit(page: Page, session: Session, candidate: User, author: Page) -> None:
    """Answer all of it rightly; who holds the session looks at the candidate's papers meanwhile."""
    begin(page, session)
    sitting = Sitting.objects.get(candidate__person=candidate)
    met = []
    for place, form_item in enumerate(form_of(candidate), 1):
        page.goto(f"/exams/sittings/{sitting.pk}/{place}/")
        name = book_name(form_item.item.rulebook, "en")
        expect(page.locator("main")).to_contain_text(name)
        expect(page.locator("main svg:visible").first).to_be_visible()
        answer_here(page, form_item)
        met.append(name)
    assert set(met) == set(NAMES), "the form lacks a game"
    author.goto(f"/exams/sessions/{session.pk}/live/{sitting.pk}/")
    author.get_by_role("button", name="This is the person").click()
    expect(author.get_by_text("The identity of")).to_be_visible()
    page.get_by_role("button", name="Go to the overview").click()
    page.get_by_role("button", name="Hand in for good").click()
    expect(page.get_by_role("heading", name="The exam is closed")).to_be_visible()


def test_one_exam_of_three_games_ends_in_a_certificate_that_names_them(
    worker: None, visit: Visit, tmp_path: Path
) -> None:
    candidate = PersonFactory(name="Marta Mista", roles=[Role.TRAINEE], language="en")
    session = session_for(candidate)
    page = visit(candidate)
    sit(page, session, candidate, visit(session.created_by))
    certificate = until("the certificate is there", Certificate.objects.first, within=30)
    assert certificate.scope == list(THREE_GAMES)

    page.goto("/certificates/")
    expect(page.locator(".certificate .books li")).to_have_text(NAMES)
    assert troubles(page) == []
    pdf = download(page, page.get_by_role("link", name="Certificate (PDF)").click, tmp_path)
    with pypdfium2.PdfDocument(pdf) as opened:
        assert len(opened) == 1
        printed = " ".join(opened[0].get_textpage().get_text_bounded().split())
    assert all(name in printed for name in NAMES), printed

    stranger = visit(None)
    stranger.goto(read_from_paper(pdf))
    expect(stranger.get_by_role("heading", name="This certificate is valid today.")).to_be_visible()
    expect(stranger.locator(".certificate .books li")).to_have_text(NAMES)

    officer = visit(PersonFactory(roles=[Role.HR], language="en"))
    officer.goto("/hr/tonight/")
    for book in THREE_GAMES:
        title = officer.locator(".game-title", has=officer.get_by_role("heading", name=rulebook(book).game.name("en")))
        expect(title).to_contain_text("1 person may deal it")
    expect(officer.get_by_role("link", name=candidate.name)).to_have_count(len(THREE_GAMES))
    assert troubles(officer) == []
