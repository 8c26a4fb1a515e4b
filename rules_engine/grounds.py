"""What each decision of a ruling rests on: the clauses that a right answer shows to be known, and a wrong one breaks.

A rule tells its steps, then decides. So a decision rests on the run of steps told just before it: on those that the
case turns on, if there are any. Where one run leads to several decisions, the game says what some of its sentences
speak of (`speaks` in `questions.toml`): such a step is no ground of any other decision. Words rest on the clause of
their formula, and on the run only where it leads to them first.
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from rules_engine.ruling import Decision, Step


class Speaks(dict[str, tuple[str, ...]]):
    """A sentence of the reasoning, or a pattern of such, with the questions that it speaks of by name; none where it
    may be about any. Sentences are few and rulings many: what a pattern says of one is looked up once."""

    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__((text, tuple(keys.split())) for text, keys in table.items())
        self._patterns = tuple(self.items())

    def __missing__(self, text: str) -> tuple[str, ...]:
        keys = next((keys for pattern, keys in self._patterns if fnmatchcase(text, pattern)), ())
        self[text] = keys
        return keys


class Run(Struct):
    """Steps told one after the other, and the decisions that were taken upon them."""

    steps: list["Step"] = []
    decisions: list["Decision"] = []


def rests(decision: "Decision", at: int, runs: Sequence[Run], speaks: Speaks, formula: str = "") -> tuple[str, ...]:
    """The clauses that a decision of the run `at` rests on; `formula` is the clause of the words, if it is words."""
    name = decision.key.partition(".")[0]
    if formula:
        alone = runs[at].decisions[0] is decision
        on_words = [
            step
            for step in runs[at].steps
            if name in (meant := speaks[step.text]) or (alone and step.pivot and not meant)
        ]
        return _cites(formula, on_words)
    for run in (runs[at], *reversed(runs[:at])):
        if steps := [step for step in run.steps if name in (speaks[step.text] or (name,))]:
            break
    else:
        steps = runs[at].steps
    return _cites("", _decisive(_about(decision, steps)))


def _about(decision: "Decision", steps: list["Step"]) -> list["Step"]:
    """Of steps on several players or bets, those on the one that is asked about."""
    ref = decision.key.partition(".")[2]
    if not ref:
        return steps
    return [
        step
        for step in steps
        if any(
            ref == value or (ref.startswith(name) and ref == f"{name}{value}") for name, value in step.values.items()
        )
    ] or steps


def _decisive(steps: list["Step"]) -> list["Step"]:
    return [step for step in steps if step.pivot] or steps


def _cites(first: str, steps: Iterable["Step"]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (first, *(step.cite for step in steps)))))
