"""A session played again from its setup, its acts and the faults that were asked for: always the same states."""

from collections.abc import Iterator

from rules_engine import play
from rules_engine.errors import EngineError
from training.live_table import planning
from training.live_table.acts import Halt, read
from training.live_table.models import Session


def replayed(session: Session) -> Iterator[tuple[int, play.State]]:
    """The state after each act, with its number; before the first with 0."""
    state, events = play.begin(session.engine_setup)
    waiting = len(events)
    asked: dict[int, list[str]] = {}
    for one in session.injections.all():
        asked.setdefault(one.after, []).append(one.kind)
    state = _with_faults(state, asked.get(0, []))
    yield 0, state
    for act in session.acts.all():
        state, waiting = _after(state, waiting, read(session, act.document))
        state = _with_faults(state, asked.get(act.number, []))
        yield act.number, state


def _with_faults(state: play.State, kinds: list[str]) -> play.State:
    for kind in kinds:
        state = play.inject(state, kind)
    return state


def _after(state: play.State, waiting: int, done: play.Act | Halt) -> tuple[play.State, int]:
    """The state after an act, and how many events wait to be shown then."""
    if isinstance(done, Halt):
        return state, 0
    if isinstance(done, play.Stop):
        state, events = play.act(stopped(state, done), play.Resume())
        return state, max(0, waiting + len(events) - 1)
    if not isinstance(done, play.CarryOn):
        return play.act(state, done)[0], waiting
    if waiting:
        return state, waiting - 1
    rests = planning.ends_coup(state)
    state, events = play.act(state, done)
    return state, len(events) if rests else max(0, len(events) - 1)


def stopped(state: play.State, done: play.Stop) -> play.State:
    """The game stopped with this claim. Answers that cannot be read are no answers, whatever is wrong."""
    try:
        return play.act(state, done)[0]
    except EngineError:
        return play.act(state, play.Stop(done.kind))[0]
