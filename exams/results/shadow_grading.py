"""Regrades a sitting without storing anything (a shadow), and publishes the difference. Both are idempotent."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from msgspec import Struct
from msgspec.structs import replace

from exams import clock
from exams.audit.services import record
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Rules
from exams.records.models import FormItem, Sitting
from exams.results.decision import Outcome, decide, outcome_from
from exams.results.marking import MarkValues, mark_item, marked
from exams.results.models import Mark, Result
from exams.results.recording import AnsweredForm, announce, answered_forms, locked, write_marks, write_result
from training.people.models import User


class MarkChange(Struct, frozen=True):
    """A mark in force and what it would become."""

    before: Mark
    after: MarkValues


class Shadow(Struct, frozen=True, kw_only=True):
    """What a sitting would come to. `marks` holds only the marks that change."""

    sitting_id: UUID
    before: Result
    marks: tuple[MarkChange, ...]
    outcome: Outcome
    changed: bool


class GradedSitting(Struct, frozen=True, kw_only=True):
    """A graded sitting with its result and marks (by form item) in force, and its answers."""

    sitting_id: UUID
    before: Result
    marks: dict[int, Mark]
    answered: AnsweredForm


def shadow(sitting: Sitting, *, rules: Rules | None = None) -> Shadow:
    """Regrade a graded sitting, under the rules it was last decided by or under `rules`; writes nothing.

    A newer engine that gives the same points is no change. Raises OtherBlueprint if the rules do not fit its items.
    """
    [graded] = graded_sittings([sitting])
    return regrade(graded, rules=rules)


def graded_sittings(sittings: Sequence[Sitting]) -> list[GradedSitting]:
    """Loads several graded sittings with a constant number of queries."""
    results = {result.sitting_id: result for result in _in_force(sittings)}
    forms = answered_forms(sittings)
    placed = [form_item.pk for paper in forms.values() for form_item, _answer in paper]
    # The documents are large and not needed for comparing.
    marks = Mark.objects.filter(form_item__in=placed, in_force=True).defer("mark_document", "ruling_document")
    by_item = {mark.form_item_id: mark for mark in marks}
    return [
        GradedSitting(
            sitting_id=sitting.pk,
            before=results[sitting.pk],
            marks={form_item.pk: by_item[form_item.pk] for form_item, _answer in forms[sitting.pk]},
            answered=forms[sitting.pk],
        )
        for sitting in sittings
    ]


def regrade(graded: GradedSitting, *, rules: Rules | None = None) -> Shadow:
    before, marks = graded.before, graded.marks
    fresh = [(form_item, mark_item(form_item.item, answer)) for form_item, answer in graded.answered]
    outcome = decide(_as_told(before, rules), [marked(form_item.item, value) for form_item, value in fresh])
    changes = tuple(
        MarkChange(marks[form_item.pk], value) for form_item, value in fresh if not value.same_as(marks[form_item.pk])
    )
    return Shadow(
        sitting_id=graded.sitting_id,
        before=before,
        marks=changes,
        outcome=outcome,
        changed=bool(changes) or outcome != outcome_from(before.outcome),
    )


def _as_told(before: Result, rules: Rules | None) -> Rules:
    """The rules to decide by. A blank answer is a critical fault only if the candidate was told so before the exam."""
    told = before.sitting.candidate.session.programme_version.rules
    rules = rules or before.programme_version.rules
    return replace(rules, blank_critical=rules.blank_critical and told.blank_critical)


@transaction.atomic
def publish(
    shadow: Shadow, *, cause: Mark.Cause, actor: User | None, reason: str, version: ProgrammeVersion | None = None
) -> Result | None:
    """Put the new marks and result in force; the decision is taken again, by rule or by the examiner.

    `version` is the one whose rules the shadow used, if not the previous result's. Writes nothing and returns None if
    nothing changed, this was already published or the sitting was annulled. If another result was published meanwhile,
    the sitting is regraded first.
    """
    sitting = locked(shadow.sitting_id)
    if sitting.annulled_at:
        return None
    before = _in_force([sitting]).get()
    version = version or before.programme_version
    if before.pk != shadow.before.pk:
        shadow = regrade(graded_sittings([sitting])[0], rules=version.rules)
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


def _in_force(sittings: Iterable[Sitting]) -> QuerySet[Result]:
    return Result.objects.select_related(
        "programme_version__programme", "sitting__candidate__session__programme_version"
    ).filter(sitting__in=sittings, in_force=True)


def _replace_marks(shadow: Shadow, *, cause: Mark.Cause, at: datetime) -> None:
    former = {change.before.form_item_id: change.before for change in shadow.marks}
    Mark.objects.filter(pk__in=[mark.pk for mark in former.values()]).update(in_force=False)
    placed = FormItem.objects.in_bulk(list(former))
    values = [(placed[change.before.form_item_id], change.after) for change in shadow.marks]
    write_marks(values, cause=cause, at=at, former=former)
