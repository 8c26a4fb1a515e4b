"""The regulations as data: every article as a row of a checklist, every number with the article it comes from."""

import csv
import tomllib
from functools import cached_property
from importlib.resources import files
from typing import Any

from msgspec import Struct

from rules_engine.errors import UnknownName
from rules_engine.words import FALLBACK, catalogue, text

TESTED_KINDS = ("decision", "announcement", "procedure")


class Row(Struct, frozen=True):
    """One clause of a regulation, told in our own words. `hold` keeps it out of exams until its reading is settled."""

    cite: str
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
    """How an open question of a text is answered here, until somebody with authority answers it."""

    id: str
    where: str
    question: str
    reading: str


class Law:
    """One regulation: its rows by citation and its numbers by name.

    `like` names another regulation that it repeats word for word but for the rows and numbers of its own.
    """

    def __init__(self, rulebook: str, like: "Law | None" = None) -> None:
        self.rulebook = rulebook
        self.like = like

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The rows of its own checklist."""
        with (files("rules_engine") / "law" / f"{self.rulebook}.csv").open(encoding="utf-8") as lines:
            return {row.cite: row for row in map(_row, csv.DictReader(lines))}

    @cached_property
    def numbers(self) -> dict[str, dict[str, Any]]:
        source = files("rules_engine") / "law" / f"{self.rulebook}.toml"
        own = tomllib.loads(source.read_text("utf-8"))
        return self.like.numbers | own if self.like else own

    @cached_property
    def clauses(self) -> dict[str, Row]:
        """Every row that can be cited: its own and those of the regulation it repeats."""
        return self.like.clauses | self.rows if self.like else self.rows

    def row(self, cite: str) -> Row:
        try:
            return self.clauses[cite]
        except KeyError:
            raise UnknownName(f"article of {self.rulebook}", cite) from None

    def __contains__(self, cite: str) -> bool:
        return cite in self.clauses


def _row(record: dict[str, str]) -> Row:
    return Row(
        cite=" ".join(filter(None, (record["article"], record["clause"]))),
        topic=record["topic"],
        kind=record["kind"],
        text=record["text"],
        depends_on=tuple(filter(None, record["depends_on"].split(";"))),
        hold=record["hold"] == "yes",
        reading=record["reading"],
        notes=record["notes"],
    )


def readings(language: str = "en") -> dict[str, Reading]:
    """The open questions of all the texts, by id, told in a language."""
    ids = dict.fromkeys(key.split(".")[1] for key in catalogue(FALLBACK) if key.startswith("reading."))
    parts = ("where", "question", "reading")
    return {id: Reading(id, *(text(f"reading.{id}.{part}", language) for part in parts)) for id in ids}
