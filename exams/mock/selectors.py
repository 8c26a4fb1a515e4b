"""Queries for mock exams: a person's own, and their outcome under the programme's rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch, QuerySet

from exams.mock.models import Mock, MockItem
from exams.programmes.rules import Line, Rules
from exams.results.decision import Marked, Outcome, decide
from exams.results.marking import only_blank
from exams.results.paper import WeakTopic
from exams.results.words import SectionSummary, percent, reasons_in_words, section_summaries
from exams.sittings.selectors import StripItem
from rules_engine.narration import topic_name
from training.people.models import User
from training.practice.models import Attempt, Mark


@dataclass(frozen=True)
class MockSummary:
    """The outcome, in the words used for results."""

    passed: bool
    percent: str
    needed: int
    overall_enough: bool
    sections: list[SectionSummary]
    reasons: list[str]
    weak: list[WeakTopic]
    items: list[tuple[MockItem, str, Mark]]


def mocks(person: User) -> QuerySet[Mock]:
    """Newest first, with the parts of the items that `came_to` needs."""
    mark = "drill__attempt__mark"
    needed = ["mock", "section", "line", "drill__id", "drill__attempt__drill", "drill__attempt__state"]
    needed += [
        f"{mark}__attempt",
        f"{mark}__points",
        f"{mark}__of",
        f"{mark}__critical_missed",
        f"{mark}__mark_document",
    ]
    items = Prefetch("items", MockItem.objects.select_related(mark).only(*needed))
    found = Mock.objects.filter(person=person).select_related("programme_version__programme")
    return found.order_by("-started_at").prefetch_related(items)


def came_to(mock: Mock) -> tuple[bool, str] | None:
    """Whether it would be passed, and the score; None until everything is marked."""
    graded = _graded(list(mock.items.all())) if mock.closed_at else None
    if graded is None:
        return None
    outcome = _outcome(mock.programme_version.rules, graded)
    return outcome.passed, percent(outcome.score.percent)


def not_yet_drills(people: list[int]) -> Iterator[tuple[int, Any]]:
    """The cases of mock exams in progress, by person; closed ones are drills."""
    found = MockItem.objects.filter(mock__person__in=people, drill=None)
    return found.values_list("mock__person_id", "scenario_document").iterator()


def strip(mock: Mock) -> list[StripItem]:
    found = mock.items.values_list("position", "answer", "marked")
    return [
        StripItem(position, answered=bool(answer.get("parts")), marked=marked) for position, answer, marked in found
    ]


def summarise(mock: Mock, language: str) -> MockSummary | None:
    """The outcome in words; None until everything is marked. Unmarked items count nothing."""
    graded = _graded(list(mock.items.select_related("drill__attempt__mark")))
    if graded is None:
        return None
    rules = mock.programme_version.rules
    outcome = _outcome(rules, graded)
    return MockSummary(
        passed=outcome.passed,
        percent=percent(outcome.score.percent),
        needed=outcome.pass_mark,
        overall_enough=outcome.score.exact >= outcome.pass_mark,
        sections=section_summaries(outcome, rules, language),
        reasons=reasons_in_words(outcome, rules, language),
        weak=_weak(rules, graded, language),
        items=[(item, _name(rules.lines[item.line], language), mark) for item, mark in graded],
    )


def _graded(items: list[MockItem]) -> list[tuple[MockItem, Mark]] | None:
    if any(item.drill and item.drill.attempt.state == Attempt.State.SUBMITTED for item in items):
        return None
    return [(item, item.drill.attempt.mark) for item in items if item.drill and hasattr(item.drill.attempt, "mark")]


def _outcome(rules: Rules, graded: list[tuple[MockItem, Mark]]) -> Outcome:
    return decide(rules, [_marked(item, mark) for item, mark in graded])


def _marked(item: MockItem, mark: Mark) -> Marked:
    return Marked(
        section=item.section,
        line=item.line,
        points=mark.points,
        of=mark.of,
        critical_missed=mark.critical_missed,
        voided=False,
        critical_blank=only_blank(mark.mark_document),
    )


def _weak(rules: Rules, graded: list[tuple[MockItem, Mark]], language: str) -> list[WeakTopic]:
    """The lines that cost points, the most expensive first."""
    lost: dict[int, Fraction] = {}
    for item, mark in graded:
        missed = 1 - Fraction(mark.points, mark.of) if mark.of else Fraction(0)
        lost[item.line] = lost.get(item.line, Fraction(0)) + missed
    worth = sorted(lost, key=lambda number: -lost[number] * rules.lines[number].points)
    return [_weak_line(rules.lines[number], lost[number], language) for number in worth if lost[number]]


def _weak_line(line: Line, lost: Fraction, language: str) -> WeakTopic:
    reached = int(100 * (1 - lost / line.items))
    return WeakTopic(f"{line.rulebook}/{line.topic}", _name(line, language), line.difficulty, reached)


def _name(line: Line, language: str) -> str:
    return topic_name(line.rulebook, line.topic, language)
