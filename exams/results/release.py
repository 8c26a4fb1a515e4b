"""Releases results that were held back because others were answering the same cases, once nobody is."""

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from exams import clock
from exams.audit.services import record
from exams.papers.exam_bank import sessions_in_use
from exams.results import recording
from exams.results.held_scores import held_back, is_held_back
from exams.results.models import Result
from training.platform import pending

SWEEP_LIMIT = 500
_RELEASE = "programme_version__rules_document__release"
BY_ITSELF = Q(**{_RELEASE: "when_graded"}) | Q(**{f"{_RELEASE}__isnull": True})


def waiting() -> QuerySet[Result]:
    """Decided but unreleased results that nobody has to release by hand (`recording.seen_once_decided`)."""
    seen = Result.objects.filter(sitting=OuterRef("sitting"), released_at__isnull=False)
    decided = Result.objects.filter(in_force=True, decided_at__isnull=False, released_at=None)
    return decided.filter(BY_ITSELF | Exists(seen), sitting__annulled_at=None)


@transaction.atomic
def release_if_due(result_id: UUID) -> bool:
    """Release a result that was held back, with its letter and certificate. Returns False if it is not due."""
    recording.locked(Result.objects.values_list("sitting_id", flat=True).get(pk=result_id))
    result = waiting().select_related("programme_version").filter(pk=result_id).first()
    if result is None or is_held_back(result.sitting_id):
        return False
    recording.release(result, at=clock.now())
    result.save(update_fields=["released_at", "letter_owed"])
    recording.announce(result)
    record(None, "result.released", f"result:{result.pk}", sitting=result.sitting_id)
    return True


def release_due() -> int:
    """Release every result that no longer has to wait for others to finish. Returns how many."""
    # Exclude sessions in use before the limit applies, so that they never crowd out due ones.
    over = waiting().exclude(sitting__candidate__session__in=sessions_in_use(clock.now()))
    found = dict(over.order_by("decided_at").values_list("pk", "sitting_id")[:SWEEP_LIMIT])
    held = held_back(found.values())
    due = Result.objects.filter(pk__in=[pk for pk, sitting in found.items() if sitting not in held])
    ordered = due.order_by("decided_at").values_list("pk", flat=True)
    return pending.sweep(ordered, release_if_due, limit=SWEEP_LIMIT, what="result that was held back") if found else 0
