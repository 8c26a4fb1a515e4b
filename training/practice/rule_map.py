"""How many rules of each rulebook a trainee knows."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules_engine.narration import book_name
from training.mastery.selectors import KnownRule


@dataclass(frozen=True)
class Progress:
    rulebook: str
    name: str
    known: int
    total: int


def progress(rules: Iterable[KnownRule], language: str) -> list[Progress]:
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for item in rules:
        total[item.rule.rulebook] += 1
        known[item.rule.rulebook] += item.known
    return [Progress(book, book_name(book, language), known[book], total[book]) for book in total]
