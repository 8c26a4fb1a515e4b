"""Which incidents occur at the live table: every kind is classified, and every fault can be brought about."""

import pytest

from rules_engine import GAMES, RULEBOOKS
from rules_engine.live.stopping import open_fault
from rules_engine.play import (
    CarryOn,
    Habits,
    Resume,
    Setup,
    State,
    Stop,
    act,
    begin,
    book_of,
    flow_of,
    inject,
    playable,
)
from tests.engine.live import BOOKS, check_chips
from tests.samples import sample

SESSIONS = sample(2, 20)
LIVE_GAMES = tuple(id for id, game in GAMES.items() if playable(game))
FAULTS = [(book, kind) for book in BOOKS for kind in flow_of(RULEBOOKS[book]).incidents.known(RULEBOOKS[book])]


@pytest.mark.parametrize("id", LIVE_GAMES)
def test_every_kind_of_incident_is_classified_once(id: str) -> None:
    game = GAMES[id]
    incidents = flow_of(game.books[0]).incidents
    groups = [*incidents.ordinary, *incidents.faults, *incidents.outside]
    assert len(set(groups)) == len(groups)
    # What the law is silent on follows the procedure of the house, which the live table does not know.
    assert {*groups, *game.silences} == set(game.kinds)
    for listed in (incidents.chatter, incidents.after, incidents.correctable, incidents.finished):
        assert set(listed) <= set(incidents.faults)
    assert set(incidents.complaints) <= {book.id for book in game.books}
    assert all(cite in RULEBOOKS[book].law for book, cite in incidents.complaints.items())
    assert all(name.split()[1] in incidents.faults for name in incidents.unfit)


def _coup_with(book: str, kind: str, seed: int) -> State | None:
    """A coup with a fault of this kind, after some ordinary ones, at the moment it becomes visible."""
    setup = Setup(rulebook=book, seed=f"inject {seed}", coups=60, faults=0, habits=Habits(busy=5 - seed % 5))
    state, _ = begin(setup)
    for _ in range(seed * 11):
        state, _ = act(state, CarryOn())
    for _ in range(20):
        coup, state = state.coup, inject(state, kind)
        while state.coup == coup:
            state, _ = act(state, CarryOn())
        if state.fault is not None:
            while state.at < state.fault:
                state, _ = act(state, CarryOn())
            return state
    return None


def _to_the_end(state: State) -> State:
    coup = state.coup
    while state.coup == coup and not state.over:
        state, _ = act(state, CarryOn())
        check_chips(state)
    return state


@pytest.mark.parametrize(("book", "kind"), FAULTS)
def test_every_fault_can_occur_and_the_coup_goes_on_ruled_or_not(book: str, kind: str) -> None:
    found = [state for state in (_coup_with(book, kind, seed) for seed in range(SESSIONS)) if state]
    assert found
    for state in found:
        assert state.moment.kind == kind
        stopped, _ = act(state, Stop(kind))
        resumed, _ = act(stopped, Resume())
        assert _to_the_end(resumed).trials[-1].outcome == "hit"
        missed = _to_the_end(state).trials[-1]
        assert (missed.outcome, missed.kind) == ("miss", kind)


@pytest.mark.parametrize("book", BOOKS)
def test_a_stop_some_moments_after_the_fault_is_a_hit_while_it_can_be_put_right(book: str) -> None:
    late = 0
    for kind in flow_of(RULEBOOKS[book]).incidents.known(RULEBOOKS[book]):
        state = _coup_with(book, kind, 0)
        if state is None:
            continue
        state, _ = act(state, CarryOn())
        if not open_fault(state):
            continue
        late += 1
        assert not state.moment.wrong
        stopped, _ = act(state, Stop(kind))
        resumed, _ = act(stopped, Resume())
        trial = _to_the_end(resumed).trials[-1]
        assert (trial.outcome, trial.named) == ("hit", True)
    assert late


@pytest.mark.parametrize("id", BOOKS)
def test_no_incident_rests_on_what_the_text_leaves_open(id: str) -> None:
    """Nobody can be asked to notice it, in an exam or out of it, nor a procedure that a house might adopt."""
    told = 0
    for seed in range(SESSIONS):
        setup = Setup(
            rulebook=id, seed=f"open {seed}", coups=40, faults=0.5, habits=Habits(busy=1 + seed % 5, chatter=0.6)
        )
        state, _ = begin(setup)
        while not state.over:
            if state.moment.kind and state.at == next(at for at, one in enumerate(state.moments) if one.kind):
                book = book_of(setup)
                ruling = book.rule(book.read(state.moment.facts))
                assert ruling.exam_safe
                assert state.moment.kind not in book.game.silences
                told += 1
            state, _ = act(state, CarryOn())
    assert told > 10
