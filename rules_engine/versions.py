"""The versions of a regulation, and which one is in force on a day.

A rulebook is one version. Its `law.toml` names the regulation and the day since which it is in force. A text that
states no date counts from the day of the version it replaces, because nothing else is known about it.
"""

from datetime import date

from rules_engine.game import RULEBOOKS
from rules_engine.rulebook import Rulebook


def versions(regulation: str) -> tuple[Rulebook, ...]:
    """The versions of a regulation, oldest first."""
    return tuple(sorted((book for book in RULEBOOKS.values() if regulation_of(book) == regulation), key=_place))


def regulation_of(book: Rulebook) -> str:
    return book.law.enacted.regulation


def in_force(regulation: str, on: date) -> Rulebook | None:
    """The version in force on a day; None before the first one."""
    begun = [book for book in versions(regulation) if _place(book)[0] <= on]
    return begun[-1] if begun else None


def is_in_force(book: Rulebook, on: date) -> bool:
    return in_force(regulation_of(book), on) is book


def former(book: Rulebook) -> Rulebook | None:
    """The version that it replaced, if any."""
    return next(iter(earlier(book)[-1:]), None)


def earlier(book: Rulebook) -> tuple[Rulebook, ...]:
    """Every version before it, oldest first."""
    found = versions(regulation_of(book))
    return found[: found.index(book)]


def later(book: Rulebook) -> tuple[Rulebook, ...]:
    """Every version after it, oldest first."""
    found = versions(regulation_of(book))
    return found[found.index(book) + 1 :]


def _place(book: Rulebook) -> tuple[date, bool]:
    """Its place in time: the day it came into force, or just after the version it replaces."""
    enacted = book.law.enacted
    if enacted.in_force:
        return enacted.in_force, False
    replaced = RULEBOOKS.get(enacted.replaces)
    return (_place(replaced)[0], True) if replaced else (date.min, False)
