"""A programme's rules as one plain value: what is examined, for how long, what passes, how long it is valid."""

from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from exams.programmes.practical_part import Practical
from rules_engine import Table, rulebook

Percent = Annotated[int, Meta(ge=0, le=100)]
Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]


class BadRules(Exception):
    """The rules are invalid; the message says what and where."""


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of items of one topic and difficulty, with points for each. `article`: only cases that turn on it."""

    rulebook: str
    topic: str
    article: str = ""
    difficulty: Annotated[int, Meta(ge=1, le=5)] = 2
    items: Positive
    points: Positive = 1


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the exam with its own pass mark (0 for none). `key` names it in forms and results."""

    key: str
    names: dict[str, str]
    lines: tuple[Line, ...]
    pass_mark: Percent = 0

    def name(self, language: str) -> str:
        return self.names.get(language) or next(filter(None, self.names.values()), self.key)


class Slot(NamedTuple):
    """A blueprint line with its number, counted from 0 across all sections, and its section's key."""

    number: int
    section: str
    line: Line


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    # What the certificate entitles to deal.
    rulebooks: tuple[str, ...]
    sections: tuple[Section, ...]
    minutes: Positive
    pass_mark: Percent
    # How many items with a missed critical decision are allowed; None if they do not fail the exam.
    critical_allowed: Natural | None = 0
    # Whether a critical decision left blank is a critical fault too.
    blank_critical: bool = False
    # The pass mark in each game, where the certificate is for several; 0 for none.
    game_mark: Percent = 0
    # Percentage of each rulebook's rules to know from practice before sitting; 0 for none.
    mastery: Percent = 0
    tries: Positive = 3
    wait_days: Natural = 14
    valid_months: Positive = 24
    # How long before its end a certificate can be renewed.
    renewal_days: Natural = 90
    examiners: Literal["instructors", "appointed"] = "instructors"
    # Whether somebody may judge a person they taught.
    taught_may_examine: bool = False
    release: Literal["when_graded", "by_examiner"] = "when_graded"
    decision: Literal["by_rule", "by_examiner"] = "by_rule"
    certificate: Literal["by_rule", "by_hr"] = "by_rule"
    # Whether annulling a sitting or giving its attempt back takes a second person.
    annulment: Literal["by_two", "by_one"] = "by_two"
    appeal_days: Natural = 14
    review_days: Positive = 30
    # For a refresher exam: the earlier versions whose certificate holders it brings up to date.
    refreshes: tuple[str, ...] = ()
    # The tables at which each rulebook is examined, as they were when this was written; the usual ones if not named.
    tables: dict[str, tuple[Table, ...]] = {}
    # The practical exam that must be passed too; None if the programme has none.
    practical: Practical | None = None

    @property
    def slots(self) -> list[Slot]:
        """The whole blueprint, line by line."""
        lines = ((section.key, line) for section in self.sections for line in section.lines)
        return [Slot(number, key, line) for number, (key, line) in enumerate(lines)]

    @property
    def lines(self) -> list[Line]:
        return [slot.line for slot in self.slots]

    @property
    def items(self) -> int:
        return sum(line.items for line in self.lines)

    @property
    def points(self) -> int:
        return sum(line.items * line.points for line in self.lines)

    @property
    def games(self) -> list[str]:
        """The games examined, in the order of the blueprint."""
        return list(dict.fromkeys(game_of(line) for line in self.lines))

    def tables_of(self, book: str) -> tuple[Table, ...]:
        """The tables at which a rulebook is examined. Later changes to the tables of the house do not matter."""
        return self.tables.get(book) or rulebook(book).usual_tables

    @property
    def in_room(self) -> bool:
        """Whether the practical exam takes place at a real table."""
        return self.practical is not None and self.practical.held == "table"

    def minutes_of(self, part: str) -> int:
        """How long a part of the exam lasts: `theory` or `practice`."""
        return self.practical.minutes if part == "practice" and self.practical else self.minutes

    def section_name(self, key: str, language: str) -> str:
        return next((section.name(language) for section in self.sections if section.key == key), key)


def game_of(line: Line) -> str:
    return rulebook(line.rulebook).game.id


def rules_from(data: object) -> Rules:
    try:
        return msgspec.convert(data, Rules)
    except msgspec.ValidationError as error:
        raise BadRules(str(error)) from None
