"""Setting sessions up: who may, what may change when, and what is on record."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from exams import clock
from exams.audit.models import Entry
from exams.exam_sessions import candidacy, letters, preparation, selectors, setup, tasks
from exams.papers import maker
from exams.papers.tasks import make_papers
from exams.programmes.models import Examiner, ProgrammeVersion
from exams.records.models import Candidate, ExamItem, Form, Session
from exams.results.selectors import items_shown
from tests.exams import making
from tests.exams.setting_up import DAY, acts, examiner, facts, make, ready
from tests.factories import PersonFactory
from training.mail.courier import deliver
from training.people.models import Role, User
from training.platform.errors import Refused, UnfitList

pytestmark = pytest.mark.django_db
State = Session.State


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    return lambda moment: monkeypatch.setattr(clock, "now", lambda: moment)


# Making and changing


def test_a_session_is_made_with_a_code_that_can_be_read_from_a_board() -> None:
    one, other = make(), make()
    assert one.state == State.DRAFT
    assert len(one.access_code) == 8 and set(one.access_code) <= set(setup.CODE_SIGNS)
    assert not set("0O1IL") & set(setup.CODE_SIGNS)
    assert one.access_code != other.access_code
    assert acts() == ["session.created"] * 2
    assert one.access_code not in str(list(Entry.objects.values("details", "subject")))


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.HR])
def test_who_does_not_examine_makes_no_session(role: Role) -> None:
    with pytest.raises(Refused, match=r"Only instructors and administrators can examine\."):
        make(PersonFactory(roles=[role]))
    assert not Session.objects.exists()


def test_only_appointed_examiners_where_the_programme_says_so() -> None:
    version = making.make_version(making.make_rules(examiners="appointed"))
    teacher = examiner()
    with pytest.raises(Refused, match="appointed"):
        make(teacher, version)
    Examiner.objects.create(programme=version.programme, person=teacher)
    assert make(teacher, version).created_by == teacher


@pytest.mark.parametrize("state", ["draft", "retired"])
def test_a_session_is_held_by_a_version_in_force(state: str) -> None:
    with pytest.raises(Refused, match="not in force"):
        make(version=making.make_version(state=state, published_by=None))


def test_entry_closes_after_it_opens_and_in_the_future(at: Callable[[datetime], None]) -> None:
    version, now = making.make_version(), timezone.now()
    at(now)
    with pytest.raises(Refused, match="after the session opens"):
        make(version=version, opens_at=now + DAY, entry_closes_at=now + DAY)
    with pytest.raises(Refused, match="in the future"):
        make(version=version, opens_at=now - DAY, entry_closes_at=now)
    just = now + timedelta(microseconds=1)
    assert make(version=version, opens_at=now, entry_closes_at=just).entry_closes_at == just


def test_a_draft_is_changed_by_its_holder_or_an_administrator_alone() -> None:
    session = make()
    changed = facts(session.programme_version, title="Outro")
    with pytest.raises(Refused, match="Only administrators and the person who created"):
        setup.change_session(session, examiner(), **changed)
    assert setup.change_session(session, session.created_by, **changed).title == "Outro"
    administrator = PersonFactory(roles=[Role.ADMINISTRATOR])
    setup.change_session(session, administrator, **(changed | {"title": "Ainda outro"}))
    session.refresh_from_db()
    assert session.title == "Ainda outro"
    assert acts() == ["session.created", "session.changed", "session.changed"]


def test_nothing_is_changed_once_forms_are_asked_for() -> None:
    session = make()
    candidate = candidacy.enter(session, PersonFactory(), session.created_by)
    preparation.prepare(session, session.created_by)
    by = session.created_by
    for act in (
        lambda: setup.change_session(session, by, **facts(session.programme_version)),
        lambda: candidacy.enter(session, PersonFactory(), by),
        lambda: candidacy.enter_list(session, PersonFactory().email, by),
        lambda: candidacy.remove(session, candidate.pk, by),
        lambda: preparation.prepare(session, by),
    ):
        with pytest.raises(Refused, match="no longer being set up"):
            act()


# Ready, taken back, cancelled


def test_forms_are_asked_for_only_with_candidates_who_may_sit(at: Callable[[datetime], None]) -> None:
    session = make()
    with pytest.raises(Refused, match="no candidates"):
        preparation.prepare(session, session.created_by)
    person = PersonFactory(name="Marta Quintão")
    candidacy.enter(session, person, session.created_by)
    User.objects.filter(pk=person.pk).update(is_active=False)
    with pytest.raises(UnfitList) as unfit:
        preparation.prepare(session, session.created_by)
    assert ["Marta Quintão" in error.reason for error in unfit.value.errors] == [True]
    User.objects.filter(pk=person.pk).update(is_active=True)
    at(session.entry_closes_at)
    with pytest.raises(Refused, match="Entry has closed"):
        preparation.prepare(session, session.created_by)
    at(session.entry_closes_at - timedelta(microseconds=1))
    assert preparation.prepare(session, session.created_by).state == State.PREPARING


def test_a_version_replaced_meanwhile_must_be_chosen_anew() -> None:
    session = make()
    candidacy.enter(session, PersonFactory(), session.created_by)
    ProgrammeVersion.objects.filter(pk=session.programme_version_id).update(state="retired")
    with pytest.raises(Refused, match="not in force"):
        preparation.prepare(session, session.created_by)


def test_taking_back_throws_the_forms_away_and_new_ones_are_others(at: Callable[[datetime], None]) -> None:
    session = ready(make())
    letters.tell_candidates(session.pk)
    first, code = set(ExamItem.objects.values_list("fingerprint", flat=True)), session.access_code
    preparation.back_to_draft(session, session.created_by)
    assert not ExamItem.objects.exists() and not Form.objects.exists()
    assert session.candidates.get().told_at is None
    preparation.prepare(session, session.created_by)
    assert maker.make_papers(session.pk)
    session.refresh_from_db()
    assert session.access_code != code
    assert not first & set(ExamItem.objects.values_list("fingerprint", flat=True))


def test_taking_back_ends_when_the_session_opens(at: Callable[[datetime], None]) -> None:
    session = ready(make())
    at(session.opens_at)
    with pytest.raises(Refused, match="has opened"):
        preparation.back_to_draft(session, session.created_by)
    at(session.opens_at - timedelta(microseconds=1))
    assert preparation.back_to_draft(session, session.created_by).state == State.DRAFT


def test_nothing_is_taken_back_or_cancelled_once_somebody_began() -> None:
    session = ready(make())
    making.start(session.candidates.get())
    for act in (preparation.back_to_draft, lambda one, by: preparation.cancel(one, by, reason="tarde")):
        with pytest.raises(Refused, match="already begun"):
            act(session, session.created_by)
    assert Form.objects.count() == 1


def test_a_cancelled_session_says_why_and_tells_those_who_knew() -> None:
    session = ready(make(), PersonFactory(email="sabia@casino.example"))
    letters.tell_candidates(session.pk)
    with pytest.raises(Refused, match="why"):
        preparation.cancel(session, session.created_by, reason="  ")
    preparation.cancel(session, session.created_by, reason="Falta a luz")
    session.refresh_from_db()
    assert (session.state, session.cancelled_because) == (State.CANCELLED, "Falta a luz")
    assert not ExamItem.objects.exists()
    deliver()
    assert [letter.to for letter in mail.outbox] == [["sabia@casino.example"]] * 2
    assert "Falta a luz" in mail.outbox[1].body
    with pytest.raises(Refused, match="already"):
        preparation.cancel(session, session.created_by, reason="outra vez")
    assert acts()[-1] == "session.cancelled"
    client = Client()
    client.force_login(User.objects.get(email="sabia@casino.example"))
    assert "Falta a luz" in client.get(reverse("own_exams")).content.decode()


def test_why_a_session_was_cancelled_is_for_those_who_knew_of_it() -> None:
    session = ready(make(), unaware := PersonFactory())
    preparation.cancel(session, session.created_by, reason="Alguém copiou as perguntas")
    client = Client()
    client.force_login(unaware)
    page = client.get(reverse("own_exams"))
    assert [exam.state for exam in page.context["exams"].past] == ["cancelled"]
    assert "copiou" not in page.content.decode()


@pytest.mark.parametrize("session_of", [make, lambda: ready(make())])
def test_strangers_do_nothing(session_of: Callable[[], Session]) -> None:
    session, stranger = session_of(), examiner()
    for act in (
        lambda: preparation.prepare(session, stranger),
        lambda: preparation.back_to_draft(session, stranger),
        lambda: preparation.cancel(session, stranger, reason="x"),
        lambda: setup.add_invigilator(session, stranger, stranger),
        lambda: candidacy.enter(session, PersonFactory(), stranger),
    ):
        with pytest.raises(Refused, match="Only administrators and the person who created"):
            act()


# Reading


def test_sessions_are_seen_by_who_holds_invigilates_or_administers_them() -> None:
    session = ready(make())
    invigilator, candidate = PersonFactory(roles=[Role.HR]), session.candidates.get().person
    setup.add_invigilator(session, invigilator, session.created_by)
    administrator = PersonFactory(roles=[Role.ADMINISTRATOR])
    for who in (session.created_by, invigilator, administrator):
        assert list(selectors.sessions_for(who)) == [session]
    examined = PersonFactory(roles=[Role.ADMINISTRATOR, Role.TRAINEE])
    Candidate.objects.create(session=session, person=examined)
    for who in (examiner(), candidate, examined):
        assert list(selectors.sessions_for(who)) == []


def test_sessions_are_current_until_nobody_can_begin_or_is_at_work() -> None:
    session = ready(make())
    found, ends = selectors.sessions_for(session.created_by), session.entry_closes_at
    assert selectors.current(found, ends - timedelta(microseconds=1)).exists()
    assert not selectors.current(found, ends).exists()
    assert selectors.past(found, ends).exists()
    sitting = making.start(session.candidates.get())
    assert selectors.current(found, ends).exists() and not selectors.past(found, ends).exists()
    making.close(sitting)
    assert selectors.past(found, ends).exists()


def test_items_are_shown_once_nobody_can_begin_and_nobody_is_at_work() -> None:
    session = ready(make(), PersonFactory(), PersonFactory())
    ends = session.entry_closes_at
    before = ends - timedelta(microseconds=1)
    assert not items_shown(session.pk, before) and items_shown(session.pk, ends)
    one, other = session.candidates.all()
    sitting = making.start(one)
    assert not items_shown(session.pk, ends), "one is still at work"
    making.close(sitting)
    assert items_shown(session.pk, ends)
    assert not items_shown(session.pk, before), "the other can still begin"
    last = making.start(other)
    assert not items_shown(session.pk, before)
    making.close(last)
    assert items_shown(session.pk, before), "everybody has finished"


def test_the_sweep_takes_up_what_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message arrives, and later no mail goes out; beat heals both."""
    sent: list[tuple[str, str]] = []
    for task in (make_papers, tasks.tell_candidates):
        monkeypatch.setattr(task, "delay", lambda session_id, name=task.name: sent.append((name, session_id)))
    session = make()
    candidacy.enter(session, PersonFactory(), session.created_by)
    tasks.sweep_sessions()
    assert sent == []
    preparation.prepare(session, session.created_by)
    tasks.sweep_sessions()
    assert [name.rpartition(".")[2] for name, _id in sent] == ["make_papers"]
    make_papers(sent.pop()[1])
    tasks.sweep_sessions()
    assert [name.rpartition(".")[2] for name, _id in sent] == ["tell_candidates"]
    tasks.tell_candidates(sent.pop()[1])
    tasks.sweep_sessions()
    assert sent == []
