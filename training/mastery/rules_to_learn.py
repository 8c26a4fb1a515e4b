"""The rules to learn in a rulebook: all that a scenario can turn on, in teaching order."""

import re
from functools import cache

from rules_engine import rulebook, topics
from rules_engine.topics import cases
from training.mastery.memory import Rule


@cache
def rules_to_learn(book: str) -> dict[Rule, str]:
    """The rules of a rulebook, each with the first topic that practises it."""
    law = rulebook(book).law
    found: dict[Rule, str] = {}
    for topic in topics(book):
        cites = {cite for case in cases(book, topic) for cite in case.turns_on[book]}
        for cite in sorted(cites, key=in_order):
            if law.row(cite).tested:
                found.setdefault(Rule(book, cite), topic)
    return found


def in_order(cite: str) -> list[tuple[int, str]]:
    """A sort key for citations: 9 before 67, 67 d before 67 e."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", cite) if part]


def is_testable(book: str, cite: str) -> bool:
    law = rulebook(book).law
    return cite in law and law.row(cite).tested
