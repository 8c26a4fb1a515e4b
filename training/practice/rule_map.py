"""The rules of a rulebook as a trainee knows them: how many, and the map of them by topic."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from rules_engine.narration import book_name, citation, topic_name
from training.mastery.selectors import KnownRule


@dataclass(frozen=True)
class Progress:
    """How much of a rulebook is known."""

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


@dataclass(frozen=True)
class RuleCell:
    cite: str
    name: str
    state: str
    percent: int | None


@dataclass(frozen=True)
class TopicMap:
    """One topic of the map: its rules, and how many of them are known."""

    subject: str
    name: str
    known: int
    cells: list[RuleCell]


def topic_maps(rules: Iterable[KnownRule], language: str) -> list[TopicMap]:
    """The rules of one rulebook by topic, in teaching order."""
    return [_topic_map(topic, list(items), language) for topic, items in groupby(rules, key=lambda item: item.topic)]


def _topic_map(topic: str, items: list[KnownRule], language: str) -> TopicMap:
    return TopicMap(
        subject=f"{items[0].rule.rulebook}/{topic}",
        name=topic_name(items[0].rule.rulebook, topic, language),
        known=sum(item.known for item in items),
        cells=[_cell(item, name) for item, name in zip(items, _names(items), strict=True)],
    )


def _names(items: list[KnownRule]) -> list[str]:
    """The citations; rules of one paragraph are numbered, since a citation does not tell them apart."""
    cites = [citation(item.rule.cite) for item in items]
    return [
        f"{cite} ({cites[: number + 1].count(cite)})" if cites.count(cite) > 1 else cite
        for number, cite in enumerate(cites)
    ]


def _cell(item: KnownRule, name: str) -> RuleCell:
    if item.retention is None:
        return RuleCell(item.rule.cite, name, "new", None)
    return RuleCell(item.rule.cite, name, "known" if item.known else "fading", round(100 * item.retention))
