"""Decides which cases are too alike for two candidates of one exam, and which are of one model.

Two items are alike if what happened, the facts that the ruling cites and the answers are the same, or if their tables
hardly differ (`rules_engine.likeness`). Items are of one model if what happened, the clauses, the people involved and
the level are the same.
"""

import hashlib
from typing import Any

from rules_engine import Ruling, Scenario, encode, structure
from rules_engine.likeness import Sketch, near, sketch
from rules_engine.situation import kind_of
from training.platform.engine_json import as_stored

DIGITS = 12


def model_of(scenario: Scenario, ruling: Ruling) -> str:
    """The item's model, as a short text that is equal for items of one model."""
    kind, *rest = structure(scenario, ruling)
    return f"{scenario.rulebook}/{kind}/{scenario.difficulty}/{_digest(rest)}"


def gist(scenario: Scenario, ruling: Ruling) -> str:
    """A digest of the incident, of the facts that the ruling cites and of the answers."""
    cited = sorted((step.text, repr(sorted(step.values.items()))) for step in ruling.steps)
    answers = sorted((one.key, repr(one.value)) for one in ruling.decisions)
    return _digest([scenario.rulebook, kind_of(scenario.situation.incident), cited, answers])


def _digest(value: Any) -> str:
    return hashlib.sha256(encode(value)).hexdigest()[:DIGITS]


class Collection:
    """Scenarios of which no two are alike."""

    def __init__(self) -> None:
        self._gists: set[str] = set()
        self._drawn: dict[tuple[str, str], list[Sketch]] = {}

    def add(self, scenario: Scenario) -> bool:
        """Adds a scenario, unless it is like one that is here already. Returns whether it was added."""
        about = gist(scenario, scenario.solve())
        if about in self._gists:
            return False
        drawn = sketch(scenario.rulebook, as_stored(scenario.situation))
        others = self._drawn.setdefault((drawn.game, drawn.kind), [])
        if any(near(drawn, other) for other in others):
            return False
        self._gists.add(about)
        others.append(drawn)
        return True
