"""Planning the next coup, after the answer to the act that ended the last one.

A coup with an incident takes longer to plan than one without, so no answer may wait for a plan: its time would reveal
the incident. The act that ends a coup is answered at once and leaves the session `unplanned`. `after_answer` plans the
coup when the answer has been sent. Until `rests_until` every further act is refused by the clock alone, in the same
time whatever is being planned, and the browser sends it again. Nothing sleeps.

Even the work after the answer is the same: a coup with a fault, one with chatter and a plain one are planned each
time, and two of them thrown away. So the time that the next request on the same connection waits for the process
reveals nothing either.

If the process dies before it has planned, the next act plans the coup first.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.http import HttpResponse

from rules_engine import encode, play
from training.live_table.models import Dealing
from training.platform.engine_json import document

# Seconds between the end of a coup and the first event of the next. Hardly any coup takes as long to plan.
REST = 1.0


def ends_coup(state: play.State) -> bool:
    """Whether the game goes on with another coup."""
    return state.at + 1 >= len(state.moments) and state.coup < state.setup.coups


def rest(session: Dealing, now: datetime) -> None:
    """The coup is over; the next one is planned after the answer."""
    session.unplanned = True
    session.rests_until = now + timedelta(seconds=REST)


def plan(session: Dealing) -> None:
    """Plan the coup that is still to be planned. The caller saves the session."""
    if not session.unplanned:
        return
    if session.state:
        ending = play.decode_state(session.state)
        state, events = play.act(ending, play.CarryOn(), evenly=True)
        reckon(session, ending, state)
    else:
        state, events = play.begin(session.engine_setup, evenly=True)
        session.base = play.seen(state)
    keep(session, state, events)
    session.unplanned = False


def keep(session: Dealing, state: play.State, events: tuple[play.Event, ...]) -> None:
    """Store a state; its events wait to be shown. Where a coup begins, what everybody sees then waits with it."""
    session.state = encode(state).decode()
    waiting = [{"event": document(event)} for event in events]
    for one, event in zip(waiting, events, strict=True):
        if event.what == "coup":
            one["base"] = play.seen(state)
    session.pending = [*session.pending, *waiting]


def reckon(session: Dealing, ending: play.State, after: play.State) -> None:
    """Note what was left undone, overpaid and underpaid in the coup that has just ended."""
    before = [sum(column) for column in zip(*session.reckoning.values(), strict=True)] or [0, 0, 0]
    totals = (after.totals.missed, after.totals.overpaid, after.totals.underpaid)
    session.reckoning[str(ending.coup)] = [total - old for total, old in zip(totals, before, strict=True)]


def plan_now(session: Dealing) -> None:
    """Plan outside any lock, then store the plan, unless somebody else was quicker."""
    waiting = type(session)._default_manager.filter(pk=session.pk, unplanned=True, ended_at=None)
    found = waiting.first()
    if found is None:
        return
    plan(found)
    names = ("state", "pending", "base", "reckoning", "unplanned")
    with transaction.atomic():
        waiting.filter(last_number=found.last_number).update(**{name: getattr(found, name) for name in names})


def after_answer(response: HttpResponse, session: Dealing) -> HttpResponse:
    """Plan the next coup of the session, if one is to be planned, when this answer has been sent."""
    if session.unplanned:
        closers: list[Callable[[], None]] = response._resource_closers  # type: ignore[attr-defined]
        closers.append(lambda: plan_now(session))
    return response
