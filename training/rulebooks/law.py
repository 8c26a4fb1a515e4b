"""A version of a regulation as pages name it: its title, and since when it is in force."""

from dataclasses import dataclass
from datetime import date

from rules_engine import Rulebook
from rules_engine.narration import book_name
from rules_engine.versions import former, in_force, regulation_of, versions


@dataclass(frozen=True)
class Dated:
    """`since` is None if the text states no date."""

    id: str
    name: str
    title: str
    language: str  # of the title
    since: date | None


@dataclass(frozen=True)
class Version:
    """One version of a regulation, the id of the one before it (empty for the first), and whether it is in force."""

    told: Dated
    before: str
    current: bool


def dated(book: Rulebook, language: str) -> Dated:
    return Dated(book.id, book_name(book.id, language), book.law.title, book.language, book.law.enacted.in_force)


def history(book: Rulebook, language: str, on: date) -> list[Version]:
    """All versions of the regulation of a rulebook, oldest first; empty if it is the only one."""
    every = versions(regulation_of(book))
    now = in_force(regulation_of(book), on)
    found = [Version(dated(one, language), old.id if (old := former(one)) else "", one is now) for one in every]
    return found if len(found) > 1 else []
