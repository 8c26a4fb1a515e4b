"""The table of contents of a rulebook, and the way from one page to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from django.urls import reverse

from rules_engine import rulebook
from rules_engine.narration import cited
from training.rulebooks.selectors import Article

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """One article with its clauses."""

    book: str
    number: str
    shown: str
    clauses: Sequence[Article]

    @property
    def text(self) -> str:
        return self.clauses[0].text

    @property
    def language(self) -> str:
        return self.clauses[0].language

    @cached_property
    def address(self) -> str:
        """The page of the article; if it has one clause, that of the clause."""
        if len(self.clauses) == 1:
            return reverse("article", args=[self.book, self.clauses[0].row.cite])
        return reverse("whole_article", args=[self.book, self.number])


def contents(book_id: str, clauses: Sequence[Article], language: str) -> list[Entry]:
    """The articles of a rulebook in its order."""
    found: dict[str, list[Article]] = {}
    for clause in clauses:
        found.setdefault(clause.row.article, []).append(clause)
    book = rulebook(book_id)
    return [
        Entry(book_id, number, listed[0].heading or cited(number, book, language), listed)
        for number, listed in found.items()
    ]


def beside(listed: Sequence[T], one: T) -> tuple[T | None, T | None]:
    """What comes before and after something in a list."""
    at = listed.index(one)
    return listed[at - 1] if at else None, listed[at + 1] if at + 1 < len(listed) else None
