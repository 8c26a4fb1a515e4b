"""What a regrade would change, in words: by candidate, item and question."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from exams.papers.exam_bank import still_in_use
from exams.regrading import selectors
from exams.regrading.models import RegradedMark, RegradedSitting
from exams.results.held_scores import secret_sittings
from exams.results.marking import MarkValues
from exams.results.words import percent
from rules_engine import Mark as EngineMark
from rules_engine import Scenario
from rules_engine.grading import Part
from rules_engine.narration import ask, show, topic_name


@dataclass(frozen=True)
class QuestionDifference:
    question: str
    given: str
    right_before: str
    right_after: str
    points_before: int
    points_after: int


@dataclass(frozen=True)
class ItemDifference:
    position: int
    topic: str
    before: str
    after: str
    voided: bool
    questions: list[QuestionDifference]


@dataclass(frozen=True)
class Difference:
    """What would change for one sitting. `kept` means its score is hidden, because others still answer the same
    cases."""

    row: RegradedSitting
    items: list[ItemDifference]
    kept: bool = False

    @property
    def before(self) -> str:
        return percent(self.row.before.score)

    @property
    def after(self) -> str:
        return "" if self.row.score is None else percent(self.row.score)


def differences(rows: Sequence[RegradedSitting], language: str) -> list[Difference]:
    """Differences per sitting. Leaves out questions that a session in use shares, and scores held back for that
    reason."""
    found: dict[UUID, list[ItemDifference]] = defaultdict(list)
    marks, held = selectors.marks_of(list(rows)), secret_sittings(row.before for row in rows)
    in_use = still_in_use({mark.before.form_item.item_id for mark in marks})
    for mark in marks:
        if mark.sitting_id not in held:
            found[mark.sitting_id].append(
                _item(mark, language, with_questions=mark.before.form_item.item_id not in in_use)
            )
    return [Difference(row, found[row.sitting_id], row.sitting_id in held) for row in rows]


def _item(mark: RegradedMark, language: str, *, with_questions: bool) -> ItemDifference:
    before, after = mark.before, msgspec.convert(mark.after, MarkValues)
    regraded = msgspec.convert(after.mark_document, EngineMark)
    item = before.form_item.item
    return ItemDifference(
        position=before.form_item.position,
        topic=topic_name(item.rulebook, item.topic, language),
        before=f"{before.points}/{before.of}",
        after=f"{after.points}/{after.of}",
        voided=after.voided and not before.voided,
        questions=_questions(item.scenario, before.engine_mark, regraded, language) if with_questions else [],
    )


def _questions(scenario: Scenario, before: EngineMark, after: EngineMark, language: str) -> list[QuestionDifference]:
    former = {part.key: part for part in before.parts}
    pairs = [(former[part.key], part) for part in after.parts if part.key in former]
    return [
        _question(scenario, old, new, language)
        for old, new in pairs
        if (old.points, old.right) != (new.points, new.right)
    ]


def _question(scenario: Scenario, old: Part, new: Part, language: str) -> QuestionDifference:
    kind = next(question.kind for question in scenario.questions if question.key == new.key)

    def shown(value: object) -> str:
        return show(new.key, kind, value, scenario.book, language)

    return QuestionDifference(
        question=ask(new.key, scenario.situation, scenario.book, language),
        given=shown(new.given),
        right_before=shown(old.right),
        right_after=shown(new.right),
        points_before=old.points,
        points_after=new.points,
    )
