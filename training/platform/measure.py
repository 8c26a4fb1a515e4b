"""An answer measured by the engine, the one way for practice and exams."""

from typing import Any, NamedTuple

import rules_engine
from rules_engine import Mark, Ruling, Scenario


class Measured(NamedTuple):
    """A mark, and the ruling that the answer was measured against."""

    mark: Mark
    ruling: Ruling


def measure(scenario: Scenario, answer: Any) -> Measured:
    """The mark of an answer as it is stored, `{"parts": …}`."""
    ruling = scenario.solve()
    return Measured(rules_engine.grade(scenario, rules_engine.answer_from(answer), ruling=ruling), ruling)
