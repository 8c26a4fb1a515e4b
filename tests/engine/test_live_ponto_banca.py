"""Ponto e banca at the live table: after a slip that was noticed, everybody gets what the ruling says."""

import pytest

from rules_engine.play import CarryOn, Resume, Setup, Stop, act, begin, book_of, inject
from tests.samples import sample

SESSIONS = sample(4, 40)


@pytest.mark.parametrize("id", ["pt-ponto-banca-1995", "pt-ponto-banca-macau-1995"])
@pytest.mark.parametrize("kind", ["misdealt", "third_card_slip"])
def test_a_slip_noticed_at_once_is_settled_as_ruled(id: str, kind: str) -> None:
    checked = 0
    for seed in range(SESSIONS):
        setup = Setup(rulebook=id, seed=f"slips {seed}", coups=12, faults=0)
        book = book_of(setup)
        state, _ = begin(setup)
        while not state.over:
            if state.moment.wrong and state.stop_at is None:
                ruling = book.rule(book.read(state.moment.facts))
                state = act(act(state, Stop(kind))[0], Resume())[0]
                assert ruling.after
                due = [duty.payment for moment in state.moments[state.at :] for duty in moment.duties if duty.payment]
                assert sorted(map(repr, due)) == sorted(map(repr, ruling.after.payments))
                checked += 1
            state, _ = act(inject(state, kind), CarryOn())
    assert checked > 10
