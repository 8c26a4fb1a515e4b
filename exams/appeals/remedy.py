"""Carries out an upheld appeal: everybody who had the item is regraded.

It can be killed and run again anywhere; the sweep finishes what is left.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction

from exams import clock
from exams.appeals.models import Appeal
from exams.audit.services import record
from exams.records.models import ExamItem, Sitting
from exams.results.grading import ungraded
from exams.results.models import Mark, Result
from exams.results.shadow_grading import publish, shadow
from training.platform import pending

# A decision not carried out by then was missed by the queue.
OVERDUE = timedelta(seconds=30)
SWEEP_LIMIT = 20
CAUSES = {Appeal.Remedy.VOIDED: Mark.Cause.VOIDED, Appeal.Remedy.CORRECTED: Mark.Cause.CORRECTED}


def carry_out(appeal_id: UUID) -> bool:
    """Regrade everybody who had the item of an upheld appeal. Returns False if it has to wait."""
    appeal = Appeal.objects.select_related("form_item__item", "reviewer").get(pk=appeal_id)
    if appeal.state != Appeal.State.UPHELD or appeal.carried_out_at:
        return True
    item = appeal.form_item.item
    if _being_graded(item):
        return False
    had = Sitting.objects.filter(candidate__form__items__item=item, annulled_at=None)
    for sitting in had.filter(graded_at__isnull=False).order_by("pk"):
        _regrade(sitting, appeal)
    return _close(appeal)


def _being_graded(item: ExamItem) -> bool:
    """Whether a paper with the item is queued: its grader may have read the item before it changed.

    Open sittings and those set aside are graded later, with the item as it is now.
    """
    return ungraded().filter(candidate__form__items__item=item).exists()


def _regrade(sitting: Sitting, appeal: Appeal) -> None:
    found = shadow(sitting)
    if found.changed:
        cause = CAUSES[Appeal.Remedy(appeal.remedy)]
        publish(found, cause=cause, actor=appeal.reviewer, reason=f"appeal {appeal.number}")


@transaction.atomic
def _close(appeal: Appeal) -> bool:
    current = Appeal.objects.select_for_update(no_key=True).get(pk=appeal.pk)
    if current.carried_out_at is None:
        current.carried_out_at = clock.now()
        current.save(update_fields=["carried_out_at"])
        item = current.form_item.item_id
        sittings = Result.objects.filter(sitting__candidate__form__items__item=item, in_force=True).count()
        record(None, "appeal.carried_out", f"appeal:{current.pk}", number=current.number, sittings=sittings)
    return True


def carry_out_overdue() -> int:
    """Carry out decisions that the queue missed. Returns how many."""
    decided = Appeal.objects.filter(
        state=Appeal.State.UPHELD, carried_out_at=None, decided_at__lt=clock.now() - OVERDUE
    )
    waiting = decided.order_by("decided_at").values_list("pk", flat=True)
    return pending.sweep(waiting, carry_out, limit=SWEEP_LIMIT, what="appeal")
