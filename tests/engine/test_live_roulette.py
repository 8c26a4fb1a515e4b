"""Roulette at the live table: only what is called a fault exceeds the largest bets."""

from collections import Counter

import pytest

from rules_engine.games.roulette import layout
from rules_engine.games.roulette.limits import least, maximum
from rules_engine.play import CarryOn, Event, Habits, Setup, act, begin, book_of
from tests.samples import sample

SESSIONS = sample(6, 60)


def _moved(on: Counter[tuple[str, str]], event: Event) -> None:
    """What each player has on each spot after chips were moved."""
    if event.what != "chips" or event.values.get("spot"):
        return
    if "from" in event.values:
        on[event.by, str(event.values["from"])] -= event.amount or 0
    if event.to in layout.SPOTS:
        on[event.by, event.to] += event.amount or 0


@pytest.mark.parametrize("id", ["pt-roleta-francesa", "pt-roleta-americana"])
def test_nobody_has_more_on_a_spot_than_the_largest_bet_unless_that_is_the_fault(id: str) -> None:
    for seed in range(SESSIONS):
        habits = Habits(busy=1 + seed % 5, chatter=0.6)
        setup = Setup(rulebook=id, seed=f"limits {seed}", coups=30, faults=0.3, habits=habits)
        book = book_of(setup)
        state, events = begin(setup)
        on: Counter[tuple[str, str]] = Counter()
        while not state.over:
            if events and events[0].what == "coup":
                on.clear()
            for event in events:
                _moved(on, event)
            if state.fault is None or state.at < state.fault:
                for (_, spot), amount in on.items():
                    chance = layout.chance(spot)
                    assert amount <= maximum(book, chance, least(book, chance)), (setup.seed, state.coup, spot)
            state, events = act(state, CarryOn())
