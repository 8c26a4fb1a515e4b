"""The pages of sessions: what staff sees and does there, and what a form shows of what was typed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from exams import obstacles
from exams.exam_sessions import setup
from exams.papers import maker
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, Session
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
State = Session.State
LOCAL = "%Y-%m-%dT%H:%M"


class Desk:
    """An instructor's browser, and a session they hold."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.person: User = client.person  # type: ignore[attr-defined]
        User.objects.filter(pk=self.person.pk).update(language="en")
        self.version = making.make_version()

    def session(self, *, candidates: int = 0, state: str = State.DRAFT, **changes: Any) -> Session:
        opens = timezone.now() + timedelta(days=3)
        made = {
            "programme_version": self.version,
            "title": "Exame de novembro",
            "opens_at": opens,
            "entry_closes_at": opens + timedelta(hours=1),
            "access_code": setup.new_code(),
            "created_by": self.person,
            "state": State.PREPARING if state == State.READY else state,
        } | changes
        session = Session.objects.create(**made)
        people = [PersonFactory() for _number in range(candidates)]
        Candidate.objects.bulk_create(Candidate(session=session, person=who, entered_by=self.person) for who in people)
        if state == State.READY:
            assert maker.make_papers(session.pk)
            session.refresh_from_db()
        return session

    def get(self, route: str, session: Session | None = None, query: str = "") -> Any:
        return self.client.get(reverse(route, args=[session.pk] if session else []) + query)

    def post(self, route: str, session: Session | None = None, *more: Any, **fields: Any) -> Any:
        return self.client.post(reverse(route, args=[*([session.pk] if session else []), *more]), fields)


@pytest.fixture
def desk(signed_in: Callable[..., Client]) -> Desk:
    return Desk(signed_in(Role.INSTRUCTOR))


def typed(version: ProgrammeVersion, **changes: str) -> dict[str, str]:
    opens = timezone.localtime() + timedelta(days=3)
    return {
        "programme": str(version.pk),
        "title": "Exame de dezembro",
        "place": "Sala 2",
        "opens_at": opens.strftime(LOCAL),
        "entry_closes_at": (opens + timedelta(hours=1)).strftime(LOCAL),
    } | changes


def test_a_session_is_made_on_the_page_and_listed(desk: Desk) -> None:
    response = desk.post("new_session", **typed(desk.version))  # type: ignore[arg-type]
    made = Session.objects.get()
    assert response.headers["Location"] == reverse("session_candidates", args=[made.pk])
    assert (made.title, made.created_by, made.state) == ("Exame de dezembro", desk.person, State.DRAFT)
    assert "Exame de dezembro" in desk.get("sessions").content.decode()


@pytest.mark.parametrize(
    ("field", "wrong", "told"),
    [
        ("title", "", "required"),
        ("opens_at", "amanhã", "valid date"),
        ("entry_closes_at", "2020-01-01T10:00", "after the session opens"),
        ("programme", "99999", "valid choice"),
    ],
)
def test_what_is_wrong_is_told_and_what_was_typed_is_kept(desk: Desk, field: str, wrong: str, told: str) -> None:
    response = desk.post("new_session", **typed(desk.version, **{field: wrong}))  # type: ignore[arg-type]
    body = response.content.decode()
    assert response.status_code == 422
    assert told in body and "Sala 2" in body
    assert not Session.objects.exists()


def test_only_programmes_in_which_one_examines_are_offered(desk: Desk) -> None:
    closed = making.make_version(making.make_rules(examiners="appointed"), names={"en": "Only for some"})
    assert "Only for some" not in desk.get("new_session").content.decode()
    assert desk.post("new_session", **typed(closed)).status_code == 422  # type: ignore[arg-type]


def test_without_a_programme_the_page_says_so(desk: Desk) -> None:
    ProgrammeVersion.objects.update(state="retired")
    assert "There is no programme" in desk.get("new_session").content.decode()


def test_times_are_on_the_clock_of_the_person(desk: Desk) -> None:
    User.objects.filter(pk=desk.person.pk).update(time_zone="Asia/Macau")
    desk.post("new_session", **typed(desk.version, opens_at="2099-07-01T09:00", entry_closes_at="2099-07-01T10:00"))  # type: ignore[arg-type]
    made = Session.objects.get()
    assert made.opens_at.isoformat() == "2099-07-01T01:00:00+00:00"
    assert "2099-07-01T09:00" in desk.get("change_session", made).content.decode()


def test_a_draft_is_changed_on_the_page(desk: Desk) -> None:
    session = desk.session()
    assert desk.post("change_session", session, **typed(desk.version, title="Outro título")).status_code == 302
    session.refresh_from_db()
    assert session.title == "Outro título"
    ready = desk.session(candidates=1, state=State.READY)
    response = desk.post("change_session", ready, **typed(desk.version))
    assert response.status_code == 422 and "no longer being set up" in response.content.decode()


def test_candidates_are_entered_one_by_one(desk: Desk) -> None:
    session, person = desk.session(), PersonFactory(name="Inês Varela")
    assert "Inês Varela" in desk.get("session_candidates", session, "?q=ines").content.decode()
    assert desk.post("enter_candidate", session, trainee=person.pk).status_code == 302
    body = desk.get("session_candidates", session, "?q=ines").content.decode()
    assert "already a candidate" in body and "0 of 3" in body
    again = desk.post("enter_candidate", session, trainee=person.pk)
    assert again.status_code == 409 and "already" in again.content.decode()
    candidate = session.candidates.get()
    assert desk.post("extra_time", session, candidate.pk, minutes="241").status_code == 422
    assert desk.post("extra_time", session, candidate.pk, minutes="20", reason="Pedido 12").status_code == 302
    candidate.refresh_from_db()
    assert candidate.extra_minutes == 20
    assert desk.post("remove_candidate", session, candidate.pk).status_code == 302
    assert not session.candidates.exists()


def test_the_candidate_of_another_session_does_not_exist(desk: Desk) -> None:
    mine, other = desk.session(candidates=1), desk.session(candidates=1)
    stranger = other.candidates.get()
    assert desk.post("remove_candidate", mine, stranger.pk).status_code == 404
    assert desk.post("extra_time", mine, stranger.pk, minutes="20", reason="x").status_code == 404


def test_a_list_with_errors_comes_back_with_its_rows(desk: Desk) -> None:
    session, person = desk.session(), PersonFactory()
    wrong = f"{person.email}\nninguem@casino.example"
    response = desk.post("enter_candidates", session, text=wrong)
    body = response.content.decode()
    assert response.status_code == 422
    assert "nobody here has this address" in body and wrong in body.replace("\r\n", "\n")
    assert not session.candidates.exists()
    assert desk.post("enter_candidates", session, text=person.email).status_code == 302
    assert session.candidates.count() == 1


def test_the_page_follows_the_forms_until_they_are_made(desk: Desk) -> None:
    session = desk.session(candidates=2)
    assert no_code_yet(session, desk.get("session", session).content.decode())
    assert desk.post("prepare_session", session).status_code == 302
    session.refresh_from_db()
    assert session.access_code[:4] not in desk.get("live_session", session).content.decode()
    body = desk.get("session", session).content.decode()
    assert 'hx-trigger="every 2s"' in body and "#session-code,#session-tabs" in body
    assert no_code_yet(session, body)
    assert maker.make_papers(session.pk)
    body = desk.get("session", session).content.decode()
    session.refresh_from_db()
    assert session.access_code[:4] in body and "Shown once all papers" not in body
    told = f"{session.access_code[:4]} {session.access_code[4:]}"  # as it is read out
    assert told in body and told in desk.get("live_session", session).content.decode()
    assert "hx-trigger" not in body and "All papers have been made and checked" in body
    assert "75.0%" in body and "75.0% to" not in body
    assert desk.post("take_back_session", session).status_code == 302
    assert desk.post("take_back_session", session).status_code == 409
    assert no_code_yet(session, desk.get("session", session).content.decode())


def no_code_yet(session: Session, body: str) -> bool:
    """One that is shown before would be replaced when the forms are made."""
    session.refresh_from_db()
    return session.access_code[:4] not in body and "Shown once all papers have been made and checked." in body


def test_who_may_no_longer_sit_is_named_when_forms_are_asked_for(desk: Desk) -> None:
    session = desk.session(candidates=2)
    gone = session.candidates.all()[0].person
    User.objects.filter(pk=gone.pk).update(is_active=False)
    response = desk.post("prepare_session", session)
    assert response.status_code == 422 and f"{gone.name} may no longer sign in" in response.content.decode()


def test_trouble_is_told_on_the_page(desk: Desk) -> None:
    session = desk.session(candidates=1, obstacle=obstacles.UNEVEN)
    assert "No equally hard" in desk.get("session", session).content.decode()


def test_a_session_is_cancelled_with_a_reason(desk: Desk) -> None:
    session = desk.session(candidates=1, state=State.READY)
    assert 'id="tab-cancel"' in desk.get("session", session).content.decode()
    assert desk.post("cancel_session", session).status_code == 422
    assert desk.post("cancel_session", session, reason="Falta a luz").status_code == 302
    body = desk.get("session", session).content.decode()
    assert "Falta a luz" in body and session.access_code[:4] not in body
    assert "Exame de novembro" in desk.get("sessions", query="?show=past").content.decode()
    assert "Exame de novembro" not in desk.get("sessions").content.decode()


def test_an_invigilator_reads_the_page_and_its_code_but_does_nothing(
    desk: Desk, signed_in: Callable[..., Client]
) -> None:
    session = desk.session(candidates=1, state=State.READY)
    client = signed_in(Role.HR)
    other = Desk(client)
    assert other.get("session", session).status_code == 404
    found = desk.get("session", session, f"?q={other.person.email}").content.decode()
    assert "Add as invigilator" in found
    assert desk.post("change_invigilators", session, add=other.person.pk).status_code == 302
    body = other.get("session", session).content.decode()
    assert session.access_code[:4] in body and "Take back" not in body and "Add as invigilator" not in body
    assert "Extra minutes" not in other.get("session_candidates", session).content.decode()
    teacher = Desk(signed_in(Role.INSTRUCTOR))
    session.invigilators.add(teacher.person)
    for route in ("prepare_session", "take_back_session", "cancel_session", "change_invigilators", "enter_candidate"):
        assert teacher.post(route, session, reason="x").status_code == 404, route
    assert desk.post("change_invigilators", session, remove=other.person.pk).status_code == 302
    assert other.get("session", session).status_code == 404


def queries(desk: Desk, route: str, session: Session | None = None) -> int:
    with CaptureQueriesContext(
        connection,
    ) as counted:
        assert desk.get(route, session).status_code == 200
    return len(counted)


@pytest.mark.parametrize("state", [State.DRAFT, State.READY])
@pytest.mark.parametrize("route", ["session", "session_candidates"])
def test_a_page_asks_the_database_as_often_for_many_candidates_as_for_few(desk: Desk, route: str, state: str) -> None:
    few, many = desk.session(candidates=2, state=state), desk.session(candidates=9, state=state)
    for candidate in many.candidates.all()[:4] if state == State.READY else ():
        making.start(candidate)
    assert queries(desk, route, many) == queries(desk, route, few) < 20


def test_the_list_asks_as_often_for_many_sessions(desk: Desk) -> None:
    desk.session(candidates=1)
    few = queries(desk, "sessions")
    for _number in range(5):
        desk.session(candidates=2)
    assert queries(desk, "sessions") == few
