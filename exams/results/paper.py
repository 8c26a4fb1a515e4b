"""A marked paper: each item with the answer, the right answer and the reasoning, for those who may see it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from exams.papers.exam_bank import is_closed_to
from exams.results import selectors
from exams.results.models import Result
from exams.results.selectors import GradedItem
from rules_engine.narration import topic_name
from training.library.guarded_cases import Watches
from training.people.models import User
from training.practice.feedback import Feedback, feedback
from training.practice.presentation import story


@dataclass(frozen=True)
class PaperItem:
    """One item of a marked paper. `feedback` is None in lists of marks and for cases the reader may not see."""

    graded: GradedItem
    section: str
    topic: str
    feedback: Feedback | None = None

    @property
    def position(self) -> int:
        return self.graded.form_item.position

    @property
    def worth(self) -> int:
        return self.graded.form_item.item.points


def marks_only(result: Result, language: str) -> list[PaperItem]:
    return [_item(graded, result, language) for graded in selectors.graded_items(result)]


def marked_paper(result: Result, reader: User, language: str) -> list[PaperItem]:
    """Every item with answer, right answer and reasoning, for staff. Cases closed to the reader have no feedback."""
    watches, judges, found = Watches(), judges_now(reader, result), selectors.graded_items(result, documents=True)
    closed = [is_closed_to(reader, graded.form_item.item, watches, judges=judges) for graded in found]
    return [
        _item(graded, result, language, None if kept else _feedback(graded, language))
        for graded, kept in zip(found, closed, strict=True)
    ]


def judges_now(reader: User, result: Result) -> bool:
    """Whether the reader reads the paper to judge it."""
    return result.decided_at is None and not reader.only_reads


def item_context(result: Result, position: int, language: str, address: Callable[[int], str]) -> dict[str, Any]:
    """Template context for one item's page; `address` returns the page of another position. Raises Http404."""
    found = selectors.graded_items(result, documents=True, position=position)
    if not found:
        raise Http404
    graded, count = found[0], result.programme_version.rules.items
    item = graded.form_item.item
    return {
        "session": result.sitting.candidate.session,
        "graded": graded,
        "item": item,
        "topic": topic_name(item.rulebook, item.topic, language),
        "section": result.programme_version.rules.section_name(item.section, language),
        "story": story(item.scenario, language, version=item.version, ruling=graded.mark.ruling),
        "feedback": _feedback(graded, language),
        "before": address(position - 1) if position > 1 else "",
        "after": address(position + 1) if position < count else "",
    }


def _item(graded: GradedItem, result: Result, language: str, feedback: Feedback | None = None) -> PaperItem:
    item = graded.form_item.item
    section = result.programme_version.rules.section_name(item.section, language)
    return PaperItem(graded, section, topic_name(item.rulebook, item.topic, language), feedback)


def _feedback(graded: GradedItem, language: str) -> Feedback:
    item = graded.form_item.item
    return feedback(item.scenario, graded.mark, language, version=item.version)


@dataclass(frozen=True)
class WeakTopic:
    """A topic in which points were lost, for practice."""

    subject: str
    name: str
    difficulty: int
    percent: int


def weak_topics(result: Result, language: str) -> list[WeakTopic]:
    """The topics in which a result lost points, worst first."""
    got: dict[tuple[str, str, int], list[tuple[int, int]]] = {}
    for graded in selectors.graded_items(result):
        item, mark = graded.form_item.item, graded.mark
        if not mark.voided:
            got.setdefault((item.rulebook, item.topic, item.difficulty), []).append((mark.points, mark.of))
    found = [
        WeakTopic(f"{book}/{topic}", topic_name(book, topic, language), difficulty, _percent(marks))
        for (book, topic, difficulty), marks in got.items()
    ]
    return sorted((one for one in found if one.percent < 100), key=lambda one: one.percent)


def _percent(marks: list[tuple[int, int]]) -> int:
    return 100 * sum(points for points, _of in marks) // max(1, sum(of for _points, of in marks))
