"""A sentence that is told at the table says nothing about whether something is wrong."""

from collections import Counter

import pytest

from rules_engine.play import CarryOn, Setup, State, act, begin
from tests.engine.live import BOOKS
from tests.samples import sample
from training.live_table.ladder import FAULTS, HABITS
from training.live_table.models import Rung

SESSIONS = sample(4, 20)
COUPS = 60
# The share of faults among the moments with a sentence. Sessions have a fault in 15 of 100 coups.
MOST = 0.6


def _count(state: State, found: Counter[bool]) -> None:
    told = (moment for moment in state.moments if any(event.what == "told" for event in moment.events))
    found.update(moment.wrong for moment in told if moment.kind)


@pytest.mark.parametrize("rung", [Rung.QUIET, Rung.BUSY])
@pytest.mark.parametrize("id", BOOKS)
def test_most_sentences_are_about_nothing_wrong(id: str, rung: str) -> None:
    found: Counter[bool] = Counter()
    for seed in range(SESSIONS):
        setup = Setup(rulebook=id, seed=f"told {seed}", coups=COUPS, faults=FAULTS, habits=HABITS[rung])
        state, _ = begin(setup)
        coup = 0
        while not state.over:
            if state.coup != coup:
                coup = state.coup
                _count(state, found)
            state, _ = act(state, CarryOn())
    assert found.total() > SESSIONS * COUPS / 20
    assert found[True] <= MOST * found.total(), found
