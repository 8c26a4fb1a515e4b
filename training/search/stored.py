"""Indexes of the rulebooks in a file, so that a process that searches reads only the words it needs.

`make setup` writes the file (`manage.py index_search`). Its name contains a digest of what it was made from; where
there is no such file, as after a change of a rulebook, each process makes the indexes in memory at its first search.
"""

import json
import sqlite3
from array import array
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from django.conf import settings

import rules_engine
from rules_engine import RULEBOOKS
from rules_engine.versions import regulation_of
from training.search.ranking import Index, K, Ranking

SUFFIXES = {".py", ".toml", ".csv"}
TABLES = """
create table kept (name text primary key, value text not null);
create table terms (name text, term text, documents blob, scores blob, primary key (name, term)) without rowid;
"""
T = TypeVar("T")


class Stored(Ranking[K]):
    """An index in the file. Keys are tuples."""

    def __init__(self, name: str, connection: sqlite3.Connection, keys: list[list[Any]]) -> None:
        self._name, self._connection = name, connection
        self._keys = cast(list[K], [tuple(key) for key in keys])
        self.scores = lru_cache(maxsize=2_000)(self._read)  # type: ignore[method-assign]

    def scores(self, term: str) -> Mapping[K, float]:
        return self._read(term)

    def _read(self, term: str) -> Mapping[K, float]:
        found = self._connection.execute(
            "select documents, scores from terms where name = ? and term = ?", (self._name, term)
        ).fetchone()
        if not found:
            return {}
        return dict(zip((self._keys[place] for place in array("H", found[0])), array("f", found[1]), strict=True))


def ranking(name: str, make: Callable[[], Index[K]]) -> Ranking[K]:
    """The index from the file, or made now."""
    connection = _opened()
    if connection is None:
        return make()
    return Stored(name, connection, value(name, list))


def value(name: str, make: Callable[[], T]) -> T:
    """Something else from the file (JSON), or made now."""
    connection = _opened()
    found = connection and connection.execute("select value from kept where name = ?", (name,)).fetchone()
    return cast(T, json.loads(found[0])) if found else make()


def write(indexes: Mapping[str, Index[Any]], values: Mapping[str, Any]) -> Path:
    """Write the file, and remove those of earlier rulebooks."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    connection = sqlite3.connect(fresh)
    connection.executescript(TABLES)
    for name, index in indexes.items():
        places = {key: place for place, key in enumerate(index.keys())}
        for term in index.terms():
            scores = index.scores(term)
            row = (name, term, array("H", map(places.__getitem__, scores)), array("f", scores.values()))
            connection.execute("insert into terms values (?, ?, ?, ?)", row)
        connection.execute("insert into kept values (?, ?)", (name, json.dumps([list(key) for key in places])))
    connection.executemany(
        "insert into kept values (?, ?)", [(name, json.dumps(kept)) for name, kept in values.items()]
    )
    connection.commit()
    connection.close()
    for old in path.parent.glob("*.sqlite3"):
        old.unlink()
    return fresh.rename(path)


@cache
def _opened() -> sqlite3.Connection | None:
    path = _path()
    if not path.is_file():
        return None
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _path() -> Path:
    return Path(settings.SEARCH_DIR) / f"{_digest()}.sqlite3"


def _digest() -> str:
    """A digest of the engine, of the search, and of the versions of regulations that the house loaded."""
    found = sha256()
    engine, search = Path(rules_engine.__file__).parent, Path(__file__).parent
    made_by = [search.parent / "library" / "incident_search.py", search.parent / "rulebooks" / "law_search.py"]
    read = [path for root in (engine, search) for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES]
    for path in (*read, *made_by):
        found.update(path.name.encode())
        found.update(path.read_bytes())
    for book in RULEBOOKS.values():
        found.update(book.id.encode())
        if regulation_of(book) != book.id:
            found.update("\n".join(row.text for row in book.law.clauses.values()).encode())
    return found.hexdigest()[:32]
