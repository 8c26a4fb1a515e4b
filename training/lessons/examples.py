"""Worked examples: a scenario that turns on one rule, with its full ruling. Never one that an exam uses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import rules_engine
from rules_engine import Adopted, Decision, Rulebook, Ruling, Scenario, Situation, Step, Table
from rules_engine.errors import UnknownName
from rules_engine.narration import ask, cited, reason, show, turned_on
from training.house import readings, tables
from training.library import guarded_cases
from training.mastery.memory import Rule
from training.practice import fresh

Held = tuple[tuple[str, Adopted], ...]
FIRST_STEPS = 1
# Some rules decide only one in ten of the cases generated for them.
TRIES = 60
# Examples to find for each rule, so that there is another if one is about to be asked or guarded.
ENOUGH = 4


@dataclass(frozen=True)
class WorkedStep:
    cite: str
    cited: str
    text: str
    pivot: bool
    lit: str


@dataclass(frozen=True)
class Worked:
    """A case with its decisions and the reasoning, in words."""

    scenario: Scenario
    ruling: Ruling
    decisions: Sequence[tuple[str, str]]
    steps: Sequence[WorkedStep]


def example(rule: Rule, *, other_than: Scenario | None = None, level: int = FIRST_STEPS) -> Scenario | None:
    """A case that turns on the rule, usually the same one each time; None if there is none.

    It is never `other_than`, the case about to be asked, and has another structure than that if possible.
    """
    game = rules_engine.rulebook(rule.rulebook).game
    found = _examples(rule, level, game.version, _adopted(rule.rulebook), tables.of_house(rule.rulebook))
    if other_than is not None:
        asked = fresh.structure_of(other_than, other_than.solve())
        found = tuple(one for one in found if one[0].situation != other_than.situation)
        found = tuple(sorted(found, key=lambda one: one[1] == asked))
    watch = guarded_cases.Watch(rule.rulebook)
    return next((scenario for scenario, _structure in found if not watch.near(scenario)), None)


def is_told(scenario: Scenario) -> bool:
    """Whether an example has exactly these facts, so that trainees may have read the ruling on them."""
    book = scenario.book
    adopted, at = _adopted(book.id), tables.of_house(book.id)
    # The same facts turn on the same rules, so only the examples of those rules can match.
    return any(
        one.situation == scenario.situation
        for cite in scenario.solve().pivots
        for one, _structure in _examples(Rule(book.id, cite), FIRST_STEPS, book.game.version, adopted, at)
    )


def _adopted(book: str) -> Held:
    return tuple(readings.practised(book).items())


@lru_cache(maxsize=2000)
def _examples(
    rule: Rule, level: int, _version: str, adopted: Held, at: tuple[Table, ...]
) -> tuple[tuple[Scenario, str], ...]:
    found: dict[str, Scenario] = {}
    spare: list[tuple[Scenario, str]] = []
    for scenario in _made(rule, level, dict(adopted), at):
        ruling = scenario.solve()
        if rule.cite not in ruling.pivots:
            continue
        structure = fresh.structure_of(scenario, ruling)
        if structure in found:
            spare.append((scenario, structure))
        found.setdefault(structure, scenario)
        if len(found) + len(spare) >= ENOUGH and len(found) > 1:
            break
    return tuple((scenario, structure) for structure, scenario in found.items()) + tuple(spare[:ENOUGH])


def _made(rule: Rule, level: int, adopted: dict[str, Adopted], at: tuple[Table, ...]) -> Iterator[Scenario]:
    try:
        for number in range(TRIES):
            seed = f"lesson {number}"
            table = tables.pick(at, seed)
            yield rules_engine.generate(
                rule.rulebook, None, seed, level, article=rule.cite, table=table, readings=adopted
            )
    except UnknownName:
        return


def worked(scenario: Scenario, language: str) -> Worked:
    ruling, book = scenario.solve(), scenario.book
    return Worked(
        scenario=scenario,
        ruling=ruling,
        decisions=[decided(decision, scenario.situation, book, language) for decision in ruling.decisions],
        steps=[_step(step, scenario, book, language) for step in ruling.steps],
    )


def decided(decision: Decision, situation: Situation, book: Rulebook, language: str) -> tuple[str, str]:
    """The question and the answer of a decision, in words."""
    answer = show(decision.key, decision.kind, decision.value, book, language)
    return ask(decision.key, situation, book, language), answer


def _step(step: Step, scenario: Scenario, book: Rulebook, language: str) -> WorkedStep:
    return WorkedStep(
        cite=step.cite,
        cited=cited(step.cite, book, language),
        text=reason(step, book, language),
        pivot=step.pivot,
        lit=" ".join(turned_on(step, scenario.situation, book)),
    )
