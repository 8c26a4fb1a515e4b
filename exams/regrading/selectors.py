"""Queries for the pages about regrades."""

from dataclasses import dataclass

from django.db.models import Case, Count, F, Q, QuerySet, Value, When

from exams.regrading.models import Regrade, RegradedMark, RegradedSitting
from exams.results.held_scores import secret_sittings
from training.platform.folded_text import alphabetical

# The filters for differences, by URL parameter.
SHOWN = {
    "": Q(changed=True),
    "failed": Q(changed=True, before__passed=True, passed=False),
    "passed": Q(changed=True, before__passed=False, passed=True),
    "score": Q(changed=True, passed=F("before__passed")),
    "trouble": ~Q(trouble=""),
    "overtaken": Q(settled=RegradedSitting.Settled.OVERTAKEN),
}
TELLING = {"failed", "passed", "score"}  # being listed reveals who passed or failed


@dataclass(frozen=True)
class Totals:
    changed: int
    failed: int
    passed: int
    score: int
    trouble: int
    overtaken: int
    settled: int


def regrades() -> QuerySet[Regrade]:
    changed = Count("sittings", filter=Q(sittings__changed=True))
    return (
        Regrade.objects.select_related("programme", "rules", "started_by")
        .annotate(changed=changed)
        .order_by("-started_at")
    )


def secret_rows(regrade: Regrade) -> Q:
    """Filter for sittings whose score nobody may see yet, neither its value nor how it changes."""
    unreleased = regrade.sittings.filter(changed=True, before__released_at=None).select_related("before")
    return Q(sitting__in=secret_sittings(row.before for row in unreleased))


def _shown(regrade: Regrade) -> dict[str, Q]:
    kept = secret_rows(regrade)
    return {name: which & ~kept if name in TELLING else which for name, which in SHOWN.items()}


def totals(regrade: Regrade) -> Totals:
    """How many sittings come out each way."""
    ways = {name or "changed": which for name, which in _shown(regrade).items()} | {"settled": ~Q(settled="")}
    counted = regrade.sittings.aggregate(**{f"of_{name}": Count("pk", filter=which) for name, which in ways.items()})
    return Totals(**{name: counted[f"of_{name}"] for name in ways})


def differences(regrade: Regrade, show: str) -> QuerySet[RegradedSitting]:
    """Sorted: those who lose their pass, those who gain it, the others by name, then those with a secret score."""
    found = regrade.sittings.filter(_shown(regrade)[show]).select_related("before", "sitting__candidate__person")
    order = Case(
        When(secret_rows(regrade), then=Value(4)),
        When(passed=False, before__passed=True, then=Value(1)),
        When(passed=True, before__passed=False, then=Value(2)),
        default=Value(3),
    )
    return found.select_related("sitting__candidate__session").order_by(
        order, alphabetical("sitting__candidate__person__name"), "pk"
    )


def marks_of(rows: list[RegradedSitting]) -> list[RegradedMark]:
    """The marks that change in these sittings, in paper order."""
    if not rows:
        return []
    found = RegradedMark.objects.filter(regrade=rows[0].regrade_id, sitting__in=[row.sitting_id for row in rows])
    return list(found.select_related("before__form_item__item").order_by("before__form_item__position"))
