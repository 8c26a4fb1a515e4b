"""Whether an exam's forms reveal the usual wrong rules (`rules_engine.misconceptions`) by cases with other answers."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules_engine import Scenario
from rules_engine.misconceptions import Misconception, told_apart


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
