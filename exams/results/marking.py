"""Marks an answer with the engine and the corrections from appeals. Pure: nothing is written."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exams.records.models import ExamItem
from exams.results.decision import Marked
from exams.results.models import Mark
from rules_engine import Mark as EngineMark
from rules_engine import Scenario
from rules_engine.announcements import plain
from rules_engine.grading import Part, normal
from rules_engine.ruling import Kind
from training.platform.engine_json import document
from training.platform.measure import measure

BLANK: tuple[Any, ...] = (None, "", [])


class MarkValues(Struct, frozen=True, kw_only=True):
    """A mark before it is stored: the columns of `results.Mark` that the engine and appeals determine."""

    points: int
    of: int
    critical_missed: bool
    voided: bool
    engine: str
    edition: str
    mark_document: Any
    ruling_document: Any

    def same_as(self, mark: Mark) -> bool:
        """Whether it is worth the same as `mark`; a newer engine with the same result changes nothing."""
        ours = (self.points, self.of, self.critical_missed, self.voided)
        return ours == (mark.points, mark.of, mark.critical_missed, mark.voided)


def mark_item(item: ExamItem, answer: Mapping[str, Any]) -> MarkValues:
    """Marks an answer as stored (`{"parts": …}` or empty). Unanswered questions get no points."""
    scenario = item.scenario
    measured = measure(scenario, answer or {"parts": {}})
    mark = _accepted(measured.mark, item.corrections, scenario)
    return MarkValues(
        points=mark.points,
        of=mark.of,
        critical_missed=mark.critical_missed,
        voided=item.voided_at is not None,
        engine=mark.version,
        edition=scenario.book.edition,
        mark_document=document(mark),
        ruling_document=document(measured.ruling),
    )


def marked(item: ExamItem, mark: Mark | MarkValues) -> Marked:
    """The part of a mark that the decision needs."""
    return Marked(
        section=item.section,
        line=item.line,
        points=mark.points,
        of=mark.of,
        critical_missed=mark.critical_missed,
        voided=mark.voided,
        critical_blank=only_blank(mark.mark_document) if mark.critical_missed else False,
    )


def only_blank(mark_document: Mapping[str, Any]) -> bool:
    """Whether every critical decision that was missed was left blank."""
    missed = [part for part in mark_document["parts"] if part.get("critical") and part["points"] != part["of"]]
    return all(part.get("given") in BLANK for part in missed)


def _accepted(mark: EngineMark, corrections: Mapping[str, list[Any]], scenario: Scenario) -> EngineMark:
    """The mark with the answers accepted on appeal counted as right."""
    if not corrections:
        return mark
    kinds = {question.key: question.kind for question in scenario.questions}
    parts = tuple(
        replace(part, points=part.of, reason="", values={})
        if _also_right(part, corrections.get(part.key, []), kinds[part.key], scenario)
        else part
        for part in mark.parts
    )
    return replace(
        mark,
        parts=parts,
        points=sum(part.points for part in parts),
        critical_missed=any(part.critical and not part.correct for part in parts),
    )


def _also_right(part: Part, accepted: list[Any], kind: Kind, scenario: Scenario) -> bool:
    if part.correct or part.given in BLANK:
        return False
    given = _compared(part.given, part.key, kind, scenario)
    return any(_compared(value, part.key, kind, scenario) == given for value in accepted)


def _compared(value: Any, key: str, kind: Kind, scenario: Scenario) -> Any:
    """Normalised as the engine compares it; words ignore case, accents and punctuation."""
    if kind == "words":
        return plain(str(value), scenario.book.language)
    return normal(value, key, kind, scenario)
