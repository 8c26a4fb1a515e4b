"""The table at which an edited scenario is played: one of the house, or the one it has already."""

from django.utils.translation import gettext as _

from rules_engine import Rulebook, Table
from rules_engine.narration import table_name
from training.house import tables
from training.people.request import language

KEPT = "kept"


def at(book: Rulebook, key: str, kept: Table | None) -> Rulebook:
    """The rulebook at the table with this key. Keeps the table it has if the house does not use that one."""
    if key in ("", KEPT):
        return book.at(kept) if kept else book
    found = next((one.table for one in tables.in_use(book.id) if one.key == key), None)
    return book.at(found) if found else book


def first(book: Rulebook, key: str = "") -> Rulebook:
    """The rulebook at the table with this key, or at the first one of the house."""
    used = tables.in_use(book.id)
    return book.at(next((one.table for one in used if one.key == key), used[0].table))


def choices(book: Rulebook) -> list[tuple[str, str, bool]]:
    """The tables to choose from as (key, name, chosen): those of the house, and the present one if it is none of
    them."""
    now, used = book.given_table, tables.in_use(book.id)
    known = [one for one in used if one.table == now][:1]
    found = [(one.key, table_name(one.table, language()), one in known) for one in used]
    if known:
        return found
    name = table_name(now, language()) if now else _("None: sums in the money of the regulation")
    return [(KEPT, name, True), *found]
