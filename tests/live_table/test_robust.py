"""Nothing is lost or doubled, whatever happens between two acts; and no answer waits for a plan."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules_engine import RULEBOOKS, Rulebook, encode, play
from tests import furnished
from tests.live_table.test_session import BOOKS, CARRY_ON, dealt, opened, send, who
from tests.running import Installation
from training.live_table import planning, services
from training.live_table.models import Act, Session
from training.live_table.replaying import replayed

SCRIPT = """
import json, threading
from django.db import connection
from django.utils import timezone
from rules_engine import play
from tests.factories import PersonFactory
from training.live_table import planning, services
from training.live_table.models import Session
from training.platform.errors import Refused

planning.REST = 0.0
trainee, said = PersonFactory(), []
setup = play.Setup(rulebook="pt-roleta-francesa", seed="s", coups=3, faults=1)
session = services.opened(trainee, setup, length="ten", rung="quiet", pace=0, now=timezone.now())
def at_once(*acts):
    ready = threading.Barrier(len(acts))
    def run(act):
        ready.wait()
        try:
            said.append(str(act()) and "taken")
        except Refused as refusal:
            said.append(refusal.code)
        connection.close()
    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
def act(number, **sent):
    return lambda: services.act(trainee, session.pk, number, sent, timezone.now())

at_once(act(1, type="carry_on"), act(1, type="halt"))
two = sorted(said)
said.clear()
number = Session.objects.get().last_number + 1
if Session.objects.get().halted_at:
    act(number, type="stop")(); number += 1
at_once(*[act(number, type="say", text="Zero")] * 6)
same = sorted(said)
for _each in range(200):
    number += 1
    act(number, type="carry_on")()
    if Session.objects.get().unplanned:
        break
at_once(*[lambda: planning.plan_now(session)] * 4)
found = Session.objects.get()
coups = [one for one in found.pending if one["event"]["what"] == "coup"]
print("SAID" + json.dumps([two, same, found.acts.count() == found.last_number, len(coups), found.unplanned]))
"""


INDEXED = """
import json
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone
from rules_engine import play
from tests.factories import PersonFactory
from training.live_table import planning, services
from training.live_table.models import Act, Session

planning.REST = 0.0
plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
override_settings(ALLOWED_HOSTS=["testserver"], STORAGES=settings.STORAGES | {"staticfiles": plain}).enable()
trainee = PersonFactory()
setup = play.Setup(rulebook="pt-roleta-francesa", seed="s", coups=2, faults=1)
session = services.opened(trainee, setup, length="ten", rung="quiet", pace=0, now=timezone.now())
client = Client()
client.force_login(trainee)
page = f"/practice/table/{session.pk}/"
def send(number, **act):
    sent = {"number": number, "act": act}
    return client.post(page + "act/", json.dumps(sent), content_type="application/json", secure=True)
def debriefed():
    services.leave(trainee, session.pk, timezone.now())
    for path in ("debrief/", "debrief/2/"):
        assert client.get(page + path, secure=True).status_code in (200, 404), path
with CaptureQueriesContext(connection) as asked:
    for number in (1, 2, 3):
        answer = send(number, type="carry_on")
        assert answer.status_code == 200, (answer.status_code, answer.content[:300])
    assert send(3, type="carry_on").status_code == 200  # stored: read again
    client.get(page, secure=True)
    client.get("/practice/table/", secure=True)
    debriefed()
tables = ("live_table_act", "live_table_session", "live_table_injection")
slow, read = [], 0
with connection.cursor() as cursor:
    cursor.execute("SET enable_seqscan = off")
    for one in asked.captured_queries:
        if one["sql"].startswith(("SELECT", "UPDATE")) and any(table in one["sql"] for table in tables):
            cursor.execute("EXPLAIN " + one["sql"].replace("%", "%%"))
            plan = [line for (line,) in cursor.fetchall()]
            read += any("live_table_act" in line for line in plan)
            slow += [line for line in plan if "Seq Scan on live_table" in line]
print("SAID" + json.dumps([slow, read]))
"""


@pytest.mark.services
def test_every_question_about_stored_acts_and_sessions_has_an_index(
    install: Callable[..., Installation], postgres_url: str
) -> None:
    """So that ten million stored acts do not slow a page: PostgreSQL never has to read a whole table."""
    slow, read = furnished.said(install(DATABASE_URL=postgres_url), INDEXED)
    assert slow == []
    assert read > 1


@pytest.mark.services
def test_acts_and_plans_at_the_same_moment_count_once(install: Callable[..., Installation], postgres_url: str) -> None:
    found = furnished.said(install(DATABASE_URL=postgres_url), SCRIPT)
    assert found == [["out_of_turn", "taken"], ["taken"] * 6, True, 1, False]


def boundary(client: Client, session: Session) -> int:
    """The act that ends the first coup, straight to the service: nothing is planned after it."""
    for number in range(session.last_number + 1, 300):
        services.act(who(client), session.pk, number, CARRY_ON, timezone.now())
        session.refresh_from_db()
        if session.unplanned:
            return number
    raise AssertionError("the coup never ended")


@pytest.mark.django_db
@pytest.mark.parametrize("book", BOOKS)
def test_the_act_that_ends_a_coup_plans_nothing_before_its_answer(
    book: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(who(client), book, faults=1)
    monkeypatch.setattr(planning, "REST", 60.0)
    number = boundary(client, session)
    before = session.state
    waiting = send(client, session, number + 1, {"type": "halt"})
    assert (waiting.status_code, waiting.json().keys()) == (425, {"error", "problem"})
    planning.plan_now(session)
    again = send(client, session, number + 1, {"type": "halt"})  # the clock decides, not the plan
    assert (again.status_code, again.content) == (425, waiting.content)
    session.refresh_from_db()
    assert session.state != before
    assert session.last_number == number == Act.objects.count()


@pytest.mark.django_db
def test_planning_is_the_same_work_whatever_the_coup_brings(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    book = RULEBOOKS["pt-roleta-francesa"]
    flow, wishes = play.flow_of(book), list[str]()
    coup = type(flow).coup

    def counted(self: Any, state: play.State, law: Rulebook, draw: Any, wish: str) -> Any:
        wishes.append(wish)
        return coup(self, state, law, draw, wish)

    monkeypatch.setattr(type(flow), "coup", counted)
    given = set()
    for number in range(12):
        state, _ = play.begin(setup_with(f"even {number}"), evenly=True)
        given.add("fault" if state.fault is not None else "told" if any(one.kind for one in state.moments) else "plain")
        assert sorted(wishes) == ["", "chatter", "fault"]
        assert encode(state) == encode(play.begin(setup_with(f"even {number}"))[0])
        wishes.clear()
    assert len(given) == 3
    session = opened(who(client), book.id, coups=2)
    wishes.clear()
    boundary(client, session)
    planning.plan_now(session)
    assert sorted(wishes) == ["", "chatter", "fault"]


def setup_with(seed: str) -> play.Setup:
    return play.Setup(rulebook="pt-roleta-francesa", seed=seed, coups=2, faults=0.4, habits=play.Habits(chatter=0.5))


@pytest.mark.django_db
def test_an_act_sent_again_after_the_coup_was_planned_gets_the_same_answer(client: Client) -> None:
    session = opened(who(client))
    for number in range(1, 300):
        first = send(client, session, number, CARRY_ON)
        session.refresh_from_db()
        if session.rests_until:
            break
    assert not session.unplanned  # planned when the answer had been sent
    assert send(client, session, number, CARRY_ON).content == first.content


@pytest.mark.django_db
def test_a_process_that_dies_before_it_has_planned_loses_nothing(client: Client) -> None:
    session = opened(who(client), coups=3, faults=1)
    number = boundary(client, session)
    assert send(client, session, number + 1, CARRY_ON).status_code == 200
    session = dealt(client, Session.objects.get(pk=session.pk))
    *_earlier, (_number, state) = replayed(session)
    assert encode(state).decode() == session.state
    assert [one["coup"] for one in session.coups] == [1, 2, 3]


@pytest.mark.django_db
def test_leaving_between_two_coups_counts_the_coup_that_is_over(client: Client) -> None:
    session = opened(who(client))
    boundary(client, session)
    left = services.leave(who(client), session.pk, timezone.now())
    assert [one["coup"] for one in left.coups] == [1]
    assert not left.complete


@pytest.mark.django_db
def test_the_first_coup_is_planned_after_the_answer_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "REST", 60.0)
    chosen = {"rulebook": BOOKS[1], "length": "ten", "rung": "busy", "pace": "0"}
    address = client.post(reverse("start_live_table"), chosen)["Location"]
    session = Session.objects.get()
    assert session.state  # planned when the answer had been sent
    assert "data-live" not in client.get(address).content.decode()
    session.rests_until = timezone.now() - timedelta(seconds=1)
    session.state, session.base, session.pending, session.unplanned = "", {}, [], True  # it died before
    session.save()
    assert "data-live" in client.get(address).content.decode()


@pytest.mark.django_db
def test_what_was_left_undone_and_paid_wrongly_is_known_by_coup(client: Client) -> None:
    session = opened(who(client), coups=3)
    for number in range(1, 400):
        if send(client, session, number, CARRY_ON).json()["over"]:
            break
    session.refresh_from_db()
    sums = [sum(one) for one in zip(*(coup["reckoning"] for coup in session.coups), strict=True)]
    assert sums == [session.totals[name] for name in ("missed", "overpaid", "underpaid")]
    assert sums[0] > 0
    coups = client.get(reverse("live_debrief", args=[session.pk])).context["debrief"].coups
    assert [one.undone for one in coups] == [coup["reckoning"][0] for coup in session.coups]
    assert any(one.money.startswith("−") for one in coups) == (sums[2] > 0)
