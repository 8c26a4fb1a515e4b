"""The rules of a programme as one plain value: what is examined, how long, what passes, how long it is worth."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Percent = Annotated[int, Meta(ge=0, le=100)]
Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]


class BadRules(Exception):
    """Rules that cannot be; the message says what and where."""


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many items of one topic of a rulebook at one difficulty, each worth so many points."""

    rulebook: str
    topic: str
    difficulty: Annotated[int, Meta(ge=1, le=5)] = 2
    items: Positive
    points: Positive = 1


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the exam with a pass mark of its own (0 for none). `key` names it in forms and results."""

    key: str
    names: dict[str, str]
    lines: tuple[Line, ...]
    pass_mark: Percent = 0

    def name(self, language: str) -> str:
        return self.names.get(language) or next(filter(None, self.names.values()), self.key)


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    # What the certificate entitles to deal.
    rulebooks: tuple[str, ...]
    sections: tuple[Section, ...]
    minutes: Positive
    pass_mark: Percent
    # How many items may contain a missed critical decision; None where they do not count by themselves.
    critical_allowed: Natural | None = 0
    # How much of each rulebook must be known in practice before one may sit (percent of its rules; 0 for none).
    mastery: Percent = 0
    tries: Positive = 3
    wait_days: Natural = 14
    valid_months: Positive = 24
    # How long before its end a certificate may be renewed.
    renewal_days: Natural = 90
    examiners: Literal["instructors", "appointed"] = "instructors"
    # Whether somebody may examine, decide about or review a person they taught.
    taught_may_examine: bool = False
    release: Literal["when_graded", "by_examiner"] = "when_graded"
    decision: Literal["by_rule", "by_examiner"] = "by_rule"
    certificate: Literal["by_rule", "by_hr"] = "by_rule"
    appeal_days: Natural = 14
    review_days: Positive = 30

    @property
    def items(self) -> int:
        return sum(line.items for section in self.sections for line in section.lines)

    @property
    def points(self) -> int:
        return sum(line.items * line.points for section in self.sections for line in section.lines)


def rules_from(data: object) -> Rules:
    try:
        return msgspec.convert(data, Rules)
    except msgspec.ValidationError as error:
        raise BadRules(str(error)) from None
