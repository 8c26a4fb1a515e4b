"""The debrief of a fault that made a throw void names the clause that says so."""

from types import SimpleNamespace
from typing import Any

import pytest

from rules_engine import RULEBOOKS, play
from training.live_table import results

FACTS = {
    "seats": [1, 2],
    "minimum": 2,
    "incident": {"kind": "throw_prepared", "in_cup": 2, "through": "chute", "together": True},
}


@pytest.mark.parametrize(("void", "article"), [("IV 8 c", "IV 8 c"), ("", "IV 7 a")])
def test_a_missed_fault_names_the_clause_that_made_the_throw_void(void: str, article: str) -> None:
    session: Any = SimpleNamespace(book=RULEBOOKS["pt-banca-francesa"], reactions={}, reckoning={})
    trial = play.Trial(coup=1, outcome="miss", kind="throw_prepared", facts=FACTS, stands=not void, void=void)
    told = results._coup(session, trial)
    assert (told["cite"], told["article"], told["void"]) == ("IV 7 a", article, bool(void))
