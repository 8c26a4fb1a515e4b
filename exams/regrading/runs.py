"""Runs a chunk of a regrade. Safe to run repeatedly and concurrently: stored rows are left alone."""

from collections.abc import Sequence
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from exams import clock
from exams.audit.services import record
from exams.programmes.rules import Rules
from exams.records.models import Session, Sitting
from exams.regrading.models import Regrade, RegradedMark, RegradedSitting
from exams.results import shadow_grading as results
from exams.results.decision import OtherBlueprint
from exams.results.models import Result
from exams.results.shadow_grading import GradedSitting, Shadow
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.people.request import language
from training.platform.engine_json import document

log = structlog.get_logger(__name__)

# A graded sitting and its shadow, or why there is none.
Found = tuple[GradedSitting, Shadow | str]


def sittings_of(regrade: Regrade) -> QuerySet[Sitting]:
    """The sittings a regrade covers: those that had a result when it started."""
    graded = Result.objects.filter(sitting=OuterRef("pk"), number=1, computed_at__lte=regrade.started_at)
    return Sitting.objects.filter(
        Exists(graded),
        annulled_at=None,
        candidate__session__part=Session.Part.THEORY,
        candidate__session__programme_version__programme=regrade.programme_id,
    ).order_by("pk")


def left_to_run(regrade: Regrade) -> list[UUID]:
    done = RegradedSitting.objects.filter(regrade=regrade, sitting=OuterRef("pk"))
    return list(sittings_of(regrade).filter(~Exists(done)).values_list("pk", flat=True))


def run_chunk(regrade_id: UUID, sitting_ids: Sequence[UUID]) -> None:
    """Regrade these sittings and store the outcome without putting it in force."""
    regrade = Regrade.objects.select_related("rules").get(pk=regrade_id)
    if regrade.state != Regrade.State.RUNNING:
        return
    done = set(regrade.sittings.filter(sitting__in=sitting_ids).values_list("sitting_id", flat=True))
    left = Sitting.objects.filter(pk__in=[pk for pk in sitting_ids if pk not in done], annulled_at=None).order_by("pk")
    _store(regrade, _shadows(regrade, list(left)))


def finish(regrade_id: UUID) -> None:
    """Finish a run with nothing left, because the last sittings were annulled meanwhile."""
    _store(Regrade.objects.get(pk=regrade_id), [])


def _shadows(regrade: Regrade, sittings: Sequence[Sitting]) -> list[Found]:
    rules = regrade.rules.rules if regrade.rules else None
    return [(graded, _shadow(graded, rules)) for graded in results.graded_sittings(sittings)]


def _shadow(graded: GradedSitting, rules: Rules | None) -> Shadow | str:
    """What a sitting would come to, or an error text."""
    try:
        return results.regrade(graded, rules=rules)
    except (EngineError, OtherBlueprint) as error:
        log.warning("sitting_not_regraded", sitting=str(graded.sitting_id), error=str(error))
        return refusal(error, language()) if isinstance(error, EngineError) else str(error) or type(error).__name__


@transaction.atomic
def _store(regrade: Regrade, found: Sequence[Found]) -> None:
    """Store and count a chunk; rows that another worker stored first are skipped."""
    current = Regrade.objects.select_for_update(no_key=True).get(pk=regrade.pk)
    if current.state != Regrade.State.RUNNING:
        return
    ids = [graded.sitting_id for graded, _result in found]
    there = set(current.sittings.filter(sitting__in=ids).values_list("sitting_id", flat=True))
    new = [(graded, result) for graded, result in found if graded.sitting_id not in there]
    RegradedSitting.objects.bulk_create(_row(current, graded, result) for graded, result in new)
    RegradedMark.objects.bulk_create(
        RegradedMark(regrade=current, sitting_id=graded.sitting_id, before=change.before, after=document(change.after))
        for graded, result in new
        if isinstance(result, Shadow)
        for change in result.marks
    )
    current.sittings_done += len(new)
    current.answers_done += sum(len(graded.answered) for graded, _result in new)
    _move_on(current)


def _move_on(current: Regrade) -> None:
    current.moved_at = clock.now()
    if current.sittings_done >= current.sittings_total or not left_to_run(current):
        current.state, current.finished_at = Regrade.State.READY, clock.now()
        current.sittings_total = current.sittings_done  # fewer if a sitting was annulled meanwhile
    current.save(update_fields=["sittings_done", "sittings_total", "answers_done", "moved_at", "state", "finished_at"])
    if current.state == Regrade.State.READY:
        changed = current.sittings.filter(changed=True).count()
        record(None, "regrade.ready", f"regrade:{current.pk}", sittings=current.sittings_done, changed=changed)


def _row(regrade: Regrade, graded: GradedSitting, result: Shadow | str) -> RegradedSitting:
    row = RegradedSitting(regrade=regrade, sitting_id=graded.sitting_id, before=graded.before, changed=False)
    if isinstance(result, str):
        row.trouble = result
    elif result.changed:
        row.changed, row.outcome = True, document(result.outcome)
        row.score, row.passed = result.outcome.score.percent, result.outcome.passed
    return row
