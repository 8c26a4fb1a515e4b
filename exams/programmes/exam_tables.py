"""The tables at which a programme examines: chosen among those of the house, kept in its rules as they were then."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

import msgspec
from django.utils.translation import gettext as _

from exams.programmes.rules import Rules
from rules_engine import RULEBOOKS, Table, encode
from rules_engine.narration import book_name, table_name
from rules_engine.words import money
from training.house import tables

Named = Mapping[str, tuple[Table, ...]]


def key_of(book: str, table: Table) -> str:
    """Identifies a table by its contents, so that one that changed meanwhile is not taken for the one that was seen."""
    return f"{book}:{sha256(encode(table)).hexdigest()[:16]}"


def offered(kept: Named) -> dict[str, tuple[str, Table]]:
    """The tables in use by the house and those that the draft names already, by key."""
    found: dict[str, tuple[str, Table]] = {}
    for book, listed in tables.listed_by_book(RULEBOOKS).items():
        for table in (*(one.table for one in tables.used(listed)), *kept.get(book, ())):
            found.setdefault(key_of(book, table), (book, table))
    return found


def choices(kept: Named, language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """For a form: the name of each rulebook with its tables."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, (book, table) in offered(kept).items():
        groups.setdefault(book_name(book, language), []).append((key, told(table, language)))
    return list(groups.items())


def told(table: Table, language: str) -> str:
    """The table's name and its least bet, or only the name if that is the least bet."""
    least = money(table.minimum, table.currency, language)
    name = table_name(table, language)
    if name.replace(" ", "\N{NO-BREAK SPACE}") == least:
        return name
    return _("%(table)s (minimum %(sum)s)") % {"table": name, "sum": least}


def named(keys: Iterable[str], kept: Named, books: Iterable[str]) -> dict[str, tuple[Table, ...]]:
    """The tables with these keys, of these rulebooks."""
    known, wanted = offered(kept), set(books)
    found: dict[str, tuple[Table, ...]] = {}
    for key in keys:
        book, table = known[key]
        if book in wanted:
            found[book] = (*found.get(book, ()), table)
    return found


def completed(rules: Rules) -> Rules:
    """The rules with the tables of the house for rulebooks for which they name none, unless those are the usual ones.

    So the second person sees what will be examined, and nobody can change it afterwards by changing a table.
    """
    found = dict(rules.tables)
    for book in rules.rulebooks:
        if book in RULEBOOKS and not found.get(book):
            own = tables.of_house(book)
            if not tables.is_usual(own, book):
                found[book] = own
    return msgspec.structs.replace(rules, tables=found)


def foreign(rules: Rules, kept: Named) -> list[tuple[str, Table]]:
    """The named tables that the house does not have and the draft did not name before."""
    known = {(book, table) for book, table in offered(kept).values()}
    listed = tables.listed_by_book(book for book in rules.tables if book in RULEBOOKS)
    known |= {(book, one.table) for book, offers in listed.items() for one in offers}
    return [(book, table) for book, own in rules.tables.items() for table in own if (book, table) not in known]
