"""Sessions at the live table: opened, played act by act, and closed. Each act is one transaction under the row's lock.

The server shows one event at a time. What happened but was not shown yet waits in `Session.pending`; only events that
were shown and what they add up to ever leave this package (`view`).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from rules_engine import encode, play
from rules_engine.errors import EngineError
from training.house import tables
from training.house.readings import practised
from training.live_table import ladder, planning, replaying, results
from training.live_table.acts import Halt, checked
from training.live_table.models import Dealing, Session, TableWork
from training.people.models import User
from training.platform import secret_seeds
from training.platform.engine_json import document
from training.platform.errors import Refused

# Longer between two acts, and the dealer was away.
AWAY = 30.0


class OutOfTurn(Refused):
    """The act does not follow the last one: another tab was quicker. Carries the session as it is."""

    status = 409
    code = "out_of_turn"

    def __init__(self, session: Dealing) -> None:
        super().__init__(_("The table has moved on meanwhile: this is how it stands now."))
        self.session = session


class TooSoon(Refused):
    """The cards are being gathered: the same act will be taken in a moment."""

    status = 425
    code = "too_soon"

    def __init__(self) -> None:
        super().__init__(_("The table is being cleared."))


@dataclass(frozen=True)
class Given:
    """What an act gave: the session after it, and the events that became visible with it."""

    session: Dealing
    events: list[play.Event]


@transaction.atomic
def start(
    trainee: User,
    *,
    rulebook: str,
    length: str,
    rung: str,
    pace: int,
    now: datetime,
    work: TableWork | None = None,
    later: bool = False,
) -> Session:
    """Open a session, or return the open one. `work`: the set work it is for. `later`: its first coup is planned
    after the answer (`planning`)."""
    User.objects.select_for_update(no_key=True).get(pk=trainee.pk)
    if under_way := Session.objects.filter(trainee=trainee, ended_at=None).first():
        return under_way
    at = tables.of_trainee(trainee.pk, rulebook)
    seed = secret_seeds.secret_seed()
    plain = play.Setup(rulebook=rulebook, seed=seed, coups=1, table=at[0] if at else None, readings=practised(rulebook))
    setup = msgspec.structs.replace(
        plain,
        coups=ladder.coups_of(play.book_of(plain), length),
        faults=ladder.FAULTS,
        habits=ladder.HABITS[rung],
    )
    pace = ladder.pace_of(rung, pace)
    return opened(trainee, setup, length=length, rung=rung, pace=pace, now=now, work=work, later=later)


def opened(
    trainee: User,
    setup: play.Setup,
    *,
    length: str,
    rung: str,
    pace: int,
    now: datetime,
    work: TableWork | None = None,
    later: bool = False,
) -> Session:
    """A session with this setup, before its first event is shown."""
    session = Session(trainee=trainee, rung=rung, length=length, pace=pace, work=work)
    lay(session, setup, now, later=later)
    session.save(force_insert=True)
    return session


def lay(session: Dealing, setup: play.Setup, now: datetime, *, later: bool = False) -> None:
    """Set up the table of a session that is not stored yet. `later`: its first coup is planned after the answer."""
    session.rulebook, session.setup = setup.rulebook, encode(setup).decode()
    session.started_at = session.last_act_at = now
    planning.rest(session, now)
    if not later:
        planning.plan(session)
        session.rests_until = None


def act(trainee: User, session_id: UUID, number: int, sent: object, now: datetime) -> Given:
    """Carry out an act. One that is stored already is answered with what it gave.

    Raises OutOfTurn if it does not follow the last one, TooSoon between two coups, Unfit if it is no act, Refused if it
    is not the time for it."""
    with transaction.atomic():
        session = Session.objects.select_for_update(no_key=True).get(pk=session_id, trainee=trainee)
        return carry_out(session, number, sent, now)


def carry_out(session: Dealing, number: int, sent: object, now: datetime) -> Given:
    """The same for a session that the caller has locked."""
    if number <= session.last_number:
        return _again(session, number, sent)
    if number != session.last_number + 1 or session.ended_at:
        raise OutOfTurn(session)
    if session.rests_until and now < session.rests_until:
        raise TooSoon
    planning.plan(session)  # it was, unless the process died
    session.rests_until = None
    return _carried_out(session, number, sent, now)


def _again(session: Dealing, number: int, sent: object) -> Given:
    stored = session.acts.filter(number=number).first()
    if stored is None or stored.document != sent:
        raise OutOfTurn(session)
    return Given(session, _events(stored.events))


def _carried_out(session: Dealing, number: int, sent: object, now: datetime) -> Given:
    before = session.shown
    done = checked(session, sent)
    _note_time(session, now)
    try:
        events = _halted(session, now) if isinstance(done, Halt) else _played(session, done, now)
    except EngineError as error:
        raise Refused(_("This cannot be done at the table.")) from error
    begins = any(event.what == "coup" for event in events)
    session.shown = [*([] if begins else before), *_from_coup(events)]
    session.last_number = number
    session.acts.create(
        number=number,
        document=sent,
        received_at=now,
        events=document(events),
        base=session.base if begins else None,
    )
    if any(event.what == "over" for event in events):
        session.close(play.decode_state(session.state), now)
    session.save()
    return Given(session, events)


def _from_coup(events: list[play.Event]) -> list[Any]:
    begun = max((at for at, event in enumerate(events) if event.what == "coup"), default=0)
    found: list[Any] = document(events[begun:])
    return found


def _halted(session: Dealing, now: datetime) -> list[play.Event]:
    """The dealer stops the game. What was on its way is seen first."""
    if session.halted_at:
        raise Refused(_("The game is stopped."))
    session.halted_at = now
    return [*_shown(session, len(session.pending), now), play.Event("stopped")]


def _played(session: Dealing, done: play.Act, now: datetime) -> list[play.Event]:
    if isinstance(done, play.Stop) != bool(session.halted_at):
        raise Refused(_("Stop the game first.") if isinstance(done, play.Stop) else _("The game is stopped."))
    if isinstance(done, play.CarryOn) and session.pending:
        return _shown(session, 1, now)
    state = play.decode_state(session.state)
    if isinstance(done, play.Stop):
        return _ruled(session, state, done, now)
    if isinstance(done, play.CarryOn) and planning.ends_coup(state):
        planning.rest(session, now)
        return []
    before = state
    state, events = play.act(state, done)
    if isinstance(done, play.CarryOn):
        if state.over:
            planning.reckon(session, before, state)
        planning.keep(session, state, events)
        return _shown(session, 1, now)
    session.state = encode(state).decode()
    return list(events)  # the dealer's own act is seen at once


def _ruled(session: Dealing, state: play.State, done: play.Stop, now: datetime) -> list[play.Event]:
    """What the dealer says is wrong, and the game goes on."""
    stopped = replaying.stopped(state, done)
    caught = stopped.stop_at is not None and state.stop_at is None
    if caught and session.seen_at and session.halted_at and session.seen_at < session.halted_at:
        session.reactions[str(state.coup)] = round((session.halted_at - session.seen_at).total_seconds(), 1)
    session.halted_at = None
    resumed, events = play.act(stopped, play.Resume())
    planning.keep(session, resumed, events)
    return _shown(session, 1, now)


def _shown(session: Dealing, count: int, now: datetime) -> list[play.Event]:
    """The next events, from now on visible."""
    events = []
    for one in session.pending[:count]:
        events.append(msgspec.convert(one["event"], play.Event))
        if "base" in one:
            session.base, session.seen_at = one["base"], None
    session.pending = session.pending[count:]
    if not session.pending and session.seen_at is None:
        state = play.decode_state(session.state)
        session.seen_at = now if state.fault is not None and state.fault <= state.at else None
    return events


def _note_time(session: Dealing, now: datetime) -> None:
    """Time at work: not while the game is stopped, and not while the dealer was away."""
    if session.halted_at is None:
        session.seconds += min(AWAY, max(0.0, (now - session.last_act_at).total_seconds()))
    session.last_act_at = now


@transaction.atomic
def leave(trainee: User, session_id: UUID, now: datetime) -> Session:
    """End a session early: the finished coups count."""
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id, trainee=trainee)
    if session.ended_at is None:
        planning.plan(session)
        results.close(session, play.decode_state(session.state), now)
        session.save()
    return session


def _events(stored: list[Any]) -> list[play.Event]:
    return msgspec.convert(stored, list[play.Event])
