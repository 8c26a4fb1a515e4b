"""The invigilator: who may watch, what is seen, and what may be done until the end and not after it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from exams.audit.models import Entry
from exams.invigilation import acts, alerts, live
from exams.records.models import Candidate, Event, Session, Sitting
from exams.sittings import sitting
from exams.sittings.events import BrowserEvent
from exams.sittings.sitting import CODE_TRIES, Change
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
WHY = "Alarme de incêndio às 10h20."


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def session() -> Session:
    session = making.make_session()
    session.invigilators.add(PersonFactory(roles=[Role.INSTRUCTOR], name="Vigilante"))
    return session


@pytest.fixture
def watcher(session: Session) -> User:
    return session.invigilators.get()


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def begun(session: Session, now: datetime, **changes: Any) -> Sitting:
    return sitting.begin(making.enter(session, **changes), "SABOT-7", device="one", now=now)


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def address(session: Session, more: object = "") -> str:
    return f"/exams/sessions/{session.pk}/live/{more}"


# ---------- who ----------


def test_only_invigilators_and_who_set_it_up_may_watch(session: Session, watcher: User) -> None:
    assert acts.may_invigilate(watcher, session)
    assert acts.may_invigilate(session.created_by, session)
    for role in (Role.INSTRUCTOR, Role.ADMINISTRATOR, Role.HR):
        stranger = PersonFactory(roles=[role])
        assert not acts.may_invigilate(stranger, session)
        assert browser_of(stranger).get(address(session)).status_code == 404
    assert browser_of(watcher).get(address(session)).status_code == 200


def test_nobody_watches_a_session_they_sit_in(session: Session, now: datetime) -> None:
    both = PersonFactory(roles=[Role.INSTRUCTOR, Role.TRAINEE])
    session.invigilators.add(both)
    own = begun(session, now, person=both)
    assert browser_of(both).get(address(session)).status_code == 403  # as all else while the exam is open
    with pytest.raises(Refused, match=r"Só os vigilantes desta sessão o podem fazer\."):
        acts.add_time(session, 10, WHY, by=both, now=now)
    with pytest.raises(Refused, match=r"Só os vigilantes desta sessão o podem fazer\."):
        acts.note_incident(own, "Nada", by=both, now=now)
    with pytest.raises(Refused, match=r"Só os vigilantes desta sessão o podem fazer\."):
        acts.let_try_again(own.candidate, by=both)
    making.close(own)
    assert browser_of(both).get(address(session)).status_code == 404


@pytest.mark.parametrize("role", [Role.INSTRUCTOR, Role.ADMINISTRATOR])
def test_a_stranger_does_nothing(session: Session, now: datetime, role: Role) -> None:
    stranger, found = PersonFactory(roles=[role]), begun(session, now)
    for act in (
        lambda: acts.add_time(session, 10, WHY, by=stranger, now=now),
        lambda: acts.note_incident(found, "Nada", by=stranger, now=now),
        lambda: acts.close_sitting(found, "Nada", by=stranger, now=now),
        lambda: acts.let_try_again(found.candidate, by=stranger),
    ):
        with pytest.raises(Refused, match="Only the invigilators"):
            act()


# ---------- what is seen ----------


def test_the_room_at_a_glance(session: Session, now: datetime) -> None:
    working = begun(session, now, person=PersonFactory(name="A trabalhar"))
    sitting.save_answer(working, 2, Change({"announcement": "Sete"}, sequence=1), device="one", now=now + SECOND)
    sitting.save_answer(working, 3, Change({}, sequence=1), device="one", now=now + SECOND)
    done = begun(session, now, person=PersonFactory(name="Ja acabou"))
    sitting.hand_in(done, device="one", now=now + SECOND)
    making.enter(session, PersonFactory(name="Por comecar"))
    locked = making.enter(session, PersonFactory(name="Sem codigo"))
    Candidate.objects.filter(pk=locked.pk).update(wrong_codes=CODE_TRIES)
    rows = live.rows(session, now + timedelta(seconds=31))
    assert [(row.candidate.person.name, row.state) for row in rows] == [
        ("A trabalhar", "working"),
        ("Ja acabou", "closed"),
        ("Por comecar", "waiting"),
        ("Sem codigo", "locked"),
    ]
    first = rows[0]
    assert (first.answered, first.items, first.sitting and first.sitting.position) == (1, 5, 3)
    assert (first.left, first.log.newest) == ("29:29", ("began", now))


def test_one_whose_time_is_over_is_closed_for_the_room_too(session: Session, now: datetime) -> None:
    found = begun(session, now)
    assert live.rows(session, found.deadline_at - SECOND)[0].state == "working"
    assert live.rows(session, found.deadline_at)[0].state == "closed"


def test_no_answer_is_shown(session: Session, watcher: User, now: datetime) -> None:
    found = begun(session, now)
    sitting.save_answer(found, 1, Change({"announcement": "Palavras secretas"}, sequence=1), device="one", now=now)
    client = browser_of(watcher)
    for page in (address(session), address(session, f"{found.pk}/")):
        body = client.get(page).content.decode()
        assert found.candidate.person.name in body
        assert "secretas" not in body


def test_the_view_costs_the_same_with_many(
    session: Session, watcher: User, now: datetime, django_assert_max_num_queries: Any
) -> None:
    client = browser_of(watcher)
    counts = []
    for _size in range(2):
        for _candidate in range(4):
            begun(session, now)
        with django_assert_max_num_queries(12) as queries:
            response = client.get(address(session), headers={"HX-Request": "true"})
        assert "<html" not in response.content.decode()
        counts.append(len(queries))
    assert counts[0] == counts[1]


# ---------- who needs somebody ----------


def told(session: Session, at: datetime) -> list[tuple[str, list[str]]]:
    rows = live.pressing(live.rows(session, at))
    return [(row.candidate.person.name, [alert.text for alert in row.alerts]) for row in rows]


def test_the_room_is_told_who_needs_somebody_and_why_the_most_pressing_first(
    session: Session, watcher: User, now: datetime
) -> None:
    calm, left, moving, closed = (
        begun(session, now, person=PersonFactory(name=name)) for name in ("Ana", "Bia", "Cid", "Davi")
    )
    for one in (calm, moving, closed):
        acts.check_identity(one, name=one.name, by=watcher, now=now)
    sitting.pulse(left, [BrowserEvent("blurred", 2)], device="one", now=now + 5 * SECOND)
    with pytest.raises(sitting.Elsewhere):
        sitting.arrive(moving, 1, device="two", now=now + 6 * SECOND)
    sitting.hand_in(closed, device="one", now=now + 6 * SECOND)
    locked = making.enter(session, PersonFactory(name="Zeca"))
    Candidate.objects.filter(pk=locked.pk).update(wrong_codes=CODE_TRIES)
    shown = told(session, now + 10 * SECOND)
    assert [name for name, _reasons in shown] == ["Zeca", "Cid", "Bia"]
    assert shown[0][1] == ["Too many wrong codes: allow the code again."]
    assert "release the exam, or give the code" in shown[1][1][0]
    assert [text[:13] for text in shown[2][1]] == ["Left the page", "The identity "]
    sitting.pulse(left, [BrowserEvent("focused", 0)], device="one", now=now + 11 * SECOND)
    assert told(session, now + 12 * SECOND)[-1] == ("Bia", ["The identity has not been checked yet."])
    page = browser_of(watcher).get(address(session)).content.decode()
    assert page.index("Quem precisa de si") < page.index("<table")


def test_somebody_without_a_sign_is_told_after_a_minute_and_not_before(
    session: Session, watcher: User, now: datetime
) -> None:
    found = begun(session, now)
    acts.check_identity(found, name=found.name, by=watcher, now=now)
    assert told(session, now + alerts.QUIET) == []
    [(_name, [why])] = told(session, now + alerts.QUIET + SECOND)
    assert why.startswith("No sign of life since")
    assert told(session, found.deadline_at) == []  # over is over


def test_another_browser_is_told_for_ten_minutes(session: Session, watcher: User, now: datetime) -> None:
    found = begun(session, now)
    acts.check_identity(found, name=found.name, by=watcher, now=now)
    sitting.take_over(found, "SABOT-7", device="two", now=now)
    for at, said in ((now, True), (now + alerts.FRESH, True), (now + alerts.FRESH + SECOND, False)):
        Sitting.objects.update(last_seen_at=at)
        assert bool(told(session, at)) is said


# ---------- what is done ----------


def test_the_invigilator_releases_a_sitting_for_another_browser(session: Session, watcher: User, now: datetime) -> None:
    found = begun(session, now)
    acts.release(found, by=watcher, now=now)
    with pytest.raises(sitting.Elsewhere):  # the browser that had it is told at once
        sitting.save_answer(found, 1, Change({"announcement": "Sete"}, sequence=1), device="one", now=now + SECOND)
    sitting.arrive(found, 1, device="two", now=now + SECOND)
    with pytest.raises(sitting.Elsewhere):
        sitting.arrive(found, 1, device="one", now=now + 2 * SECOND)
    kinds = list(found.events.values_list("kind", flat=True))
    assert kinds == ["started", "released", "device", "asked"]
    assert Entry.objects.get(act="sitting.released").actor == watcher
    with pytest.raises(Refused, match=r"The sitting has been closed\."):
        acts.release(found, by=watcher, now=found.deadline_at)
    with pytest.raises(Refused, match="Only the invigilators"):
        acts.release(found, by=PersonFactory(roles=[Role.ADMINISTRATOR]), now=now)


def test_more_time_needs_a_reason(session: Session, watcher: User, now: datetime) -> None:
    begun(session, now)
    with pytest.raises(Refused, match=r"Say why you are giving more time\."):
        acts.add_time(session, 5, "  ", by=watcher, now=now)


def test_time_is_added_until_the_last_second_and_not_at_the_end(session: Session, watcher: User, now: datetime) -> None:
    found = begun(session, now)
    end = found.deadline_at
    acts.add_time(session, 5, WHY, by=watcher, now=end - SECOND)
    found.refresh_from_db()
    assert found.deadline_at == end + timedelta(minutes=5)
    with pytest.raises(Refused, match="before the end"):
        acts.add_time(session, 5, WHY, by=watcher, now=found.deadline_at)
    event = found.events.get(kind=Event.Kind.TIME_ADDED)
    assert (event.minutes, event.by, event.text) == (5, watcher, WHY)
    entry = Entry.objects.get(act="sitting.time_added")
    assert (entry.actor, entry.details) == (watcher, {"minutes": 5, "reason": WHY, "sittings": [str(found.pk)]})


def test_time_for_one_is_not_time_for_all(session: Session, watcher: User, now: datetime) -> None:
    one, other, done = (begun(session, now) for _ in range(3))
    stranger = begun(making.make_session(), now)
    sitting.hand_in(done, device="one", now=now)
    given = acts.add_time(session, 3, WHY, by=watcher, now=now, only=[one.pk, done.pk, stranger.pk])
    assert [found.pk for found in given] == [one.pk]
    assert len(acts.add_time(session, 3, WHY, by=watcher, now=now)) == 2
    ends = {found.pk: found.deadline_at for found in Sitting.objects.all()}
    assert ends[one.pk] == now + timedelta(minutes=36)
    assert ends[other.pk] == now + timedelta(minutes=33)
    assert ends[done.pk] == ends[stranger.pk] == now + timedelta(minutes=30)


@pytest.mark.parametrize(("minutes", "fine"), [(0, False), (1, True), (240, True), (241, False)])
def test_how_much_time(session: Session, watcher: User, now: datetime, minutes: int, fine: bool) -> None:
    begun(session, now)
    if fine:
        assert acts.add_time(session, minutes, WHY, by=watcher, now=now)
    else:
        with pytest.raises(Refused, match=r"Give from 1 to 240 minutes\."):
            acts.add_time(session, minutes, WHY, by=watcher, now=now)


def test_closing_needs_a_reason_and_is_on_record(session: Session, watcher: User, now: datetime) -> None:
    found = begun(session, now)
    with pytest.raises(Refused, match=r"Say why you are closing it\."):
        acts.close_sitting(found, "  ", by=watcher, now=now)
    closed = acts.close_sitting(found, "Saiu da sala.", by=watcher, now=now + SECOND)
    assert (closed.closed_at, closed.closed_by) == (now + SECOND, "invigilator")
    event = found.events.get(kind=Event.Kind.CLOSED)
    assert (event.text, event.by) == ("Saiu da sala.", watcher)
    entry = Entry.objects.get(act="sitting.closed")
    assert (entry.actor, entry.details["by"], entry.details["reason"]) == (watcher, "invigilator", "Saiu da sala.")


def test_closing_after_the_end_was_the_time(session: Session, watcher: User, now: datetime) -> None:
    found = begun(session, now)
    closed = acts.close_sitting(found, "Tarde.", by=watcher, now=found.deadline_at)
    assert (closed.closed_at, closed.closed_by) == (found.deadline_at, "time")
    assert Entry.objects.get(act="sitting.closed").actor is None


def test_the_pages_do_what_they_say(session: Session, watcher: User, now: datetime) -> None:
    found, client = begun(session, now), browser_of(watcher)
    end = found.deadline_at
    assert client.post(address(session, "time/"), {"minutes": "2", "reason": WHY}).status_code == 302
    one = address(session, f"{found.pk}/")
    assert client.post(one + "act/", {"act": "time", "minutes": "3", "reason": "Só este."}).status_code == 302
    assert client.post(one + "act/", {"act": "note", "text": "Tosse."}).status_code == 302
    found.refresh_from_db()
    assert found.deadline_at == end + timedelta(minutes=5)
    page = client.get(one).content.decode()
    assert "Tosse." in page
    for data in (
        {},
        {"act": "x"},
        {"act": "time", "minutes": "x", "reason": WHY},
        {"act": "time", "minutes": "5", "reason": " "},
        {"act": "note"},
        {"act": "close", "reason": " "},
    ):
        assert client.post(one + "act/", data).status_code == 422, data
    kept = client.post(one + "act/", {"act": "time", "minutes": "999", "reason": "Porque sim."}).content.decode()
    assert 'value="999"' in kept
    assert kept.count('value="Porque sim."') == 1  # in the form that was sent, not in the one that closes
    for data in ({"minutes": "x", "reason": WHY}, {"minutes": "5", "reason": ""}):
        assert client.post(address(session, "time/"), data).status_code == 422
    assert client.post(one + "act/", {"act": "close", "reason": "Fim."}).status_code == 302
    found.refresh_from_db()
    assert found.closed_by == "invigilator"
    assert client.post(one + "act/", {"act": "time", "minutes": "3", "reason": WHY}).status_code == 422
    assert client.post(one + "act/", {"act": "release"}).status_code == 422


@pytest.mark.parametrize(
    ("act", "before", "after"),
    [
        ("time", "time-heading", "release-heading"),
        ("note", "note-heading", "events-heading"),
        ("close", "close-heading", ""),
    ],
)
def test_what_is_wrong_stands_in_the_form_it_is_about(
    session: Session, watcher: User, now: datetime, act: str, before: str, after: str
) -> None:
    found, client = begun(session, now), browser_of(watcher)
    one = address(session, f"{found.pk}/act/")
    page = client.post(one, {"act": act}).content.decode()
    assert page.count('id="act-error"') == 1
    part = page.partition(f'id="{before}"')[2]
    assert 'id="act-error"' in (part.partition(f'id="{after}"')[0] if after else part)
    client.post(one, {"act": "close", "reason": "Fim."})
    late = client.post(one, {"act": act}).content.decode()
    assert late.count('id="act-error"') == 1, "also where its form is gone"


def test_somebody_who_mistyped_too_often_may_try_again(session: Session, watcher: User, now: datetime) -> None:
    candidate = making.enter(session)
    Candidate.objects.filter(pk=candidate.pk).update(wrong_codes=CODE_TRIES)
    client = browser_of(watcher)
    again = address(session, f"codes/{candidate.pk}/")
    assert again in client.get(address(session)).content.decode()
    assert client.post(again).status_code == 302
    assert sitting.begin(candidate, "SABOT-7", device="one", now=now)
    assert Entry.objects.filter(act="candidate.codes_forgotten", actor=watcher).count() == 1
    elsewhere = making.enter(making.make_session())
    assert client.post(address(session, f"codes/{elsewhere.pk}/")).status_code == 404


def test_a_sitting_of_another_session_is_not_found(session: Session, watcher: User, now: datetime) -> None:
    other = begun(making.make_session(), now)
    client = browser_of(watcher)
    assert client.get(address(session, f"{other.pk}/")).status_code == 404
    assert client.post(address(session, f"{other.pk}/act/"), {"act": "close", "reason": "x"}).status_code == 404
