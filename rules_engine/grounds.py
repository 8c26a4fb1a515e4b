"""What each decision of a ruling rests on: the clauses that a right answer proves and a wrong one breaks.

A rule adds its steps and then decides. So a decision rests on the run of steps just before it, or on those of them that
the case turns on, if there are any. Where one run leads to several decisions, the game says which questions some of its
sentences concern (`speaks` in `questions.toml`); such a step is not a ground of any other decision. An announcement
rests on the clause of its formula, and on the run only if it is the first decision after it.
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from rules_engine.ruling import Decision, Step


class Speaks(dict[str, tuple[str, ...]]):
    """Sentences of the reasoning, or patterns of them, with the names of the questions they concern; a sentence without
    an entry may concern any. Lookups are cached, because there are few sentences and many rulings."""

    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__((text, tuple(keys.split())) for text, keys in table.items())
        self._patterns = tuple(self.items())

    def __missing__(self, text: str) -> tuple[str, ...]:
        keys = next((keys for pattern, keys in self._patterns if fnmatchcase(text, pattern)), ())
        self[text] = keys
        return keys


class Run(Struct, gc=False):
    """Consecutive steps, and the decisions made on them."""

    steps: list["Step"] = []
    decisions: list["Decision"] = []


def rests(decision: "Decision", at: int, runs: Sequence[Run], speaks: Speaks, formula: str = "") -> tuple[str, ...]:
    """The clauses that a decision of the run `at` rests on. `formula` is the clause of the formula if the decision is
    an announcement."""
    name = decision.key.partition(".")[0]
    run = runs[at]
    if len(run.steps) == 1:
        # The usual run, without lists.
        step = run.steps[0]
        meant = speaks[step.text]
        if formula:
            pivotal = step.pivot and not meant and run.decisions[0] is decision
            return (formula, step.cite) if (pivotal or name in meant) and step.cite != formula else (formula,)
        if not meant or name in meant:
            return (step.cite,)
    if formula:
        alone = run.decisions[0] is decision
        on_words = [
            step for step in run.steps if name in (meant := speaks[step.text]) or (alone and step.pivot and not meant)
        ]
        return _cites(formula, on_words)
    for back in range(at, -1, -1):
        if steps := [step for step in runs[back].steps if not (meant := speaks[step.text]) or name in meant]:
            break
    else:
        steps = run.steps
    return _cites("", _decisive(_about(decision, steps)))


def _about(decision: "Decision", steps: list["Step"]) -> list["Step"]:
    """Of steps about several players or bets, those about the one asked about."""
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
    cites = [step.cite for step in steps]
    return tuple(dict.fromkeys([first, *cites] if first else cites))
