"""Running a chunk of a regrade. It may run any number of times, also beside itself: what is stored is left alone."""

from collections.abc import Sequence
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from exams import clock
from exams.audit.services import record
from exams.regrading.models import Regrade, RegradedMark, RegradedSitting
from exams.results.decision import OtherBlueprint
from exams.results.models import Result
from exams.results.regrade import Shadow, shadow
from exams.sittings.models import FormItem, Sitting
from rules_engine.errors import EngineError
from training.practice.models import document

log = structlog.get_logger(__name__)


def sittings_of(regrade: Regrade) -> QuerySet[Sitting]:
    """The sittings it is about: those that had a result when it was started."""
    graded = Result.objects.filter(sitting=OuterRef("pk"), number=1, computed_at__lte=regrade.started_at)
    return Sitting.objects.filter(
        Exists(graded), candidate__session__programme_version__programme=regrade.programme_id
    ).order_by("pk")


def left_to_run(regrade: Regrade) -> list[UUID]:
    done = RegradedSitting.objects.filter(regrade=regrade, sitting=OuterRef("pk"))
    return list(sittings_of(regrade).filter(~Exists(done)).values_list("pk", flat=True))


def run_chunk(regrade_id: UUID, sitting_ids: Sequence[UUID]) -> None:
    """Grade these sittings again, and store what came out beside what is in force."""
    regrade = Regrade.objects.select_related("rules").get(pk=regrade_id)
    if regrade.state != Regrade.State.RUNNING:
        return
    done = set(regrade.sittings.filter(sitting__in=sitting_ids).values_list("sitting_id", flat=True))
    left = Sitting.objects.filter(pk__in=[pk for pk in sitting_ids if pk not in done]).order_by("pk")
    found = [_shadow(sitting, regrade) for sitting in left]
    _store(regrade, found)


def _shadow(sitting: Sitting, regrade: Regrade) -> tuple[Sitting, Shadow | str]:
    """What a sitting would come to, or why that cannot be said."""
    try:
        return sitting, shadow(sitting, rules=regrade.rules.rules if regrade.rules else None)
    except (EngineError, OtherBlueprint) as error:
        log.warning("sitting_not_regraded", sitting=str(sitting.pk), error=str(error))
        return sitting, str(error) or type(error).__name__


@transaction.atomic
def _store(regrade: Regrade, found: Sequence[tuple[Sitting, Shadow | str]]) -> None:
    """Write a chunk down and count it, once: whoever comes second finds it there."""
    current = Regrade.objects.select_for_update().get(pk=regrade.pk)
    if current.state != Regrade.State.RUNNING:
        return
    there = set(current.sittings.filter(sitting__in=[one.pk for one, _ in found]).values_list("sitting_id", flat=True))
    new = [(sitting, result) for sitting, result in found if sitting.pk not in there]
    RegradedSitting.objects.bulk_create(_row(current, sitting, result) for sitting, result in new)
    RegradedMark.objects.bulk_create(
        RegradedMark(regrade=current, sitting=sitting, before=change.before, after=document(change.after))
        for sitting, result in new
        if isinstance(result, Shadow)
        for change in result.marks
    )
    current.sittings_done += len(new)
    current.answers_done += FormItem.objects.filter(form__candidate__sitting__in=[one for one, _ in new]).count()
    current.moved_at = clock.now()
    if current.sittings_done >= current.sittings_total:
        current.state, current.finished_at = Regrade.State.READY, clock.now()
    current.save(update_fields=["sittings_done", "answers_done", "moved_at", "state", "finished_at"])
    if current.state == Regrade.State.READY:
        changed = current.sittings.filter(changed=True).count()
        record(None, "regrade.ready", f"regrade:{current.pk}", sittings=current.sittings_done, changed=changed)


def _row(regrade: Regrade, sitting: Sitting, result: Shadow | str) -> RegradedSitting:
    if isinstance(result, str):
        before = Result.objects.get(sitting=sitting, in_force=True)
        return RegradedSitting(regrade=regrade, sitting=sitting, before=before, changed=False, trouble=result)
    row = RegradedSitting(regrade=regrade, sitting=sitting, before=result.before, changed=result.changed)
    if result.changed:
        row.score, row.passed = result.outcome.score.percent, result.outcome.passed
        row.outcome = document(result.outcome)
    return row
