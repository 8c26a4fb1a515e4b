"""The history of a sitting's score: every result it has had and why it changed."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from exams.records.models import Sitting
from exams.results.models import Mark, Result
from exams.results.words import ResultSummary, summarise


@dataclass(frozen=True)
class Step:
    """One result of a sitting and why it replaced the previous one."""

    told: ResultSummary
    why: str


def history(sitting: Sitting, language: str, *, released_only: bool) -> list[Step]:
    """All results of a sitting, oldest first. Candidates only see released ones."""
    results = list(
        Result.objects.filter(sitting=sitting).select_related("programme_version", "decided_by").order_by("number")
    )
    causes = _causes(sitting)
    befores = [None, *results]
    return [
        Step(summarise(result, language), _why(result, before, causes[result.computed_at]))
        for result, before in zip(results, befores, strict=False)
        if result.released_at or not released_only
    ]


def _causes(sitting: Sitting) -> defaultdict[datetime, list[str]]:
    """Why marks changed, by the time they were given."""
    found: defaultdict[datetime, list[str]] = defaultdict(list)
    marks = Mark.objects.filter(form_item__form__candidate=sitting.candidate_id)
    for at, cause in marks.order_by("graded_at").values_list("graded_at", "cause").distinct():
        found[at].append(str(Mark.Cause(cause).label))
    return found


def _why(result: Result, before: Result | None, causes: list[str]) -> str:
    if before is None:
        return str(Mark.Cause.GRADED.label)
    if result.computed_at == before.computed_at:
        return _("decided by an examiner against the rule")
    if causes:
        return ", ".join(causes)
    return _("by the rules of version %(number)d") % {"number": result.programme_version.number}
