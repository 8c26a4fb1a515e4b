"""The live table: `begin` opens a session, `act` answers one act of the dealer with the next state and what happened.

Pure: the same setup and acts always give the same states and events, byte for byte. There is no clock; the game goes on
when the dealer acts. `visible` is all that a browser may be told.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import structs

from rules_engine.detection import detection
from rules_engine.draw import Draw
from rules_engine.errors import EngineError
from rules_engine.game import Game, rulebook
from rules_engine.live import duties, ledger, planning, stopping
from rules_engine.live.claims import ClaimQuestion, questions_about, questions_asked
from rules_engine.live.dealers import dutiful
from rules_engine.live.duties import payments_kept
from rules_engine.live.flow import Flow
from rules_engine.live.model import (
    Act,
    CarryOn,
    Do,
    Duty,
    Event,
    Give,
    Habits,
    Moment,
    Pay,
    Planned,
    Resume,
    Say,
    Setup,
    State,
    Stop,
    Totals,
    Trial,
    trials_of,
)
from rules_engine.live.scene import DealerAct, Scene, Stack
from rules_engine.misfits import misfit
from rules_engine.rulebook import Rulebook
from rules_engine.scenario import encode

__all__ = [
    "Act",
    "CarryOn",
    "ClaimQuestion",
    "DealerAct",
    "Do",
    "Duty",
    "Event",
    "Give",
    "Habits",
    "Moment",
    "Pay",
    "Planned",
    "Resume",
    "Say",
    "Scene",
    "Setup",
    "Stack",
    "State",
    "Stop",
    "Totals",
    "Trial",
    "act",
    "begin",
    "book_of",
    "claims",
    "decode_act",
    "decode_setup",
    "decode_state",
    "drawable",
    "flow_of",
    "inject",
    "lines",
    "payments_kept",
    "playable",
    "questions_about",
    "questions_asked",
    "replay",
    "scene",
    "seen",
    "trials_of",
    "visible",
]

Step = tuple[State, tuple[Event, ...]]


def playable(game: Game[Any]) -> bool:
    """Whether a game can be played at the live table."""
    return game.flow is not None


def drawable(game: Game[Any]) -> bool:
    """Whether a running table of a game can be drawn from what everybody has seen (`scene`)."""
    return getattr(game.flow, "scene", None) is not None


def flow_of(book: Rulebook) -> Flow:
    """How the coups of a rulebook run. Raises EngineError if its game cannot be played at the live table."""
    flow: Flow | None = book.game.flow
    if flow is None:
        raise EngineError("{book:rulebook} cannot be played at the live table", fact="rulebook", book=book.id)
    return flow


def book_of(setup: Setup) -> Rulebook:
    """The regulation of a session, at its table: the chosen one or the first of the usual ones."""
    book = rulebook(setup.rulebook).under(setup.readings)
    return book.at(setup.table or book.table)


def begin(setup: Setup, *, evenly: bool = False) -> Step:
    """A session at its first moment. `evenly`: see `act`."""
    book = book_of(setup)
    opening = flow_of(book).opening(setup, book, Draw(setup.rulebook, setup.seed, "opening"))
    state = State(setup=setup, table=opening.table, shoe=opening.shoe)
    state = ledger.move(state, opening.moves)
    return _counted(*_next_coup(state, book, evenly=evenly))


def act(state: State, done: Act, *, evenly: bool = False) -> Step:
    """The state after an act of the dealer, and what everybody saw of it. `evenly`: if a coup is planned, it takes as
    long whatever it brings. Raises EngineError if it is not the time for such an act."""
    if state.over:
        raise EngineError("the session is over", fact="act")
    if state.stopped and not isinstance(done, Resume):
        raise EngineError("the game is stopped", fact="act")
    if isinstance(done, Resume) and not state.stopped:
        raise EngineError("the game is not stopped", fact="act")
    book = book_of(state.setup)
    state = structs.replace(state, totals=structs.replace(state.totals, acts=state.totals.acts + 1))
    if isinstance(done, CarryOn):
        return _counted(*_advance(*_leave(state), book, evenly=evenly))
    if isinstance(done, Stop):
        return _counted(stopping.stop(state, book, done), (Event("stopped"),))
    if isinstance(done, Resume):
        return _counted(*_resume(state, book))
    return _counted(*duties.perform(_where_due(state, done, book), done, book))


def _where_due(state: State, done: Act, book: Rulebook) -> State:
    """The moment that an act belongs to. Where all is done and nothing is seen to happen before the next duties, the
    dealer goes on to them without waiting."""
    reached = state
    while not duties.belongs(reached, done, book):
        silent = reached.at + 1 < len(reached.moments) and reached.moments[reached.at + 1].silent
        if not silent or not duties.all_done(reached):
            return state
        reached, _ = _leave(reached)
        reached, _ = _reach(structs.replace(reached, at=reached.at + 1))
    return reached


def replay(setup: Setup, acts: Iterable[Act]) -> Iterator[Step]:
    """Every state of a session and what was seen on reaching it."""
    step = begin(setup)
    yield step
    for done in acts:
        step = act(step[0], done)
        yield step


def lines(setup: Setup, acts: Iterator[Act] | None = None) -> Iterator[bytes]:
    """A session as JSON lines: what is seen, what is due, and at the end the trials and totals. Without acts, a dealer
    plays who does everything that is due and never stops the game. Duties and trials are not for the trainee's eyes."""
    state, events = begin(setup)
    while True:
        yield from (encode({"event": event}) for event in events)
        if state.over:
            break
        yield from (encode({"duty": duty}) for duty in (() if state.stopped else state.due))
        done = dutiful(state) if acts is None else next(acts, None)
        if done is None:
            break
        state, events = act(state, done)
    yield from (encode({"trial": trial}) for trial in state.trials)
    trials = trials_of(state)
    yield encode({"totals": {"totals": state.totals, "trials": trials, "detection": detection(trials)}})


def decode_act(document: bytes | str) -> Act:
    """An act from JSON, such as `{"type": "carry_on"}`. Raises an error that says what is wrong."""
    try:
        found: Act = msgspec.json.decode(document, type=Act)
    except msgspec.ValidationError as error:
        raise misfit(str(error), "act") from None
    except msgspec.DecodeError as error:
        raise EngineError("not JSON: {error}", fact="act", error=str(error)) from None
    return found


def decode_state(document: bytes | str) -> State:
    """A stored state (`rules_engine.encode`)."""
    return msgspec.json.decode(document, type=State)


def decode_setup(document: bytes | str) -> Setup:
    """A stored setup (`rules_engine.encode`)."""
    return msgspec.json.decode(document, type=Setup)


def claims(setup: Setup) -> tuple[str, ...]:
    """Everything that a dealer can say is wrong, in a fixed order: the kinds of incident of the rulebook that can occur
    at the table."""
    book = book_of(setup)
    return tuple(sorted(flow_of(book).incidents.possible(book)))


def inject(state: State, kind: str) -> State:
    """The same state, but the next coup shall have a fault of this kind. Raises EngineError if there is no such one."""
    book = book_of(state.setup)
    if kind not in flow_of(book).incidents.known(book):
        raise EngineError("{kind!r} is no fault that can occur at this table", fact="kind", kind=kind)
    return structs.replace(state, wanted=kind)


def visible(state: State) -> dict[str, Any]:
    """What the browser may know of a state besides the events: it is the same whatever is wrong or still to come."""
    return {"coup": state.coup, "coups": state.setup.coups, "stopped": state.stopped, "over": state.over}


def seen(state: State) -> dict[str, Any]:
    """What everybody can see when a coup begins: who sits where, who has the bank."""
    return {name: state.table[name] for name in flow_of(book_of(state.setup)).seen if name in state.table}


def scene(setup: Setup, base: Mapping[str, Any], events: Sequence[Event]) -> Scene:
    """The table as everybody sees it, from `seen` of its coup and the events that were shown since."""
    book = book_of(setup)
    return flow_of(book).scene(base, events, book)


def _counted(state: State, events: tuple[Event, ...]) -> Step:
    totals = structs.replace(state.totals, events=state.totals.events + len(events))
    return structs.replace(state, totals=totals), events


def _leave(state: State) -> Step:
    """Before the game goes on: duties left undone are noted, and payments are put right by the inspector."""
    return duties.closed(state)


def _advance(state: State, events: tuple[Event, ...], book: Rulebook, *, evenly: bool) -> Step:
    """The next moment of the coup, or the next coup."""
    if state.at + 1 < len(state.moments):
        state, more = _reach(structs.replace(state, at=state.at + 1))
    else:
        state = _finished(state)
        if state.coup >= state.setup.coups:
            return structs.replace(state, over=True), (*events, Event("over"))
        state, more = _next_coup(state, book, evenly=evenly)
    return state, (*events, *more)


def _next_coup(state: State, book: Rulebook, *, evenly: bool) -> Step:
    number = state.coup + 1
    kept = tuple(state.table.get("kept", ()))
    used = state.used + ledger.without(state.out, kept)
    state = structs.replace(state, coup=number, used=used, out=kept)
    plan, placed = planning.coup(state, book, flow_of(book), evenly=evenly)
    fault = next((at for at, moment in enumerate(plan.moments) if moment.wrong), None)
    state = structs.replace(
        state,
        moments=plan.moments,
        shoe=plan.shoe or state.shoe,
        at=0,
        wanted="",
        fault=fault,
        stop_at=None,
        alarm=False,
        named=False,
        points=0,
        of=0,
        placed=placed,
    )
    state, events = _reach(state)
    return state, (Event("coup", amount=number), *events)


def _reach(state: State) -> Step:
    """A moment is reached: its cards leave the shoe and its chips move."""
    moment = state.moment
    if moment.shuffled:
        state = structs.replace(state, shoe=moment.shuffled, used=(), out=())
    state = ledger.move(ledger.draw(state, moment.draws), moment.moves)
    if moment.table is not None:
        state = structs.replace(state, table=moment.table)
    totals = structs.replace(state.totals, duties=state.totals.duties + len(moment.duties))
    return structs.replace(state, kept=(), paid=(), totals=totals), moment.events


def _finished(state: State) -> State:
    return structs.replace(state, trials=(*state.trials, stopping.trial(state)))


def _resume(state: State, book: Rulebook) -> Step:
    """After a stop. If something was wrong, the coup goes on as the ruling has it."""
    state = structs.replace(state, stopped=False)
    resumed = (Event("resumed"),)
    if state.fault is None or state.stop_at != state.at or not stopping.open_fault(state):
        return state, resumed
    draw = book.game.draw(state.setup.rulebook, state.setup.seed, "ruled", state.coup)
    situation = stopping.situation(state, book)
    state, events = _leave(state)
    back = stopping.handed_back(state, book.rule(situation))
    moments = (*back, *flow_of(book).ruled(state, book, situation, draw))
    state = structs.replace(state, moments=(*state.moments[: state.at + 1], *moments))
    state, more = _reach(structs.replace(state, at=state.at + 1))
    return state, (*resumed, *events, *more)
