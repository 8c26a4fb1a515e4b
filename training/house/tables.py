"""The tables of the house: its own, and those that come with a rulebook unless the house has switched them off."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules_engine import EngineError, Rulebook, Table, rulebook, table_from
from rules_engine.draw import Draw
from training.house import hooks
from training.house.models import ChosenTable, HouseTable

SHIPPED, OWN = "shipped", "own"


@dataclass(frozen=True)
class Offered:
    """A table that a house may use. `key` stays the same when the table is renamed."""

    key: str
    table: Table
    active: bool
    row: HouseTable | None = None

    @property
    def own(self) -> bool:
        return self.key.startswith(OWN)


def listed(book_id: str) -> list[Offered]:
    """Every table of a rulebook, in use or not: the house's own in their order, then those that come with it."""
    return _listed(rulebook(book_id), HouseTable.objects.filter(rulebook=book_id).order_by("position", "pk"))


def listed_by_book(books: Iterable[str]) -> dict[str, list[Offered]]:
    """The tables of several rulebooks, in one query."""
    held: dict[str, list[HouseTable]] = {book: [] for book in books}
    for row in HouseTable.objects.filter(rulebook__in=held).order_by("position", "pk"):
        held[row.rulebook].append(row)
    return {book: _listed(rulebook(book), rows) for book, rows in held.items()}


def in_use(book_id: str) -> list[Offered]:
    """The tables that the house uses; those usual for the rulebook if it has switched all of them off."""
    return used(listed(book_id))


def used(found: Sequence[Offered]) -> list[Offered]:
    """Those in use of the tables of a rulebook."""
    usual = [one for one in found if not one.own and not one.table.historical]
    return [one for one in found if one.active] or usual or list(found)


def of_house(book_id: str) -> tuple[Table, ...]:
    return tuple(one.table for one in in_use(book_id))


def of_trainee(trainee_id: int, book_id: str) -> tuple[Table, ...]:
    """The tables at which a trainee practises: the one they have chosen, else those named for them, else those of the
    house."""
    found = in_use(book_id)
    chosen = ChosenTable.objects.filter(trainee_id=trainee_id, rulebook=book_id).values_list("key", flat=True)
    for keys in (chosen, hooks.named_tables(trainee_id, book_id)):
        wanted = set(keys)
        if tables := tuple(one.table for one in found if one.key in wanted):
            return tables
    return tuple(one.table for one in found)


def chosen(trainee_id: int, books: Iterable[str]) -> dict[str, str]:
    """The keys of the tables that a trainee has chosen, by rulebook."""
    own = ChosenTable.objects.filter(trainee_id=trainee_id, rulebook__in=list(books))
    return dict(own.values_list("rulebook", "key"))


def choose(trainee_id: int, book_id: str, key: str) -> None:
    """Let a trainee practise a rulebook at this table of the house; at all of them if there is no key. Raises
    LookupError if the house does not use such a table."""
    if not key:
        ChosenTable.objects.filter(trainee_id=trainee_id, rulebook=book_id).delete()
        return
    if key not in [one.key for one in in_use(book_id)]:
        raise LookupError(key)
    ChosenTable.objects.update_or_create(trainee_id=trainee_id, rulebook=book_id, defaults={"key": key})


def pick(tables: Sequence[Table], seed: str) -> Table:
    """One of the tables, always the same for a seed."""
    return Draw("table", seed).pick(tables)


def is_usual(tables: Sequence[Table], book_id: str) -> bool:
    """Whether these are exactly the usual tables of the rulebook."""
    return set(tables) == set(rulebook(book_id).usual_tables)


def _listed(book: Rulebook, rows: Iterable[HouseTable]) -> list[Offered]:
    rows = list(rows)
    switched = {row.name: row for row in rows if row.shipped}
    own = [
        Offered(f"{OWN}-{row.pk}", table, row.active, row)
        for row in rows
        if not row.shipped and (table := _readable(row.document))
    ]
    return own + [_shipped(table, switched.get(table.name)) for table in book.tables]


def _shipped(table: Table, row: HouseTable | None) -> Offered:
    return Offered(f"{SHIPPED}-{table.name}", table, row.active if row else not table.historical, row)


def _readable(document: object) -> Table | None:
    """A stored table; None if this release cannot read it."""
    try:
        return table_from(document)
    except EngineError:
        return None
