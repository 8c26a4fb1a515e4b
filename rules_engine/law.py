"""The regulations as data: every article is a row of a checklist, every number names the article it comes from."""

import csv
import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.errors import UnknownName

TESTED_KINDS = ("decision", "announcement", "procedure")
# Marks a clause or number of the other text that this one lacks, although it is otherwise like it.
ABSENT = "absent"


class Row(Struct, frozen=True):
    """One clause of a regulation, in our own words. `hold` keeps it out of exams until its reading is settled."""

    cite: str
    article: str
    topic: str
    kind: str
    text: str
    depends_on: tuple[str, ...] = ()
    hold: bool = False
    reading: str = ""
    notes: str = ""

    @property
    def tested(self) -> bool:
        return self.kind in TESTED_KINDS


class Reading(Struct, frozen=True):
    """How we answer an open question of a text, until somebody with authority does.

    `others` are the readings that the engine can follow instead, by name, each as a sentence.
    """

    id: str
    where: str
    question: str
    reading: str
    others: dict[str, str] = {}

    def told(self, choice: str) -> str:
        """The sentence of the chosen reading: another one, or the recorded one."""
        return self.others.get(choice, self.reading)


class Enacted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file `law.toml`: what the text is called, and which version of which regulation it is.

    - `title`: as a certificate cites it, in its own language.
    - `regulation`: the same for all versions of one regulation.
    - `part`: the number of its part, where each part numbers its articles anew and the rows leave it out.
    - `in_force`, `published`: None if the text at hand states no date. `replaces` then names the version before it.
    - `like`, `name`: only for amendments (`amendments.py`): the version they change, and their name by language.
    """

    title: str
    regulation: str
    part: str = ""
    in_force: date | None = None
    published: date | None = None
    replaces: str = ""
    like: str = ""
    name: dict[str, str] = {}


class Watched(dict[str, Any]):
    """Numbers that record which of them are read."""

    def __init__(self, numbers: dict[str, Any]) -> None:
        super().__init__(numbers)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)


class Law:
    """One version of a regulation: its rows by citation and its numbers by name.

    `like` is another regulation that it repeats word for word, apart from its own rows and numbers.
    """

    def __init__(self, rulebook: str, folder: Traversable, like: "Law | None" = None) -> None:
        self.rulebook = rulebook
        self.like = like
        self._folder = folder
        self._summaries: dict[str, dict[str, str]] = {}
        # What it does not decide, by kind of incident, and what it leaves open in words. Set by its game.
        self.silences: Mapping[str, Row] = {}
        self.left_open: Callable[[str, str], str] | None = None
        # Numbers that code reads when it is imported: an amendment cannot change them.
        self.built_in: frozenset[str] = frozenset()

    @cached_property
    def enacted(self) -> Enacted:
        return msgspec.toml.decode((self._folder / "law.toml").read_bytes(), type=Enacted)

    @property
    def title(self) -> str:
        """The name of the regulation, in its own language."""
        return self.enacted.title

    def numbered(self, cite: str) -> str:
        """A citation with the part of the regulation, so that articles with the same number can be told apart."""
        part = self.enacted.part or (self.like.enacted.part if self.like else "")
        return f"{part} {cite}" if part and cite[:1].isdigit() else cite

    @cached_property
    def own(self) -> dict[str, Row]:
        """Its own rows, also those that say that it lacks a clause."""
        source = self._folder / "clauses.csv"
        if self.like and not source.is_file():
            return {}
        with source.open(encoding="utf-8") as lines:
            return {row.cite: row for row in map(_row, csv.DictReader(lines))}

    @cached_property
    def rows(self) -> dict[str, Row]:
        return {cite: row for cite, row in self.own.items() if row.kind != ABSENT}

    @cached_property
    def own_numbers(self) -> dict[str, dict[str, Any]]:
        source = self._folder / "numbers.toml"
        return _table(source) if self.like else tomllib.loads(source.read_text("utf-8"))

    @cached_property
    def numbers(self) -> dict[str, dict[str, Any]]:
        every = self.like.numbers | self.own_numbers if self.like else self.own_numbers
        return Watched({name: entry for name, entry in every.items() if not entry.get(ABSENT)})

    def settle(self) -> None:
        """Note which numbers have been read until now, when all games are imported, and stop watching."""
        numbers = self.numbers
        if isinstance(numbers, Watched):
            self.built_in, self.numbers = frozenset(numbers.read), dict(numbers)

    @cached_property
    def clauses(self) -> dict[str, Row]:
        """Every row that can be cited: its own and those of the regulation it repeats."""
        every = self.like.clauses | self.own if self.like else self.own
        # Its own clause replaces that article of the other text.
        articles = list(dict.fromkeys(row.article for row in every.values()))
        in_order = sorted(every.values(), key=lambda row: articles.index(row.article)) if self.like else every.values()
        return {row.cite: row for row in in_order if row.kind != ABSENT}

    def row(self, cite: str) -> Row:
        """The row of a clause, or of an incident that it does not decide."""
        found = self.clauses.get(cite) or self.silences.get(cite)
        if found is None:
            raise UnknownName("article of {book:rulebook}", cite, book=self.rulebook)
        return found

    def summaries(self, language: str) -> dict[str, str]:
        """The summaries of its clauses in a language other than English, by citation; only those that exist."""
        if language not in self._summaries:
            own = _table(self._folder / "summaries" / f"{language}.toml")
            inherited = self.like.summaries(language) if self.like else {}
            # Its own clause differs from the one it replaces.
            self._summaries[language] = {cite: inherited[cite] for cite in inherited.keys() - self.own.keys()} | own
        return self._summaries[language]

    def summary(self, cite: str, language: str) -> str:
        """What a clause says, in the language or, if there is no translation, in English."""
        if cite in self.silences and self.left_open:
            return self.left_open(cite, language)
        return self.summaries(language).get(cite) or self.row(cite).text

    def __contains__(self, cite: str) -> bool:
        return cite in self.clauses or cite in self.silences


def _table(source: Traversable) -> dict[str, Any]:
    """A file of a rulebook; one that is like another leaves out what it does not change."""
    return tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}


def _row(record: dict[str, str]) -> Row:
    return Row(
        cite=" ".join(filter(None, (record["article"], record["clause"]))),
        article=record["article"],
        topic=record["topic"],
        kind=record["kind"],
        text=record["text"],
        depends_on=tuple(filter(None, record["depends_on"].split(";"))),
        hold=record["hold"] == "yes",
        reading=record["reading"],
        notes=record["notes"],
    )
