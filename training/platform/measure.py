"""Grades an answer with the engine, in the same way for practice and exams."""

from typing import Any, NamedTuple

import rules_engine
from rules_engine import Mark, Ruling, Scenario


class Measured(NamedTuple):
    """A mark, and the ruling that the answer was compared with."""

    mark: Mark
    ruling: Ruling


def measure(scenario: Scenario, answer: Any) -> Measured:
    """Grade an answer in its stored form, `{"parts": …}`."""
    ruling = scenario.solve()
    return Measured(rules_engine.grade(scenario, rules_engine.answer_from(answer), ruling=ruling), ruling)
