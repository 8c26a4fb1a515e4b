"""Publishes exactly what a regrade showed, sitting by sitting, in chunks that may run repeatedly."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from exams import clock
from exams.audit.services import record
from exams.regrading.models import Regrade, RegradedMark, RegradedSitting
from exams.results import shadow_grading as results
from exams.results.decision import OtherBlueprint
from exams.results.models import Mark
from exams.results.shadow_grading import Shadow, shadow
from rules_engine.errors import EngineError
from rules_engine.scenario import encode
from training.platform.engine_json import document

Settled = RegradedSitting.Settled


def left_to_publish(regrade: Regrade) -> list[UUID]:
    left = regrade.sittings.filter(changed=True, settled="").order_by("sitting_id")
    return list(left.values_list("sitting_id", flat=True))


def publish_chunk(regrade_id: UUID, sitting_ids: Sequence[UUID]) -> None:
    regrade = Regrade.objects.select_related("rules", "settled_by").get(pk=regrade_id)
    if regrade.state != Regrade.State.PUBLISHING:
        return
    rows = regrade.sittings.filter(sitting__in=sitting_ids, changed=True, settled="").order_by("sitting_id")
    for row in rows.select_related("sitting"):
        _publish(regrade, row)
    Regrade.objects.filter(pk=regrade_id).update(moved_at=clock.now())
    if not left_to_publish(regrade):
        settle(regrade_id)


@transaction.atomic
def _publish(regrade: Regrade, row: RegradedSitting) -> None:
    """Publish one sitting if it still comes to what was shown; otherwise mark it as overtaken."""
    current = RegradedSitting.objects.select_for_update(no_key=True).get(pk=row.pk)
    if current.settled:
        return
    found = _again(regrade, row)
    if found and _as_shown(found, current):
        results.publish(
            found, cause=Mark.Cause.REGRADED, actor=regrade.settled_by, reason=regrade.reason, version=regrade.rules
        )
        current.settled = Settled.PUBLISHED
    else:
        current.settled = Settled.OVERTAKEN
    current.settled_at = clock.now()
    current.save(update_fields=["settled", "settled_at"])


def _again(regrade: Regrade, row: RegradedSitting) -> Shadow | None:
    if row.sitting.annulled_at:
        return None
    try:
        return shadow(row.sitting, rules=regrade.rules.rules if regrade.rules else None)
    except (EngineError, OtherBlueprint):
        return None


def _as_shown(found: Shadow, row: RegradedSitting) -> bool:
    """Whether it is the change that was reviewed: same result before, same marks, same outcome."""
    shown = RegradedMark.objects.filter(regrade=row.regrade_id, sitting=row.sitting_id).values_list(
        "before_id", "after"
    )
    marks = {change.before.pk: _canonical(change.after) for change in found.marks}
    return (
        found.before.pk == row.before_id
        and _canonical(found.outcome) == _canonical(row.outcome)
        and marks == {before: _canonical(after) for before, after in shown}
    )


def _canonical(value: Any) -> bytes:
    """The same bytes for a value and for its copy from a JSON column."""
    return encode(document(value))


@transaction.atomic
def settle(regrade_id: UUID) -> None:
    """Close the regrade, once nothing is left to publish."""
    current = Regrade.objects.select_for_update(no_key=True).get(pk=regrade_id)
    if current.state != Regrade.State.PUBLISHING:
        return
    current.state, current.moved_at = Regrade.State.PUBLISHED, clock.now()
    current.save(update_fields=["state", "moved_at"])
    settled = current.sittings.filter(changed=True)
    record(
        current.settled_by,
        "regrade.published",
        f"regrade:{current.pk}",
        programme=current.programme.code,
        published=settled.filter(settled=Settled.PUBLISHED).count(),
        overtaken=settled.filter(settled=Settled.OVERTAKEN).count(),
    )
