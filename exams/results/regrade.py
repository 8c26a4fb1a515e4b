"""A sitting graded again in the shadow, and the difference published. Doing either twice changes nothing."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from msgspec import Struct

from exams import clock
from exams.audit.services import record
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Rules
from exams.results.decision import Outcome, decide, outcome_from
from exams.results.marking import MarkValues, mark_item, marked
from exams.results.models import Mark, Result
from exams.results.recording import announce, locked, papers, write_marks, write_result
from exams.sittings.models import FormItem, Sitting
from training.people.models import User


class MarkChange(Struct, frozen=True):
    """A mark in force and what it would become."""

    before: Mark
    after: MarkValues


class Shadow(Struct, frozen=True, kw_only=True):
    """What a sitting would come to. `marks` are those alone that come out differently."""

    sitting_id: UUID
    before: Result
    marks: tuple[MarkChange, ...]
    outcome: Outcome
    changed: bool


def shadow(sitting: Sitting, *, rules: Rules | None = None) -> Shadow:
    """Grade a graded sitting again, by the rules it was last decided under or by others, and write nothing.

    A newer engine that gives the same points is no change. Raises OtherBlueprint for rules that its items do not fit.
    """
    before = _in_force(sitting.pk)
    marks = {mark.form_item_id: mark for mark in _marks_in_force(sitting)}
    fresh = [(form_item, mark_item(form_item.item, answer)) for form_item, answer in papers(sitting)]
    outcome = decide(
        rules or before.programme_version.rules, [marked(form_item.item, value) for form_item, value in fresh]
    )
    changes = tuple(
        MarkChange(marks[form_item.pk], value) for form_item, value in fresh if not value.same_as(marks[form_item.pk])
    )
    return Shadow(
        sitting_id=sitting.pk,
        before=before,
        marks=changes,
        outcome=outcome,
        changed=bool(changes) or outcome != outcome_from(before.outcome),
    )


@transaction.atomic
def publish(
    shadow: Shadow,
    *,
    cause: Mark.Cause,
    actor: User | None,
    reason: str,
    version: ProgrammeVersion | None = None,
) -> Result | None:
    """Put the new marks and the new result in force and take the decision again, at once or by the examiner.

    `version` is whose rules the shadow was made by, where not those of the result before. Nothing is written, and None
    returned, where nothing changed or this was published before. A result published in between is graded anew.
    """
    sitting = locked(shadow.sitting_id)
    before = _in_force(sitting.pk)
    version = version or before.programme_version
    if before.pk != shadow.before.pk:
        shadow = _again(sitting, version)
    if not shadow.changed:
        return None
    now = clock.now()
    _replace_marks(shadow, cause=cause, at=now)
    result = write_result(sitting.pk, shadow.outcome, version, at=now, before=before)
    announce(result)
    record(
        actor,
        "result.regraded",
        f"result:{result.pk}",
        sitting=sitting.pk,
        cause=cause,
        reason=reason,
        marks=len(shadow.marks),
        score=[before.score, result.score],
        passed=[before.passed, result.passed],
    )
    return result


def _again(sitting: Sitting, version: ProgrammeVersion) -> Shadow:
    return shadow(sitting, rules=version.rules)


def _in_force(sitting_id: UUID) -> Result:
    return Result.objects.select_related("programme_version__programme").get(sitting=sitting_id, in_force=True)


def _marks_in_force(sitting: Sitting) -> list[Mark]:
    return list(Mark.objects.filter(form_item__form__candidate=sitting.candidate_id, in_force=True))


def _replace_marks(shadow: Shadow, *, cause: Mark.Cause, at: datetime) -> None:
    former = {change.before.form_item_id: change.before for change in shadow.marks}
    Mark.objects.filter(pk__in=[mark.pk for mark in former.values()]).update(in_force=False)
    placed = FormItem.objects.in_bulk(list(former))
    values = [(placed[change.before.form_item_id], change.after) for change in shadow.marks]
    write_marks(values, cause=cause, at=at, former=former)
