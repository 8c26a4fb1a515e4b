"""Theory and practice of a programme: which part must be passed before the other may be sat."""

from collections.abc import Sequence

from exams.records.models import Session
from exams.results.models import Result


def first_part_passed(people: Sequence[int], session: Session) -> frozenset[int] | None:
    """Those who have passed the part of the exam that must come before this one."""
    part = session.programme_version.rules.practical
    second = {"theory_first": Session.Part.PRACTICE, "practice_first": Session.Part.THEORY}
    if part is None or second.get(part.order) != session.part:
        return None
    passed = Result.objects.filter(
        in_force=True,
        passed=True,
        released_at__isnull=False,
        sitting__annulled_at=None,
        sitting__candidate__person__in=people,
        sitting__candidate__session__programme_version__programme=session.programme_version.programme_id,
    ).exclude(sitting__candidate__session__part=session.part)
    return frozenset(passed.values_list("sitting__candidate__person_id", flat=True))
