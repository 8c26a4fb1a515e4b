"""What each decision of a ruling rests on: the clauses that a right answer proves and a wrong one breaks.

A rule adds its steps and then decides. So a decision rests on the run of steps just before it, or on those of them that
the case turns on, if there are any. Where one run leads to several decisions, the game says which questions some of its
sentences concern (`speaks` in `questions.toml`); such a step is not a ground of any other decision. An announcement
rests on the clause of its formula, and on the run only if it is the first decision after it.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec.structs import force_setattr

if TYPE_CHECKING:
    from rules_engine.announcements import Formula
    from rules_engine.rulebook import Rulebook
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


def ground(
    steps: list["Step"],
    decisions: Iterable["Decision"],
    before: Iterable[int],
    book: "Rulebook",
    by_hand: Mapping[str, tuple[str, ...]],
) -> None:
    """Add to each decision the clauses it rests on, unless the rule has stated them (`by_hand`).

    `before` says for each decision how many steps there were before it.
    """
    speaks, formulas = book.game.speaks, book.formulas
    runs: list[list[Step]] = []
    end = 0
    for decision, count in zip(decisions, before, strict=True):
        # What is decided before the first step rests on that step.
        count = count or min(len(steps), 1)
        first = not runs or count > end
        if first:
            runs.append(steps[end:count])
            end = count
        force_setattr(decision, "rests", by_hand.get(decision.key) or _rests(decision, first, runs, speaks, formulas))


def _rests(
    decision: "Decision", first: bool, runs: list[list["Step"]], speaks: Speaks, formulas: Mapping[str, "Formula"]
) -> tuple[str, ...]:
    """The clauses that a decision of the last run rests on; `first`: nothing was decided on that run before."""
    run, name = runs[-1], decision.key.partition(".")[0]
    formula = formulas[decision.value.formula].cite if decision.kind == "words" else ""  # type: ignore[union-attr]
    if len(run) == 1:
        # The usual run, without lists.
        only = run[0]
        meant = speaks[only.text]
        if formula:
            decisive = name in meant or (first and only.pivot and not meant)
            return (formula, only.cite) if decisive and only.cite != formula else (formula,)
        if not meant or name in meant:
            return (only.cite,)
    if formula:
        on_words = [
            step for step in run if name in (meant := speaks[step.text]) or (first and step.pivot and not meant)
        ]
        return _cites(formula, on_words)
    for back in reversed(runs):
        if steps := [step for step in back if not (meant := speaks[step.text]) or name in meant]:
            break
    else:
        steps = run
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
