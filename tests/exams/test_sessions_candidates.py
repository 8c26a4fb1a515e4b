"""Who is entered in a session and who is not: conflicts, tries and waits, lists, extra time."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from exams import clock
from exams.exam_sessions import candidacy, preparation, setup
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Session
from tests.exams import making
from tests.exams.setting_up import DAY, acts, examiner, make, ready
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused, UnfitList

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    return lambda moment: monkeypatch.setattr(clock, "now", lambda: moment)


# ---- who may be entered


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
    assert "nobody can examine themselves" in objection(make(), administrator, administrator)


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
    assert "used all 2 attempts" in objection(session, person)
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
    session = make()
    people = [PersonFactory() for _number in range(30)]
    with django_assert_max_num_queries(30):
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
            setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=minutes, reason="Pedido 12")
        return
    setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=minutes, reason="Pedido 12")
    candidate.refresh_from_db()
    assert candidate.extra_minutes == minutes


def test_extra_time_is_granted_until_one_begins() -> None:
    session = ready(make())
    candidate = session.candidates.get()
    setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=15, reason="Pedido 12")
    making.start(candidate)
    with pytest.raises(Refused, match="has already begun"):
        setup.grant_extra_time(session, candidate.pk, session.created_by, minutes=30, reason="Pedido 12")
