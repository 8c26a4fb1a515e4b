"""Stopping the game: whether something was wrong, how well the dealer ruled on it, and what the coup counts as."""

from msgspec import structs

from rules_engine.live.claims import face_down, marked
from rules_engine.live.model import Moment, Outcome, State, Stop, Trial
from rules_engine.live.scene import handed_back as returned
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Ruling
from rules_engine.situation import Situation


def open_fault(state: State) -> bool:
    """Whether something is wrong now that can still be put right."""
    if state.fault is None or state.fault > state.at:
        return False
    since = state.moments[state.fault : state.at + 1]
    return since[0].lasts or not any(moment.settles or moment.complaint for moment in since)


def situation(state: State, book: Rulebook) -> Situation:
    """The facts of the fault of this coup."""
    if state.fault is None:
        raise RuntimeError("nothing is wrong in this coup")
    return book.read(state.moments[state.fault].facts)


def handed_back(state: State, ruling: Ruling) -> tuple[Moment, ...]:
    """Chips of a refused act go back to where they were."""
    if state.fault is None or ruling.get("allowed") != "refused":
        return ()
    events = returned(state.moments[state.fault].events)
    return (Moment(events=tuple(events)),) if events else ()


def stop(state: State, book: Rulebook, done: Stop) -> State:
    """The dealer stops the game. The first stop while something is wrong counts, and so does any while nothing is."""
    if not open_fault(state):
        late = state.fault is not None and state.fault <= state.at
        return structs.replace(state, stopped=True, alarm=state.alarm or not late)
    if state.stop_at is not None:
        return structs.replace(state, stopped=True)
    named = done.kind == state.moments[state.fault or 0].kind
    down = face_down(state.moments[: state.at + 1])
    points, of = marked(situation(state, book), book, done.answers, down) if named else (0, 0)
    return structs.replace(state, stopped=True, stop_at=state.at, named=named, points=points, of=of)


def trial(state: State) -> Trial:
    """What the coup that has just ended counts as."""
    fault = state.fault
    outcome: Outcome
    if fault is None:
        outcome = "false_alarm" if state.alarm else "correct_rejection"
        return Trial(coup=state.coup, outcome=outcome)
    hit = state.stop_at is not None
    complained = not hit and any(moment.complaint for moment in state.moments[fault:])
    void = "" if hit else next((moment.void for moment in state.moments[fault:] if moment.void), "")
    return Trial(
        coup=state.coup,
        outcome="hit" if hit else "miss",
        kind=state.moments[fault].kind,
        seen_at=fault,
        stopped_at=state.stop_at,
        named=state.named,
        points=state.points,
        of=state.of,
        complained=complained,
        stands=not hit and not complained and not void,
        void=void,
        facts=state.moments[fault].facts,
    )
