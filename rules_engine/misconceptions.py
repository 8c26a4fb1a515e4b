"""Typical wrong rules, each as a rulebook with one thing wrong, and which of them explains somebody's answers.

`games/<game>/misconceptions.toml` has the catalogue of a game. A wrong rule changes values of the law
(`numbers."payouts.split" = 35`) or always gives the same answer to a question of some kinds of
incident (`answers.card_on_floor.coup = "void"`); it concerns the rulebooks that have those values.

The diagnosis compares, for each answer to a case that can reveal a wrong rule, how probable it is for somebody who
holds it and for somebody who knows the rule and slips sometimes (`SLIP`). The product over recent answers, weighed with
how rare each wrong rule is (`RARE`), is its probability (Bayes). It is reported if that is at least `SURE` and it
explains at least `LEAST` answers.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from copy import copy, deepcopy
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any

from msgspec import Struct

from rules_engine.errors import EngineError
from rules_engine.game import rulebook
from rules_engine.grading import Answer, normal
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Kind
from rules_engine.scenario import Scenario

SLIP, RARE, SURE, LEAST = 0.1, 0.03, 0.9, 2
# How many numbers a guess is taken from if the question has no options.
NUMBERS = 20
Values = Mapping[str, Any]


class Misconception(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A wrong rule. `said` is the rule in the words of somebody who holds it, by language; `cite` the clause it
    breaks."""

    id: str
    cite: str
    said: dict[str, str]
    numbers: dict[str, Any] = {}
    answers: dict[str, dict[str, Any]] = {}
    books: tuple[str, ...] = ()


@cache
def catalogue(game_id: str) -> tuple[Misconception, ...]:
    """The wrong rules of a game."""
    source = files("rules_engine.games") / game_id / "misconceptions.toml"
    if not source.is_file():
        return ()
    listed = tomllib.loads(source.read_text("utf-8"))
    return tuple(
        Misconception(id=id, **{**entry, "books": tuple(entry.get("books", ()))}) for id, entry in listed.items()
    )


@cache
def misconceptions(book_id: str) -> tuple[Misconception, ...]:
    """The wrong rules about one rulebook."""
    book = rulebook(book_id)
    return tuple(one for one in catalogue(book.game.id) if _concerns(one, book))


def misconception(book_id: str, id: str) -> Misconception | None:
    """A wrong rule by name; None if this release no longer has it."""
    return next((one for one in misconceptions(book_id) if one.id == id), None)


def _concerns(one: Misconception, book: Rulebook) -> bool:
    if one.books and book.coded_as not in one.books:
        return False
    known = book.kinds()
    return (
        one.cite in book.law
        and all(_at(book.law.numbers, path) not in (None, value) for path, value in one.numbers.items())
        and all(kind in known for kind in one.answers)
    )


def _at(numbers: Values, path: str) -> Any:
    name, *rest = path.split(".")
    found = numbers.get(name, {}).get("value")
    for key in rest:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def mistaken(book: Rulebook, one: Misconception) -> Rulebook:
    """The rulebook as somebody who holds this wrong rule believes it to be."""
    numbers = deepcopy(dict(book.law.numbers))
    for path, value in one.numbers.items():
        name, *rest = path.split(".")
        entry, key = numbers[name], "value"
        for step in rest:
            entry, key = entry[key], step
        entry[key] = value
    found, law = copy(book), copy(book.law)
    law.__dict__["numbers"] = numbers
    found.law = law
    found._at = {}
    return found


@cache
def _mistaken(book_id: str, id: str) -> Rulebook:
    return mistaken(rulebook(book_id), next(one for one in misconceptions(book_id) if one.id == id))


def believed(scenario: Scenario, one: Misconception) -> dict[str, Any]:
    """What somebody who holds a wrong rule answers otherwise than the law, by question; empty if it makes no difference
    here."""
    right = {decision.key: decision for decision in scenario.solve().decisions}
    asked = {question.key for question in scenario.questions}
    thought = {key: value for key, value in _thought(scenario, one).items() if key in asked and key in right}
    return {
        key: value
        for key, value in thought.items()
        if right[key].kind != "words" and _normal(value, key, scenario) != _normal(right[key].value, key, scenario)
    }


def _thought(scenario: Scenario, one: Misconception) -> dict[str, Any]:
    kind = type(scenario.situation.incident).__struct_config__.tag
    found = dict(one.answers.get(str(kind), {}))
    if one.numbers:
        book = _mistaken(scenario.rulebook, one.id)
        book = book.at(scenario.table) if scenario.table else book
        book = book.under(scenario.readings) if scenario.readings else book
        try:
            found |= {decision.key: decision.value for decision in book.rule(scenario.situation).decisions}
        except (EngineError, KeyError, ValueError, IndexError):
            return found  # the wrong rule has no answer to these facts
    return found


def _normal(value: Any, key: str, scenario: Scenario) -> Any:
    kind: Kind = next((question.kind for question in scenario.questions if question.key == key), "choice")
    try:
        return normal(value, key, kind, scenario)
    except (EngineError, ValueError, TypeError):
        return value


def revealed_by(scenario: Scenario) -> list[Misconception]:
    """The wrong rules that make a difference to the answers of a case."""
    return [one for one in misconceptions(scenario.rulebook) if believed(scenario, one)]


def told_apart(scenarios: Iterable[Scenario]) -> dict[Misconception, int]:
    """How many of these cases tell each wrong rule of their rulebooks apart from the right one."""
    listed = list(scenarios)
    every = {one.id: one for book_id in {one.rulebook for one in listed} for one in misconceptions(book_id)}
    counts = dict.fromkeys(every, 0)
    for scenario in listed:
        for one in revealed_by(scenario):
            counts[one.id] += 1
    return {every[id]: count for id, count in counts.items()}


# ---- diagnosis


class Evidence(Struct, frozen=True):
    """What one answer says about the wrong rules that its case can reveal: for each, the log of how much more probable
    the answer is with it than without, and which of them explain the answer."""

    weights: dict[str, float]
    explained: frozenset[str]


def evidence(scenario: Scenario, answer: Answer) -> Evidence:
    """Weigh one answer. Parts that were not answered say nothing."""
    weights: dict[str, float] = {}
    explained = set()
    right = {decision.key: decision.value for decision in scenario.solve().decisions}
    options = {question.key: len(question.options) for question in scenario.questions}
    for one in misconceptions(scenario.rulebook):
        parts = [
            (key, value)
            for key, value in believed(scenario, one).items()
            if answer.parts.get(key) not in (None, "", [])
        ]
        if not parts:
            continue
        given = {key: _normal(answer.parts[key], key, scenario) for key, _value in parts}
        chance = SLIP / max(max(1, (options[key] or NUMBERS) - 1) for key, _value in parts)
        if all(given[key] == _normal(value, key, scenario) for key, value in parts):
            weights[one.id] = log((1 - SLIP) / chance)
            explained.add(one.id)
        elif all(given[key] == _normal(right[key], key, scenario) for key, _value in parts):
            weights[one.id] = log(chance / (1 - SLIP))
        else:
            weights[one.id] = 0.0  # wrong in another way: as probable for both
    return Evidence(weights, frozenset(explained))


def diagnosed(found: Sequence[Evidence]) -> str:
    """The wrong rule that explains recent answers; empty if none is probable enough."""
    held = {id for one in found for id in one.weights}
    scores = {id: sum(one.weights.get(id, 0.0) for one in found) + log(RARE / (1 - RARE)) for id in held}
    often = {id: sum(id in one.explained for one in found) for id in held}
    total = 1 + sum(exp(min(score, 300)) for score in scores.values())
    sure = [id for id, score in scores.items() if often[id] >= LEAST and exp(min(score, 300)) / total >= SURE]
    return sure[0] if sure else ""
