"""Scenarios and rulings for the pages of instructors, in the reader's language."""

from collections.abc import Iterable
from dataclasses import dataclass

import rules_engine
from rules_engine import Rulebook, Ruling, Scenario
from rules_engine import remarks as engine_remarks
from rules_engine.law import Reading
from rules_engine.narration import (
    CallLine,
    ask,
    book_name,
    call_log,
    citation,
    cited,
    narrate,
    reason,
    show,
    table_name,
    topic_name,
)
from training.drawing import Drawing, Said, table_view
from training.house.models import HouseRuling
from training.house.readings import questions, records
from training.library import authors
from training.library.author_texts import title
from training.library.guarded_cases import kept_back
from training.library.models import Version
from training.library.moments import count

MOST_CITED = 4  # articles beside a ruling in one line


@dataclass(frozen=True)
class Decided:
    question: str
    answer: str
    critical: bool


@dataclass(frozen=True)
class Asked:
    """A question of the kind of incident, and whether the author leaves it out."""

    key: str
    text: str
    critical: bool
    left_out: bool


@dataclass(frozen=True)
class Reasoned:
    cite: str
    text: str
    rulebook: str
    article: str
    pivot: bool
    reading: Reading | None
    # The reading that the house has adopted, if it has.
    house: HouseRuling | None = None

    @property
    def silent(self) -> bool:
        """Whether it is about what the rulebook does not decide."""
        return self.reading is not None and self.reading.id == self.article

    @property
    def read_so(self) -> str:
        return self.reading.told(self.house.choice if self.house else "") if self.reading else ""


@dataclass(frozen=True)
class Told:
    """A scenario for an instructor: what happened, the decisions, and why."""

    rulebook: str
    topic: str
    table: str  # its name; empty if it has none
    difficulty: int
    sentences: list[str]
    calls: list[CallLine]
    decisions: list[Decided]
    steps: list[Reasoned]
    exam_safe: bool
    questions: list[Asked]
    # Whether the questions left out keep it from exams.
    practice_only: bool = False
    # Why the ruling is not shown, if it is not.
    kept: str = ""

    @property
    def silent(self) -> bool:
        return any(step.silent for step in self.steps)

    @property
    def left_out(self) -> list[Asked]:
        return [question for question in self.questions if question.left_out]

    @property
    def headline(self) -> list[Decided]:
        """The decisions that matter most, in a line: the critical ones, at most two; else the first."""
        return [one for one in self.decisions if one.critical][:2] or self.decisions[:1]

    @property
    def turning_on(self) -> list[Reasoned]:
        """A step for each article of the ruling, those that it turns on first."""
        found: dict[str, Reasoned] = {}
        for step in sorted(self.steps, key=lambda one: not one.pivot):
            found.setdefault(step.cite, step)
        return list(found.values())[:MOST_CITED]


def told(scenario: Scenario, ruling: Ruling | None, language: str) -> Told:
    """A scenario with its ruling. Pass no ruling if this reader may not see it."""
    situation, book = scenario.situation, scenario.book
    return Told(
        rulebook=book_name(scenario.rulebook, language),
        topic=topic_name(scenario.rulebook, scenario.topic, language),
        table=table_name(scenario.table, language) if scenario.table else "",
        difficulty=scenario.difficulty,
        sentences=narrate(situation, book, language),
        calls=call_log(situation, book, language),
        decisions=[
            Decided(
                question=ask(decision.key, situation, book, language),
                answer=show(decision.key, decision.kind, decision.value, book, language),
                critical=decision.critical,
            )
            for decision in (ruling.decisions if ruling else ())
        ],
        steps=_steps(ruling, book, language) if ruling else [],
        exam_safe=ruling is None or ruling.exam_safe,
        questions=_asked(scenario, ruling, language),
        practice_only=rules_engine.practice_only(scenario),
        kept="" if ruling else kept_back(),
    )


def _asked(scenario: Scenario, ruling: Ruling | None, language: str) -> list[Asked]:
    """Every question of the kind of incident. Which are critical is part of the ruling."""
    critical = {decision.key for decision in (ruling.decisions if ruling else ()) if decision.critical}
    gone = scenario.left_out or ()
    return [
        Asked(one.key, ask(one.key, scenario.situation, scenario.book, language), one.key in critical, one.key in gone)
        for one in rules_engine.all_questions(scenario)
    ]


def _steps(ruling: Ruling, book: Rulebook, language: str) -> list[Reasoned]:
    known, by_house = questions(book, language), records(ruling.steps)
    return [
        Reasoned(
            cite=cited(step.cite, book, language)
            if step.cite in book.silences
            else citation(book.law.numbered(step.cite)),
            text=reason(step, book, language),
            rulebook=book.id,
            article=step.cite,
            pivot=step.pivot,
            reading=known.get(step.reading),
            house=by_house.get(step.adopted.record) if step.adopted else None,
        )
        for step in ruling.steps
    ]


def said(scenario: Scenario, language: str) -> list[Said]:
    """What was spoken, for the speech balloons at the table."""
    situation = scenario.situation
    lines = zip(situation.calls, call_log(situation, scenario.book, language), strict=True)
    return [
        Said(number, situation.whereabouts(call.by), line.words)
        for number, (call, line) in enumerate(lines, start=1)
        if line.spoken
    ]


def drawing(scenario: Scenario, ruling: Ruling | None = None) -> Drawing:
    """The table or, with a ruling, the table as it should end."""
    return table_view(
        scenario.situation,
        currency=scenario.book.currency,
        table=scenario.table or None,
        after=ruling.after if ruling is not None else None,
        rulebook=scenario.rulebook,
    )


@dataclass(frozen=True)
class Odd:
    """A remark of the engine on facts that are possible but odd. `fact` is named as in engine errors."""

    key: str
    fact: str
    text: str
    cite: str
    accepted: bool


def odd(scenario: Scenario, accepted: Iterable[str], language: str) -> list[Odd]:
    book, known = scenario.book, set(accepted)
    return [
        Odd(
            remark.key,
            remark.fact,
            engine_remarks.told(remark, book, language),
            cited(remark.cite, book, language) if remark.cite else "",
            remark.key in known,
        )
        for remark in engine_remarks.remarks(scenario.situation, book)
    ]


@dataclass(frozen=True)
class LibraryRow:
    """A version in a list."""

    version: Version
    title: str
    rulebook: str
    topic: str
    authors: str
    moments: int


def lines(versions: list[Version], language: str) -> list[LibraryRow]:
    return [
        LibraryRow(
            version,
            title(version, language),
            book_name(version.rulebook, language),
            topic_name(version.rulebook, version.topic, language),
            authors.names(version),
            count(version),
        )
        for version in versions
    ]
