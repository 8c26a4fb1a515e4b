"""What instructors do at the live table: watch, ask for a fault, set a table as work, and see what the class misses."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules_engine import encode, play
from tests.classes import rooms
from tests.live_table.test_session import BOOKS, CARRY_ON, dealt, opened, send, who
from training.classes.models import TrainingClass
from training.live_table import services, watching
from training.live_table.missed import missed
from training.live_table.models import Injection, Session, TableWork
from training.live_table.replaying import replayed
from training.people.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher(client: Client, signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.INSTRUCTOR)


@pytest.fixture
def room(client: Client, teacher: Client) -> TrainingClass:
    return rooms.make_class(who(teacher), who(client))


def carry_on_to(client: Client, session: Session, coup: int) -> int:
    """The number of the last act, once this coup is on the table."""
    for number in range(session.last_number + 1, 400):
        if send(client, session, number, CARRY_ON).json()["coup"] >= coup:
            session.refresh_from_db()
            return number
    raise AssertionError("the coup never came")


@pytest.mark.parametrize("kind", ["late_bet", "touched_bet"])
def test_a_fault_that_was_asked_for_comes_and_the_session_replays_byte_for_byte(
    kind: str, client: Client, teacher: Client, room: TrainingClass
) -> None:
    session = opened(who(client), coups=4)
    known = [one for one, _title in watching.faults(session.book, "en")]
    kind = kind if kind in known else known[0]
    carry_on_to(client, session, 2)
    assert teacher.post(reverse("inject_fault", args=[session.pk]), {"kind": kind}).status_code == 302
    asked = Injection.objects.get()
    assert (asked.coup, asked.kind, asked.by) == (3, kind, who(teacher))
    session = dealt(client, Session.objects.get(pk=session.pk))
    assert [one["kind"] for one in session.coups] == ["", "", kind, ""]
    assert session.misses == 1
    *_earlier, (_number, state) = replayed(session)
    assert encode(state).decode() == session.state
    asked.delete()
    *_earlier, (_number, state) = replayed(Session.objects.get(pk=session.pk))
    assert encode(state).decode() != session.state


def test_the_trainee_cannot_tell_that_a_fault_was_asked_for(
    client: Client, teacher: Client, room: TrainingClass
) -> None:
    session = opened(who(client), coups=4)
    carry_on_to(client, session, 2)
    before = client.get(reverse("live_table", args=[session.pk])).content
    number = session.last_number
    kind = watching.faults(session.book, "en")[0][0]
    teacher.post(reverse("inject_fault", args=[session.pk]), {"kind": kind})
    after = client.get(reverse("live_table", args=[session.pk])).content

    def plain(page: bytes) -> str:
        return re.sub(r"[A-Za-z0-9]{64}", "", page.decode())  # tokens against forged requests

    assert plain(before) == plain(after)
    assert send(client, session, number + 1, CARRY_ON).json()["number"] == number + 2


def test_a_fault_asked_for_between_two_coups_comes_in_the_coup_after_the_next(
    client: Client, teacher: Client, room: TrainingClass
) -> None:
    """The next one counts as dealt, so the log has one meaning only."""
    session = opened(who(client), coups=4)
    for number in range(1, 200):  # straight to the services: nothing is planned after an answer
        services.act(who(client), session.pk, number, CARRY_ON, timezone.now())
        session.refresh_from_db()
        if session.unplanned:
            break
    assert session.unplanned
    kind = watching.faults(session.book, "en")[0][0]
    teacher.post(reverse("inject_fault", args=[session.pk]), {"kind": kind})
    assert Injection.objects.get().coup == 3
    session = dealt(client, Session.objects.get(pk=session.pk), begin=session.last_number)
    *_earlier, (_number, state) = replayed(session)
    assert encode(state).decode() == session.state


def test_only_a_fault_of_the_table_can_be_asked_for_and_none_after_the_last_coup(
    client: Client, teacher: Client, room: TrainingClass
) -> None:
    session = opened(who(client), coups=1)
    address = reverse("inject_fault", args=[session.pk])
    kind = watching.faults(session.book, "en")[0][0]
    last = teacher.post(address, {"kind": kind})
    assert last.status_code == 409
    assert last.context["given"] == kind
    services.leave(who(client), session.pk, timezone.now())
    session = opened(who(client), coups=3)
    assert teacher.post(reverse("inject_fault", args=[session.pk]), {"kind": "coup_over"}).status_code == 422
    assert not Injection.objects.exists()


@pytest.mark.parametrize("book", BOOKS)
def test_whoever_watches_sees_what_is_due_and_wrong_at_every_moment(
    book: str, client: Client, teacher: Client, room: TrainingClass
) -> None:
    session = opened(who(client), book, coups=2, faults=1)
    address = reverse("watch_live_table", args=[session.pk])
    standings, due = set(), 0
    for number in range(1, 300):
        behind = teacher.get(address, headers={"HX-Request": "true"}).context["behind"]
        standings.add(behind.wrong.standing if behind.wrong else "")
        due += len(behind.due)
        assert all(one.words and one.cited for one in behind.due)
        if send(client, session, number, CARRY_ON).json()["over"]:
            break
    assert due
    assert standings & {"open", "late"}
    assert teacher.get(address).status_code == 302  # to the debrief
    assert b"hx-get" not in teacher.get(address, headers={"HX-Request": "true"}).content


def test_nobody_else_watches_asks_or_sets(
    client: Client, teacher: Client, room: TrainingClass, signed_in: Callable[..., Client]
) -> None:
    session = opened(who(client), coups=3)
    work = TableWork.objects.create(
        training_class=room, rulebook=BOOKS[0], rung="busy", length="ten", due_at=timezone.now()
    )
    stranger, hr, other = signed_in(Role.INSTRUCTOR), signed_in(Role.HR), signed_in(Role.TRAINEE)
    rooms.make_class(who(stranger))
    for name, args in (("watch_live_table", [session.pk]), ("class_live_tables", [room.pk])):
        address = reverse(name, args=args)
        assert [one.get(address).status_code for one in (teacher, stranger, hr, client)] == [200, 404, 403, 403]
    for name, args in (("inject_fault", [session.pk]), ("withdraw_live_table", [room.pk, work.pk])):
        address = reverse(name, args=args)
        assert [one.post(address).status_code for one in (stranger, hr, client)] == [404, 403, 403]
    assert other.post(reverse("start_set_table", args=[work.pk])).status_code == 404
    room.closed_at = timezone.now()
    room.save()
    assert teacher.get(reverse("watch_live_table", args=[session.pk])).status_code == 404


def test_a_table_is_set_dealt_and_ticked_off(client: Client, teacher: Client, room: TrainingClass) -> None:
    room.rulebooks = [BOOKS[0]]
    room.save()
    chosen = {"rulebook": BOOKS[0], "rung": "busy", "length": "ten", "due": timezone.localdate() + timedelta(days=3)}
    address = reverse("set_live_table", args=[room.pk])
    for wrong in ({"rulebook": BOOKS[1]}, {"rung": "x"}, {"length": ""}, {"due": "2020-01-01"}):
        assert teacher.post(address, chosen | wrong).status_code == 422
    assert teacher.post(address, chosen).status_code == 302
    work = TableWork.objects.get()
    for name in ("home", "assigned", "live_tables"):
        assert reverse("start_set_table", args=[work.pk]) in client.get(reverse(name)).content.decode()
    client.post(reverse("start_set_table", args=[work.pk]))
    session = Session.objects.get()
    assert (session.work, session.rulebook, session.rung) == (work, BOOKS[0], "busy")
    services.leave(who(client), session.pk, timezone.now())
    page = reverse("class_live_tables", args=[room.pk])
    [one] = teacher.get(page).context["set_tables"]
    assert (one.done, one.left) == ([], [who(client)])  # left early
    client.post(reverse("start_set_table", args=[work.pk]))
    dealt(client, Session.objects.get(ended_at=None))
    [one] = teacher.get(page).context["set_tables"]
    assert [trainee for trainee, _session in one.done] == [who(client)]
    assert reverse("start_set_table", args=[work.pk]) not in client.get(reverse("home")).content.decode()
    teacher.post(reverse("withdraw_live_table", args=[room.pk, work.pk]))
    assert Session.objects.filter(complete=True, work=None).exists()


def test_the_faults_a_class_misses_are_counted_by_kind_weakest_first(
    client: Client, teacher: Client, room: TrainingClass
) -> None:
    now = timezone.now()

    def coup(kind: str, outcome: str) -> dict[str, object]:
        return {"kind": kind, "outcome": outcome, "cite": "67 d" if kind else ""}

    kinds = [kind for kind, _title in watching.faults(opened(who(client), BOOKS[1]).book, "en")][:2]
    coups = [coup(kinds[0], "hit"), coup(kinds[0], "miss"), coup(kinds[1], "miss"), coup("", "false_alarm")]
    Session.objects.update(ended_at=now, coups=coups)
    room.rulebooks = [BOOKS[1]]
    room.save()
    found = missed(room, now, "en")
    assert [(one.met, one.missed, one.percent) for one in found] == [(1, 1, 100), (2, 1, 50)]
    assert all("67" in one.cited for one in found)
    assert missed(room, now + timedelta(days=91), "en") == []


def test_a_class_page_takes_the_same_queries_for_many_tables(
    client: Client, teacher: Client, room: TrainingClass, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for _number in range(6):
        TableWork.objects.create(
            training_class=room, rulebook=BOOKS[0], rung="busy", length="ten", due_at=timezone.now()
        )
        services.leave(who(client), opened(who(client)).pk, timezone.now())
    with django_assert_max_num_queries(20):  # type: ignore[attr-defined]
        assert teacher.get(reverse("class_live_tables", args=[room.pk])).status_code == 200


def test_the_engine_knows_a_fault_that_is_wanted() -> None:
    state, _events = play.begin(play.Setup(rulebook=BOOKS[0], seed="s", coups=2, faults=0))
    kind = play.flow_of(play.book_of(state.setup)).incidents.known(play.book_of(state.setup))[0]
    assert play.inject(state, kind).wanted == kind
