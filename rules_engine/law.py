"""The regulations as data: every article is a row of a checklist, every number names the article it comes from."""

import csv
import tomllib
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any

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


class Law:
    """One regulation: its rows by citation and its numbers by name.

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

    @cached_property
    def title(self) -> str:
        """The name of the regulation, in its own language."""
        return str(tomllib.loads((self._folder / "law.toml").read_text("utf-8"))["title"])

    @cached_property
    def _own(self) -> dict[str, Row]:
        with (self._folder / "clauses.csv").open(encoding="utf-8") as lines:
            return {row.cite: row for row in map(_row, csv.DictReader(lines))}

    @cached_property
    def rows(self) -> dict[str, Row]:
        return {cite: row for cite, row in self._own.items() if row.kind != ABSENT}

    @cached_property
    def numbers(self) -> dict[str, dict[str, Any]]:
        own = tomllib.loads((self._folder / "numbers.toml").read_text("utf-8"))
        every = self.like.numbers | own if self.like else own
        return {name: entry for name, entry in every.items() if not entry.get(ABSENT)}

    @cached_property
    def clauses(self) -> dict[str, Row]:
        """Every row that can be cited: its own and those of the regulation it repeats."""
        every = self.like.clauses | self._own if self.like else self._own
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
            source = self._folder / "summaries" / f"{language}.toml"
            own = tomllib.loads(source.read_text("utf-8")) if source.is_file() else {}
            inherited = self.like.summaries(language) if self.like else {}
            # Its own clause differs from the one it replaces.
            self._summaries[language] = {cite: inherited[cite] for cite in inherited.keys() - self._own.keys()} | own
        return self._summaries[language]

    def summary(self, cite: str, language: str) -> str:
        """What a clause says, in the language or, if there is no translation, in English."""
        if cite in self.silences and self.left_open:
            return self.left_open(cite, language)
        return self.summaries(language).get(cite) or self.row(cite).text

    def __contains__(self, cite: str) -> bool:
        return cite in self.clauses or cite in self.silences


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
