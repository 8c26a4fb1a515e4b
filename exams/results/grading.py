"""Grades a closed sitting exactly once, however often and wherever this runs.

The database is the source of truth and a message only wakes a worker; the sweep grades whatever no message reached.
"""

from datetime import timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import QuerySet

from exams import clock
from exams.audit.services import record
from exams.practical.scoring import counted
from exams.programmes.rules import Rules
from exams.records.models import FormItem, Sitting
from exams.results import practice
from exams.results.decision import Outcome, decide
from exams.results.marking import MarkValues, mark_item, marked
from exams.results.models import Mark, Result
from exams.results.recording import announce, answered_form, locked, write_marks, write_result
from training.platform import pending
from training.platform.broker import send_on_commit

log = structlog.get_logger(__name__)

# A sitting without a result after this time was missed by the queue.
OVERDUE = timedelta(seconds=10)
SWEEP_LIMIT = 200
MAX_FAILURES = 5


def wake_grader(sitting_id: UUID) -> None:
    from exams.results import tasks

    send_on_commit(tasks.grade, str(sitting_id))


@transaction.atomic
def grade_sitting(sitting_id: UUID) -> Result | None:
    """Write the marks and the result of a closed sitting. Returns None if it cannot be graded (yet)."""
    sitting = locked(sitting_id)
    if sitting.closed_at is None or sitting.annulled_at:
        return None
    if sitting.graded_at:
        return Result.objects.get(sitting=sitting, in_force=True)
    version = sitting.candidate.session.programme_version
    try:
        values, outcome = _marked(sitting, version.rules)
    except Exception:
        _count_failure(sitting)
        return None
    if outcome is None:
        return None
    now = clock.now()
    write_marks(values, cause=Mark.Cause.GRADED, at=now, former={})
    result = write_result(sitting.pk, outcome, version, at=now)
    sitting.graded_at = now
    sitting.save(update_fields=["graded_at"])
    announce(result)
    record(
        None,
        "sitting.graded",
        f"sitting:{sitting.pk}",
        result=result.pk,
        marks=len(values),
        score=result.score,
        passed=result.passed,
        decided=result.decided_at is not None,
        released=result.released_at is not None,
    )
    return result


def _marked(sitting: Sitting, rules: Rules) -> tuple[list[tuple[FormItem, MarkValues]], Outcome | None]:
    """The marks of a sitting and its outcome; no outcome while the examiners of a practical exam have not settled."""
    if sitting.candidate.session.is_practical and rules.practical:
        found = counted(sitting.candidate.exam_table, rules.practical)
        return [], practice.outcome(rules.practical, found) if found else None
    values = [(form_item, mark_item(form_item.item, answer)) for form_item, answer in answered_form(sitting)]
    return values, decide(rules, [marked(form_item.item, value) for form_item, value in values])


def _count_failure(sitting: Sitting) -> None:
    """Grading failed because of a bug of ours: retry a few times, then leave it to a person."""
    sitting.grading_failures += 1
    log.exception("exam_grading_failed", sitting=str(sitting.pk), failures=sitting.grading_failures)
    sitting.save(update_fields=["grading_failures"])


def to_grade() -> QuerySet[Sitting]:
    """Sittings without a result."""
    closed = Sitting.objects.filter(closed_at__isnull=False, graded_at=None, annulled_at=None)
    # At a real table the examiners come first.
    return closed.exclude(candidate__exam_table__in_room=True, candidate__exam_table__settlement=None)


def ungraded() -> QuerySet[Sitting]:
    """Those that a worker will still try."""
    return to_grade().filter(grading_failures__lt=MAX_FAILURES)


def set_aside() -> QuerySet[Sitting]:
    """Those given up after too many failures."""
    return to_grade().filter(grading_failures__gte=MAX_FAILURES)


def grade_overdue() -> int:
    """Grade closed sittings missed because a message was lost, a worker died or the broker was down."""
    closed = ungraded().filter(closed_at__lt=clock.now() - OVERDUE)
    waiting = closed.order_by("closed_at").values_list("pk", flat=True)
    return pending.sweep(waiting, grade_sitting, limit=SWEEP_LIMIT, what="exam grading")
