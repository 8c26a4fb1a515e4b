"""Setting sessions up: who may, what may change when, and what is on record."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone, translation

from exams import clock
from exams.audit.models import Entry
from exams.papers import maker
from exams.papers.tasks import make_papers
from exams.programmes.models import Examiner, ProgrammeVersion
from exams.records.models import Candidate, ExamItem, Form, Session
from exams.results.selectors import items_shown
from exams.sessions import candidacy, letters, preparation, selectors, setup, tasks
from tests.exams import making
from tests.factories import PersonFactory
from training.mail.courier import deliver
from training.people.models import Role, User
from training.refusal import Refused, UnfitList

pytestmark = pytest.mark.django_db
State = Session.State
DAY = timedelta(days=1)


def examiner(**fields: Any) -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], language="en", **fields)


def facts(version: ProgrammeVersion, **changes: Any) -> dict[str, Any]:
    opens = timezone.now() + 7 * DAY
    return {
        "version": version,
        "title": "Exame de novembro",
        "place": "Sala 2",
        "opens_at": opens,
        "entry_closes_at": opens + timedelta(hours=1),
    } | changes


def make(by: User | None = None, version: ProgrammeVersion | None = None, **changes: Any) -> Session:
    return setup.create_session(by or examiner(), **facts(version or making.make_version(), **changes))


def ready(session: Session, *people: User) -> Session:
    """The session with these candidates and its forms made."""
    for person in people or (PersonFactory(),):
        candidacy.enter(session, person, session.created_by)
    preparation.prepare(session, session.created_by)
    assert maker.make_papers(session.pk)
    session.refresh_from_db()
    return session


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    return lambda moment: monkeypatch.setattr(clock, "now", lambda: moment)


def acts() -> list[str]:
    return list(Entry.objects.order_by("number").values_list("act", flat=True))


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
    with pytest.raises(Refused, match=r"Only instructors and administrators examine\."):
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
    with pytest.raises(Refused, match="Only who made"):
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


# Candidates


def objection(session: Session, person: User, by: User | None = None) -> str:
    with pytest.raises(Refused) as refusal:
        candidacy.enter(session, person, by or session.created_by)
    assert not session.candidates.exists()
    return str(refusal.value)


def test_a_candidate_is_an_active_trainee_entered_once() -> None:
    session = make()
    assert "may no longer sign in" in objection(session, PersonFactory(name="Ana", is_active=False))
    assert "is not a trainee" in objection(session, examiner(name="Rui"))
    person = PersonFactory()
    candidacy.enter(session, person, session.created_by)
    with pytest.raises(Refused, match="already"):
        candidacy.enter(session, person, session.created_by)
    assert acts() == ["session.created", "session.candidate_entered"]


def test_nobody_examines_themselves() -> None:
    both = PersonFactory(roles=[Role.INSTRUCTOR, Role.TRAINEE], name="Rui Castanhal", language="en")
    assert "Rui Castanhal" in objection(make(both), both)
    administrator = PersonFactory(roles=[Role.ADMINISTRATOR, Role.TRAINEE], language="en")
    assert "nobody examines themselves" in objection(make(), administrator, administrator)


def test_nobody_is_examined_by_who_taught_them_where_the_programme_forbids_it() -> None:
    from tests.classes import rooms

    teacher, trainee = examiner(name="Helena Brandim"), PersonFactory(name="Inês Varela")
    rooms.make_class(teacher, trainee)
    told = objection(make(teacher), trainee)
    assert "Inês Varela" in told and "Helena Brandim" in told
    allowed = making.make_version(making.make_rules(taught_may_examine=True))
    candidacy.enter(make(teacher, allowed), trainee, teacher)


def test_an_invigilator_is_no_candidate_nor_the_other_way_round() -> None:
    session = make()
    both = PersonFactory(roles=[Role.TRAINEE, Role.HR])
    setup.add_invigilator(session, both, session.created_by)
    assert "invigilates" in objection(session, both)
    setup.remove_invigilator(session, both, session.created_by)
    candidacy.enter(session, both, session.created_by)
    with pytest.raises(Refused, match="is a candidate"):
        setup.add_invigilator(session, both, session.created_by)
    with pytest.raises(Refused, match="Only staff"):
        setup.add_invigilator(session, PersonFactory(), session.created_by)
    assert not session.invigilators.exists()


def test_mastery_that_the_programme_asks_for_is_looked_at() -> None:
    version = making.make_version(making.make_rules(mastery=50))
    assert "50%" in objection(make(version=version), PersonFactory())


def test_one_open_candidacy_in_a_programme_at_a_time(at: Callable[[datetime], None]) -> None:
    version, person = making.make_version(), PersonFactory()
    first, second = make(version=version), make(version=version)
    candidacy.enter(first, person, first.created_by)
    assert "another session" in objection(second, person)
    candidacy.enter(make(), person, Session.objects.latest("created_at").created_by)  # another programme
    preparation.cancel(first, first.created_by, reason="chuva")
    candidacy.enter(second, person, second.created_by)


def test_a_missed_session_or_a_graded_one_is_no_longer_open(at: Callable[[datetime], None]) -> None:
    version, person = making.make_version(), PersonFactory()
    missed = make(version=version)
    candidacy.enter(missed, person, missed.created_by)
    following = make(version=version, opens_at=missed.opens_at + DAY, entry_closes_at=missed.entry_closes_at + DAY)
    at(missed.entry_closes_at - timedelta(microseconds=1))
    assert "another session" in objection(following, person)
    at(missed.entry_closes_at)
    candidate = candidacy.enter(following, person, following.created_by)
    sitting = making.close(making.start(candidate, at=following.opens_at))
    third = make(version=version, opens_at=missed.opens_at + 9 * DAY, entry_closes_at=missed.opens_at + 10 * DAY)
    assert "another session" in objection(third, person)
    sitting.graded_at = sitting.closed_at
    sitting.save()
    candidacy.enter(third, person, third.created_by)


def sat(version: ProgrammeVersion, person: User, when: datetime, *, passed: bool | None = None) -> None:
    """An earlier sitting, over and graded."""
    from exams.results.models import Result

    session = making.make_session(version, opens_at=when, entry_closes_at=when + timedelta(hours=1))
    sitting = making.close(making.start(making.enter(session, person), at=when))
    sitting.graded_at = when + timedelta(hours=2)
    sitting.save()
    if passed is not None:
        Result.objects.create(
            sitting=sitting,
            programme_version=version,
            score=90 if passed else 10,
            passed=passed,
            outcome={},
            computed_at=sitting.graded_at,
            decided_at=sitting.graded_at,
        )


def test_no_more_tries_than_the_programme_allows_since_one_passed() -> None:
    version, person = making.make_version(making.make_rules(tries=2)), PersonFactory()
    start = timezone.now() - 100 * DAY
    sat(version, person, start, passed=False)
    session = make(version=version)
    around = candidacy.circumstances(session, [person.pk], session.created_by, timezone.now())
    assert not list(candidacy.objections(person, around))
    sat(version, person, start + DAY, passed=False)
    assert "used all 2 tries" in objection(session, person)
    sat(version, person, start + 2 * DAY, passed=True)
    candidacy.enter(session, person, session.created_by)
    found = candidacy.tries_of([person.pk], version.programme_id)[person.pk]
    assert (found.count, found.last) == (0, start + 2 * DAY)


@pytest.mark.parametrize(("days", "refused"), [(13, True), (14, False), (15, False)])
def test_the_wait_between_two_tries_in_days_of_the_calendar(days: int, *, refused: bool) -> None:
    """Late in the evening, then early on the day when the wait is over."""
    version, person = making.make_version(making.make_rules(wait_days=14)), PersonFactory()
    house = timezone.get_default_timezone()
    last = timezone.now().astimezone(house).replace(hour=22, minute=0) - 10 * DAY
    sat(version, person, last, passed=False)
    opens = last.replace(hour=9) + days * DAY
    session = make(version=version, opens_at=opens, entry_closes_at=opens + timedelta(hours=1))
    if refused:
        assert "not long ago" in objection(session, person)
    else:
        candidacy.enter(session, person, session.created_by)


def test_a_list_is_entered_whole_or_not_at_all() -> None:
    session = make()
    good, gone = PersonFactory(email="boa@casino.example"), PersonFactory(email="foi@casino.example", is_active=False)
    text = f"BOA@casino.example\n\n{gone.email}\nninguem@casino.example\nsem-arroba\nboa@casino.example\n"
    with pytest.raises(UnfitList) as unfit:
        candidacy.enter_list(session, text, session.created_by)
    errors = {error.row: error.reason for error in unfit.value.errors}
    assert list(errors) == [3, 4, 5, 6]
    assert "no longer sign in" in errors[3] and "nobody here" in errors[4] and "row 1" in errors[6]
    assert not session.candidates.exists()
    made = candidacy.enter_list(session, f"{good.email}\n{PersonFactory().email}", session.created_by)
    assert len(made) == 2
    assert len(candidacy.enter_list(session, f"{good.email}\n{PersonFactory().email}", session.created_by)) == 1
    assert acts().count("session.candidate_entered") == 2


def test_a_long_list_is_read_at_once(django_assert_max_num_queries: Any) -> None:
    """Whoever is on it: only what each was taught is asked person by person."""
    session = make()
    people = [PersonFactory() for _number in range(30)]
    with django_assert_max_num_queries(25 + len(people)):
        candidacy.enter_list(session, "\n".join(person.email for person in people), session.created_by)


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "x" * (candidacy.MAX_BYTES + 1)])
def test_a_list_that_is_none_is_refused(text: str) -> None:
    session = make()
    with pytest.raises(UnfitList, match="1 errors"):
        candidacy.enter_list(session, text, session.created_by)


def test_a_session_has_so_many_candidates_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidacy, "MOST_CANDIDATES", 2)
    session = make()
    candidacy.enter(session, PersonFactory(), session.created_by)
    with pytest.raises(Refused, match="at most 2"):
        candidacy.enter_list(session, "\n".join(PersonFactory().email for _ in range(2)), session.created_by)
    candidacy.enter(session, PersonFactory(), session.created_by)
    with pytest.raises(Refused, match="at most 2"):
        candidacy.enter(session, PersonFactory(), session.created_by)


@pytest.mark.parametrize(("minutes", "allowed"), [(-1, False), (0, True), (240, True), (241, False)])
def test_extra_time_within_its_limits(minutes: int, *, allowed: bool) -> None:
    session = make()
    candidate = candidacy.enter(session, PersonFactory(), session.created_by)
    if not allowed:
        with pytest.raises(Refused, match="from 0 to 240"):
            setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=minutes)
        return
    setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=minutes)
    candidate.refresh_from_db()
    assert candidate.extra_minutes == minutes


def test_extra_time_is_granted_until_one_begins() -> None:
    session = ready(make())
    candidate = session.candidates.get()
    setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=15)
    making.start(candidate)
    with pytest.raises(Refused, match="has begun"):
        setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=30)


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
        with pytest.raises(Refused, match="has begun"):
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
        with pytest.raises(Refused, match="Only who made"):
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
