"""Ponto e banca at the live table: after a slip that was noticed, everybody gets what the ruling says."""

import pytest

from rules_engine import RULEBOOKS
from rules_engine.live.claims import questions_asked
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


def test_nobody_is_asked_what_hangs_on_cards_that_are_still_in_the_shoe() -> None:
    """6 for the bank goes to the ponto, who must draw; the bank, with nothing, must draw too."""
    book = RULEBOOKS["pt-ponto-banca-macau-1995"]
    given = ("ponto", "banker", "ponto", "banker", "banker")
    loose = ("5h", "5s", "Qc", "5d", "6h")
    facts = {"seats": [1, 2], "minimum": 20, "max_gap": 4000, "calls": [{"by": "croupier", "says": "closed"}]}
    facts |= {"loose": loose, "incident": {"kind": "misdealt", "trace": "in_order", "given": given}}
    keys = {}
    for shoe in (("9c", "2c", "2d", "2h"), ("Tc", "2c", "2d", "2h")):
        keys[shoe] = {key: value for key, _, value in questions_asked(book, "misdealt", facts | {"next": shoe})}
    found = keys["9c", "2c", "2d", "2h"]
    assert found == keys["Tc", "2c", "2d", "2h"]
    assert found["coup"] == "restored"
    assert "winner" not in found
    last = facts | {"loose": ("9h", "5s", "Qc", "5d"), "next": ("9c", "2c", "2d", "2h")}
    last |= {"incident": {"kind": "misdealt", "trace": "in_order", "given": ("banker", "ponto", "ponto", "banker")}}
    assert {key: value for key, _, value in questions_asked(book, "misdealt", last)}["winner"] == "ponto"


@pytest.mark.parametrize("id", ["pt-ponto-banca-1995", "pt-ponto-banca-macau-1995"])
def test_only_who_was_given_the_cards_does_something_with_them(id: str) -> None:
    found = 0
    for seed in range(SESSIONS):
        state, _ = begin(Setup(rulebook=id, seed=f"hands {seed}", coups=20, faults=0))
        while not state.over:
            if state.moment.kind == "handler_acts":
                incident = (state.moment.facts or {})["incident"]
                given = {duty.key: duty.value for moment in state.moments[: state.at] for duty in moment.duties}
                assert given[f"handler.{incident['side']}"] == incident["player"]
                found += 1
            state, _ = act(inject(state, "handler_acts"), CarryOn())
    assert found > 10
