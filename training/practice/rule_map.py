"""How many rules of each rulebook a trainee has met and knows."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules_engine.narration import book_name
from training.mastery.selectors import KnownRule
from training.practice import felts


@dataclass(frozen=True)
class Progress:
    """`met` only grows; `known` falls when rules are not practised."""

    rulebook: str
    name: str
    met: int
    known: int
    total: int

    @property
    def picture(self) -> str:
        return felts.picture(self.rulebook)


def progress(rules: Iterable[KnownRule], language: str) -> list[Progress]:
    total: Counter[str] = Counter()
    met: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for item in rules:
        book = item.rule.rulebook
        total[book] += 1
        met[book] += item.met
        known[book] += item.known
    return [Progress(book, book_name(book, language), met[book], known[book], total[book]) for book in total]
