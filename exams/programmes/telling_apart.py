"""Whether the forms of an exam tell the usual wrong rules apart from the right ones (`rules_engine.misconceptions`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from exams.programmes.rules import Line, Rules
from rules_engine import Scenario, generate
from rules_engine.errors import EngineError
from rules_engine.misconceptions import Misconception, told_apart

SEEDS = 60  # tried for a case that turns on the article of a line


@dataclass(frozen=True)
class Told:
    """A wrong rule and how many cases of a form tell it apart from the right one."""

    wrong: Misconception
    cases: int


def checked(form: Iterable[Scenario]) -> list[Told]:
    """Every wrong rule of the rulebooks of a form; those that no case tells apart come first."""
    return sorted((Told(wrong, cases) for wrong, cases in told_apart(form).items()), key=lambda one: one.cases)


def missed(form: Iterable[Scenario]) -> list[Misconception]:
    """The wrong rules that cost nobody a point in this form: no case of it gives another answer under them."""
    return [one.wrong for one in checked(form) if not one.cases]


def of_programme(rules: Rules) -> list[Told]:
    """Checks a sample paper of a blueprint: cases of the same kinds, though none of an exam."""
    return list(_of_programme(msgspec.json.encode(rules)))


@lru_cache(maxsize=50)
def _of_programme(document: bytes) -> tuple[Told, ...]:
    rules = msgspec.json.decode(document, type=Rules)
    return tuple(checked(case for slot in rules.slots for case in _cases(slot.line, slot.number)))


def _cases(line: Line, number: int) -> list[Scenario]:
    """As many cases as a line asks for; fewer if hardly any case turns on its article."""
    found: list[Scenario] = []
    for seed in range(line.items + SEEDS):
        if len(found) == line.items:
            break
        try:
            case = generate(line.rulebook, line.topic, f"sample-{number}-{seed}", line.difficulty)
            if not line.article or line.article in case.solve().pivots:
                found.append(case)
        except EngineError:
            continue  # this seed gives no case of this kind
    return found
