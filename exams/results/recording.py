"""Writes marks and results for grading and regrading, in the caller's transaction."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from exams.programmes.models import ProgrammeVersion
from exams.records.models import ExamItem, FormItem, Response, Sitting
from exams.results import hooks
from exams.results.decision import Outcome
from exams.results.held_scores import is_held_back
from exams.results.marking import MarkValues
from exams.results.models import Mark, Result
from training.platform.broker import send_on_commit
from training.platform.engine_json import document

# A form's items, each with its answer.
AnsweredForm = list[tuple[FormItem, dict[str, object]]]


def locked(sitting_id: UUID) -> Sitting:
    """The sitting, locked until the transaction ends, so that nobody else grades it meanwhile."""
    return Sitting.objects.select_for_update(no_key=True).get(pk=sitting_id)


def answered_form(sitting: Sitting) -> AnsweredForm:
    """Every item of the sitting's form with its last saved answer, {} if none."""
    return answered_forms([sitting])[sitting.pk]


def answered_forms(sittings: Sequence[Sitting]) -> dict[UUID, AnsweredForm]:
    """The forms of several sittings, with a constant number of queries; shared items are loaded once."""
    by_candidate = {sitting.candidate_id: sitting.pk for sitting in sittings}
    placed = FormItem.objects.filter(form__candidate__in=by_candidate).select_related("form").order_by("position")
    items = ExamItem.objects.in_bulk({form_item.item_id for form_item in placed})
    given = dict(Response.objects.filter(sitting__in=by_candidate.values()).values_list("form_item_id", "answer"))
    found: dict[UUID, AnsweredForm] = {sitting.pk: [] for sitting in sittings}
    for form_item in placed:
        form_item.item = items[form_item.item_id]
        found[by_candidate[form_item.form.candidate_id]].append((form_item, given.get(form_item.pk) or {}))
    return found


def write_marks(
    values: Iterable[tuple[FormItem, MarkValues]], *, cause: Mark.Cause, at: datetime, former: dict[int, Mark]
) -> None:
    """Store new marks in force. `former` holds the marks they replace, by form item, already out of force."""
    Mark.objects.bulk_create(
        Mark(
            form_item=form_item,
            number=former[form_item.pk].number + 1 if form_item.pk in former else 1,
            cause=cause,
            graded_at=at,
            **msgspec.structs.asdict(value),
        )
        for form_item, value in values
    )


def write_result(
    sitting_id: UUID, outcome: Outcome, version: ProgrammeVersion, *, at: datetime, before: Result | None = None
) -> Result:
    """Store a new result in force, decided at once if the programme's rule decides.

    It replaces `before`. A candidate who has seen a result sees the next one as soon as it is decided.
    """
    result = Result(
        sitting_id=sitting_id,
        programme_version=version,
        score=outcome.score.percent,
        passed=outcome.passed,
        outcome=document(outcome),
        computed_at=at,
    )
    if version.rules.decision == "by_rule":
        result.decided_at = at
    return put_in_force(result, before=before, at=at)


def put_in_force(result: Result, *, before: Result | None, at: datetime) -> Result:
    """Store a new result in place of `before`, and release it if it is decided and nothing holds it back. The sweep in
    `release` releases results that were held back for others."""
    if before:
        Result.objects.filter(pk=before.pk).update(in_force=False)
        result.number = before.number + 1
    if result.decided_at and seen_once_decided(result) and not is_held_back(result.sitting_id):
        release(result, at=at)
    result.save(force_insert=True)
    return result


def seen_once_decided(result: Result) -> bool:
    """Whether nobody needs to release it: the programme says so, or the candidate has already seen a result."""
    if result.programme_version.rules.release == "when_graded":
        return True
    return Result.objects.filter(sitting=result.sitting_id, released_at__isnull=False).exists()


def release(result: Result, *, at: datetime) -> None:
    """Mark the result released, with a letter unless the last one said the same. The caller saves."""
    released = Result.objects.filter(sitting=result.sitting_id, released_at__isnull=False, letter_owed=False)
    last = released.order_by("-number").values_list("passed", "score").first()
    result.released_at = at
    result.letter_owed = last != (result.passed, result.score)


def announce(result: Result) -> None:
    """Call `hooks.result_decided`, and send the letter if one is owed."""
    if result.decided_at:
        hooks.result_decided(result.pk)
    send_letter_on_commit(result)


def send_letter_on_commit(result: Result) -> None:
    from exams.results import tasks

    if result.letter_owed:
        send_on_commit(tasks.send_letter, str(result.pk))
