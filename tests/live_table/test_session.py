"""A session at the live table: one act at a time, each once, and nothing before its time."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from msgspec import structs

from rules_engine import encode, play
from rules_engine.live.dealers import dutiful
from tests.classes import rooms
from tests.factories import PersonFactory
from training.live_table import services
from training.live_table.models import Act, Session
from training.live_table.replaying import replayed
from training.live_table.view import view
from training.mastery.models import Memory
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
BOOKS = ("pt-roleta-francesa", "pt-chemin-de-fer", "pt-black-jack")
CARRY_ON = {"type": "carry_on"}
MANY = 12  # comparisons


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def opened(trainee: User, book: str = BOOKS[0], *, coups: int = 3, faults: float = 0, seed: str = "s") -> Session:
    setup = play.Setup(rulebook=book, seed=seed, coups=coups, faults=faults)
    return services.opened(trainee, setup, length="ten", rung="quiet", pace=0, now=timezone.now())


def send(client: Client, session: Session, number: int, act: object) -> Any:
    data = json.dumps({"number": number, "act": act})
    return client.post(reverse("live_act", args=[session.pk]), data, content_type="application/json")


def as_sent(done: play.Act, state: play.State) -> dict[str, Any]:
    """An engine act as the page sends it: words as text."""
    if isinstance(done, play.Say):
        book = play.book_of(state.setup)
        duty = next(one for one in state.due if one.words and one.words.formula == done.formula)
        assert duty.words is not None
        return {"type": "say", "text": book.say(duty.words, book.language_of(duty.key))}
    found: dict[str, Any] = json.loads(encode(done))
    return found


def dealt(client: Client, session: Session, *, stops: bool = False, begin: int | None = None) -> Session:
    """The session dealt to its end by somebody who does all that is due and, if so wished, catches every fault."""
    number = session.last_number if begin is None else begin
    while True:
        session.refresh_from_db()
        session.__dict__.pop("engine_setup", None)
        if session.ended_at:
            return session
        number += 1
        state = play.decode_state(session.state)
        act = CARRY_ON if session.pending or session.unplanned else as_sent(dutiful(state), state)
        if stops and session.halted_at:
            act = {"type": "stop", "kind": state.moments[state.fault or 0].kind}
        elif (
            stops
            and not session.pending
            and state.fault is not None
            and state.fault <= state.at
            and state.stop_at is None
        ):
            act = {"type": "halt"}
        answer = send(client, session, number, act)
        assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_dealt_to_its_end_is_the_session_that_its_acts_replay(book: str, client: Client) -> None:
    session = dealt(client, opened(who(client), book, coups=4, faults=0.3))
    *_earlier, (number, state) = replayed(session)
    assert number == session.last_number
    assert encode(state).decode() == session.state
    assert state.over
    assert session.totals["missed"] == 0
    assert session.totals["overpaid"] == session.totals["underpaid"] == 0


def test_an_act_that_is_sent_again_gives_what_it_gave_and_changes_nothing(client: Client) -> None:
    session = opened(who(client))
    first, again = send(client, session, 1, CARRY_ON), send(client, session, 1, CARRY_ON)
    assert first.content == again.content
    assert Act.objects.count() == 1
    send(client, session, 2, CARRY_ON)
    late = send(client, session, 1, CARRY_ON).json()
    assert late["said"] == first.json()["said"]
    assert late["number"] == 3


@pytest.mark.parametrize("number", [3, 9])
def test_an_act_out_of_order_gets_the_table_as_it_is(number: int, client: Client) -> None:
    session = opened(who(client))
    send(client, session, 1, CARRY_ON)
    answer = send(client, session, number, CARRY_ON)
    assert answer.status_code == 409
    assert answer.json()["number"] == 2
    assert answer.json()["error"]
    assert send(client, session, 1, {"type": "halt"}).status_code == 409  # another tab had the number
    assert Act.objects.count() == 1


@pytest.mark.parametrize(
    "act",
    [
        None,
        [],
        {"type": "resume"},
        {"type": "fly"},
        {"type": "say", "text": " "},
        {"type": "say", "formula": "bets_closed"},
        {"type": "do", "key": "seed", "value": "1"},
        {"type": "do", "key": "marker", "value": "red"},
        {"type": "do", "key": "throw", "value": "up"},
        {"type": "give", "key": "marker", "to": "1"},
        {"type": "pay", "payer": "house", "payee": "99", "amount": 10},
        {"type": "pay", "payer": "house", "payee": "house", "amount": 10},
        {"type": "pay", "payer": "house", "payee": "bank", "amount": -1},
        {"type": "say", "text": "Zero\x00"},
        {"type": "halt", "more": "\x00"},
        {"type": "halt", "more": "\ud800"},
        {"type": "halt", "more": float("nan")},
        {"type": "stop", "kind": "", "answers": {"\x00": 1}},
    ],
)
def test_what_is_no_act_of_this_table_is_refused_and_nothing_is_stored(act: object, client: Client) -> None:
    session = opened(who(client))
    answer = send(client, session, 1, act)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert Act.objects.count() == 0


def test_a_claim_must_be_one_of_the_list_and_the_game_must_be_stopped_first(client: Client) -> None:
    session = opened(who(client))
    assert send(client, session, 1, {"type": "stop", "kind": "late_bet"}).status_code == 409
    assert send(client, session, 1, {"type": "halt"}).json()["halted"] is True
    assert send(client, session, 2, {"type": "halt"}).status_code == 409
    assert send(client, session, 2, CARRY_ON).status_code == 409
    assert send(client, session, 2, {"type": "stop", "kind": "no_such"}).status_code == 422
    assert send(client, session, 2, {"type": "stop", "kind": "late_bet"}).json()["halted"] is False


def test_events_come_one_at_a_time(client: Client) -> None:
    session = opened(who(client))
    for number in range(1, 12):
        send(client, session, number, CARRY_ON)
    assert {len(act.events) for act in Act.objects.all()} <= {0, 1}


def test_faults_that_are_caught_named_or_missed_are_counted_and_remembered(client: Client) -> None:
    caught = dealt(client, opened(who(client), faults=1, coups=5), stops=True)
    assert (caught.hits, caught.misses, caught.false_alarms) == (caught.trials.faults, 0, 0)
    assert caught.hits
    assert all(one["named"] for one in caught.coups if one["kind"])
    missed = dealt(client, opened(who(client), faults=1, coups=5, seed="other"))
    assert missed.misses == missed.trials.faults > 0
    assert Memory.objects.filter(trainee=who(client), lapses__gt=0).exists()


def without_fault(session: Session) -> Session:
    """A table that looks the same and at which the same is on its way, but where nothing is wrong or will be."""
    state = play.decode_state(session.state)
    plain = tuple(play.Moment(events=one.events, moves=one.moves, draws=one.draws) for one in state.moments)
    clean = structs.replace(
        state, setup=structs.replace(state.setup, seed="other", faults=0), moments=plain, fault=None, trials=()
    )
    kept = {name: getattr(session, name) for name in ("pending", "shown", "base", "last_number", "halted_at")}
    return Session.objects.create(
        trainee=PersonFactory(),
        rulebook=session.rulebook,
        rung=session.rung,
        length=session.length,
        pace=session.pace,
        setup=encode(clean.setup).decode(),
        state=encode(clean).decode(),
        started_at=session.started_at,
        last_act_at=session.last_act_at,
        **kept,
    )


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("act", [CARRY_ON, {"type": "halt"}, {"type": "say", "text": "Zero"}])
def test_an_act_gives_the_same_bytes_whether_or_not_something_is_wrong(
    book: str, act: dict[str, str], client: Client, signed_in: Callable[..., Client]
) -> None:
    """Two tables with the same events, shown and on their way: the answers do not tell which one has a fault."""
    session = opened(who(client), book, coups=6, faults=1)
    other, compared = Client(), 0
    for number in range(1, 150):
        found = Session.objects.get(pk=session.pk)
        state = play.decode_state(found.state)
        # Going on to the next moment is another matter: what happens then is seen by everybody.
        if state.fault is not None and state.fault <= state.at and (found.pending or act is not CARRY_ON):
            twin = without_fault(found)
            other.force_login(twin.trainee)
            with transaction.atomic():
                faulty = send(client, session, number, act)
                transaction.set_rollback(True)
            clean = send(other, twin, number, act)
            assert faulty.status_code == clean.status_code == 200
            assert faulty.content == clean.content
            compared += 1
        if send(client, session, number, CARRY_ON).json()["over"] or compared == MANY:
            break
    assert compared or (act is CARRY_ON and book != BOOKS[1])


def test_no_page_and_no_answer_holds_the_seed_or_the_plan(client: Client) -> None:
    session = opened(who(client), BOOKS[1], faults=1, seed="verysecretseed")
    page = client.get(reverse("live_table", args=[session.pk])).content.decode()
    answers = [send(client, session, number, CARRY_ON).content.decode() for number in range(1, 25)]
    for text in (page, *answers):
        assert "verysecretseed" not in text
        assert "moments" not in text
        assert '"due"' not in text
    keys = {"number", "coup", "halted", "over", "rest", "said", "table", "log", "piles"}
    assert all(set(json.loads(text)) == keys for text in answers)


def test_the_palette_and_the_list_of_claims_never_follow_the_table(client: Client) -> None:
    def controls(session: Session) -> tuple[object, ...]:
        context = client.get(reverse("live_table", args=[session.pk])).context
        return context["calls"], context["doings"], context["claims"]

    session = opened(who(client), BOOKS[1], faults=1)
    before = controls(session)
    for number in range(1, 30):
        send(client, session, number, CARRY_ON)
    assert controls(session) == before


def test_a_reload_shows_the_table_as_the_last_answer_did(client: Client) -> None:
    session = opened(who(client))
    for number in range(1, 8):
        answer = send(client, session, number, CARRY_ON).json()
    page = client.get(reverse("live_table", args=[session.pk])).content.decode()
    assert answer["table"] in page
    assert answer["log"] in page
    assert 'data-number="8"' in page


def test_an_act_takes_the_same_few_queries_however_long_the_session_is(client: Client) -> None:
    session = opened(who(client), coups=50)

    def queries(number: int) -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert send(client, session, number, CARRY_ON).status_code == 200
        return len(found)

    queries(1)
    early = queries(2)
    for number in range(3, 60):
        send(client, session, number, CARRY_ON)
    assert queries(60) <= early


def test_time_away_and_time_stopped_are_not_time_at_work(client: Client) -> None:
    now = timezone.now()
    session = opened(who(client))
    for number, (act, at) in enumerate(
        [(CARRY_ON, 5), (CARRY_ON, 3600), ({"type": "halt"}, 3604), ({"type": "stop"}, 3700), (CARRY_ON, 3702)], start=1
    ):
        services.act(who(client), session.pk, number, act, now + timedelta(seconds=at))
    session.refresh_from_db()
    assert session.seconds == pytest.approx(5 + services.AWAY + 4 + 2, abs=0.5)


def test_one_may_have_one_table_open_and_leave_it(client: Client) -> None:
    chosen = {"rulebook": BOOKS[0], "length": "ten", "rung": "busy", "pace": "0"}
    client.post(reverse("start_live_table"), chosen)
    client.post(reverse("start_live_table"), chosen | {"rulebook": BOOKS[1]})
    session = Session.objects.get()
    assert (session.rulebook, session.rung) == (BOOKS[0], "busy")
    left = client.post(reverse("leave_live_table", args=[session.pk]))
    assert left["Location"] == reverse("live_debrief", args=[session.pk])
    assert client.get(left["Location"]).status_code == 200
    assert client.get(reverse("live_table", args=[session.pk])).status_code == 302


@pytest.mark.parametrize("wrong", [{"rulebook": "pt-maquinas"}, {"length": "x"}, {"rung": ""}, {"pace": "1"}])
def test_a_table_that_cannot_be_chosen_is_refused(wrong: dict[str, str], client: Client) -> None:
    chosen = {"rulebook": BOOKS[0], "length": "ten", "rung": "busy", "pace": "0"}
    assert client.post(reverse("start_live_table"), chosen | wrong).status_code == 422
    assert not Session.objects.exists()


def test_the_debrief_is_for_the_trainee_and_those_who_teach_them(
    client: Client, signed_in: Callable[..., Client]
) -> None:
    session = dealt(client, opened(who(client), faults=1, coups=3))
    address = reverse("live_debrief", args=[session.pk])
    moment = reverse("live_moment", args=[session.pk, 5])
    teacher, other, hr = signed_in(Role.INSTRUCTOR), signed_in(Role.INSTRUCTOR), signed_in(Role.HR)
    rooms.make_class(who(teacher), who(client))
    everybody = [client, teacher, other, hr, signed_in(Role.TRAINEE)]
    assert [one.get(address).status_code for one in everybody] == [200, 200, 404, 403, 404]
    assert [one.get(moment).status_code for one in everybody] == [200, 200, 404, 403, 404]
    listed = reverse("trainee_live_tables", args=[who(client).pk])
    assert [one.get(listed).status_code for one in everybody] == [403, 200, 404, 403, 403]


def test_sensitivity_is_not_shown_below_twenty_faults(client: Client) -> None:
    session = dealt(client, opened(who(client), faults=1, coups=3))
    address = reverse("live_debrief", args=[session.pk])
    assert client.get(address).context["measured"] is None
    Session.objects.filter(pk=session.pk).update(hits=15, misses=5, false_alarms=2, correct_rejections=80)
    eye, hand, _found = client.get(address).context["measured"]
    assert eye.low < eye.value < eye.high <= 100
    assert hand.leans == "passes"
    Session.objects.filter(pk=session.pk).update(hits=14)
    assert client.get(address).context["measured"] is None


def test_a_missed_fault_is_told_with_its_article(client: Client) -> None:
    session = dealt(client, opened(who(client), faults=1, coups=3))
    told = client.get(reverse("live_debrief", args=[session.pk])).context["debrief"].missed
    assert told
    assert all(one.article for one in told)


def test_calls_may_be_spoken_at_a_table_of_practice(client: Client) -> None:
    page = client.get(reverse("live_table", args=[opened(who(client)).pk])).content.decode()
    assert "data-listen" in page
    assert 'id="voice"' in page


def test_what_was_missed_can_be_practised(client: Client) -> None:
    session = dealt(client, opened(who(client), faults=1, coups=3))
    kind = next(one["kind"] for one in session.coups if one["kind"])
    address = reverse("practise_missed", args=[session.pk])
    drill = client.post(address, {"kind": kind})
    assert drill.status_code == 302
    assert client.get(drill["Location"]).status_code == 200
    assert client.post(address, {"kind": "no_such"}).status_code == 422


def test_an_open_session_has_no_debrief_and_strangers_have_no_table(
    client: Client, signed_in: Callable[..., Client]
) -> None:
    session = opened(who(client))
    assert client.get(reverse("live_debrief", args=[session.pk])).status_code == 404
    stranger = signed_in(Role.TRAINEE)
    assert stranger.get(reverse("live_table", args=[session.pk])).status_code == 404
    assert send(stranger, session, 1, CARRY_ON).status_code == 404
    assert view(session, "pt").number == 1
