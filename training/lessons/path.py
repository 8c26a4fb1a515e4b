"""A rulebook as a path: a chapter for each topic in teaching order, made of short lessons, with the trainee's state."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, pairwise
from math import ceil
from typing import Literal

from rules_engine import rulebook
from rules_engine.narration import cited, topic_name
from rules_engine.words import FALLBACK
from training.mastery.memory import Rule
from training.mastery.selectors import KnownRule

MOST_RULES = 5  # in one lesson

State = Literal["new", "learning", "due", "known"]


@dataclass(frozen=True)
class Taught:
    """One rule of a lesson: what it says, and how well the trainee knows it."""

    rule: Rule
    reader: str  # the reader's language
    state: State
    retention: float

    @property
    def cited(self) -> str:
        return cited(self.rule.cite, rulebook(self.rule.rulebook), self.reader)

    @property
    def text(self) -> str:
        return rulebook(self.rule.rulebook).law.summary(self.rule.cite, self.reader)

    @property
    def language(self) -> str:
        """The language of the text."""
        law = rulebook(self.rule.rulebook).law
        translated = self.rule.cite in law.silences or self.rule.cite in law.summaries(self.reader)
        return self.reader if translated else FALLBACK


@dataclass(frozen=True)
class Lesson:
    number: int
    of: int
    rules: Sequence[Taught]

    @property
    def key(self) -> str:
        """Its id in forms: its first rule."""
        return f"{self.rules[0].rule.rulebook}/{self.rules[0].rule.cite}"

    @property
    def state(self) -> State:
        return _overall(taught.state for taught in self.rules)

    @property
    def known(self) -> int:
        return sum(taught.state == "known" for taught in self.rules)

    def next_rule(self) -> Taught:
        """The rule to practise next: new ones in order, then what is due, then the least known."""
        order: dict[State, int] = {"new": 0, "due": 1, "learning": 2, "known": 3}
        return min(self.rules, key=lambda taught: (order[taught.state], taught.retention))

    @property
    def finished(self) -> bool:
        """Whether nothing in it is new or due."""
        return all(taught.state in ("learning", "known") for taught in self.rules)


@dataclass(frozen=True)
class Chapter:
    """A topic with its lessons."""

    rulebook: str
    topic: str
    name: str
    lessons: Sequence[Lesson]
    levels: Sequence[int]

    @property
    def subject(self) -> str:
        return f"{self.rulebook}/{self.topic}"

    @property
    def known(self) -> int:
        return sum(lesson.known for lesson in self.lessons)

    @property
    def total(self) -> int:
        return sum(len(lesson.rules) for lesson in self.lessons)

    @property
    def state(self) -> State:
        return _overall(lesson.state for lesson in self.lessons)


def path(rules: Iterable[KnownRule], language: str, now: datetime) -> list[Chapter]:
    """The chapters of one rulebook. `rules` are all its rules, in teaching order."""
    return [_chapter(topic, list(items), language, now) for topic, items in groupby(rules, key=lambda item: item.topic)]


def current(chapters: Sequence[Chapter]) -> Lesson | None:
    """The first lesson the trainee has not finished; None if all are."""
    return next((lesson for chapter in chapters for lesson in chapter.lessons if not lesson.finished), None)


def lesson_of(chapters: Iterable[Chapter], rule: Rule) -> tuple[Chapter, Lesson] | None:
    found = ((chapter, lesson) for chapter in chapters for lesson in chapter.lessons)
    return next(((c, lesson) for c, lesson in found if any(taught.rule == rule for taught in lesson.rules)), None)


def _chapter(topic: str, items: Sequence[KnownRule], language: str, now: datetime) -> Chapter:
    book = items[0].rule.rulebook
    taught = [Taught(item.rule, language, _state(item, now), item.retention or 0.0) for item in items]
    count = ceil(len(taught) / MOST_RULES)
    # Lessons of about the same size: six rules make two lessons of three, not five and one.
    cuts = [round(len(taught) * part / count) for part in range(count + 1)]
    return Chapter(
        rulebook=book,
        topic=topic,
        name=topic_name(book, topic, language),
        lessons=[Lesson(number, count, taught[begin:end]) for number, (begin, end) in enumerate(pairwise(cuts), 1)],
        levels=rulebook(book).game.levels(topic),
    )


def _overall(states: Iterable[State]) -> State:
    """`due` if any is due, the common state if they agree, else `learning`."""
    found = set(states)
    if "due" in found:
        return "due"
    return found.pop() if len(found) == 1 else "learning"


def _state(item: KnownRule, now: datetime) -> State:
    if item.retention is None:
        return "new"
    if item.due is not None and item.due <= now:
        return "due"
    return "known" if item.known else "learning"
