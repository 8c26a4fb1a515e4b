"""The rules to learn in a rulebook: all that a scenario can turn on, in teaching order, and adopted procedures."""

import re
from collections.abc import Iterable
from functools import cache

from rules_engine import rulebook, topics
from rules_engine.silences import TOPIC as PROCEDURES
from rules_engine.topics import cases
from training.house.readings import procedures
from training.mastery.memory import Rule

# Rules with their topics, by rulebook.
RulesIn = dict[str, dict[Rule, str]]


@cache
def rules_of_law(book: str) -> dict[Rule, str]:
    """The rules of a rulebook, each with the first topic that practises it."""
    law = rulebook(book).law
    found: dict[Rule, str] = {}
    for topic in topics(book):
        cites = {cite for case in cases(book, topic) for cite in case.turns_on[book]}
        for cite in sorted(cites, key=in_order):
            if law.row(cite).tested:
                found.setdefault(Rule(book, cite), topic)
    return found


def rules_to_learn(book: str) -> dict[Rule, str]:
    """The rules of a rulebook and the adopted procedures of the house, each with its topic."""
    return rules_in([book])[book]


def rules_in(books: Iterable[str]) -> RulesIn:
    """The same for several rulebooks, in at most one query."""
    wanted = list(dict.fromkeys(books))
    adopted = procedures(wanted)
    return {book: _with_procedures(book, adopted.get(book, ())) for book in wanted}


@cache
def _with_procedures(book: str, adopted: tuple[str, ...]) -> dict[Rule, str]:
    return rules_of_law(book) | {Rule(book, kind): PROCEDURES for kind in adopted}


def in_order(cite: str) -> list[tuple[int, str]]:
    """A sort key for citations: 9 before 67, 67 d before 67 e."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", cite) if part]


def is_testable(book: str, cite: str) -> bool:
    """Whether answers may show that a trainee knows it: a clause that decides something, or a procedure."""
    law = rulebook(book).law
    return cite in law and (law.row(cite).tested or cite in law.silences)
