"""Appeals against decisions, and complaints, that wait for a member of staff."""

from collections.abc import Sequence
from datetime import datetime

from django.urls import reverse
from django.utils.translation import ngettext

from exams.appeals import objections
from exams.appeals.models import Objection
from training.home.hooks import Waiting
from training.people.models import User


def objections_waiting(person: User, now: datetime) -> list[Waiting]:
    """Those to decide, and upheld ones to carry out."""
    lodged = list(Objection.objects.filter(state=Objection.State.LODGED))
    refused = objections.why_not_each(person, lodged)
    decide = [one for one in lodged if not refused[one.pk]]
    to_do = list(objections.to_do(person))
    return [
        Waiting(
            "objections",
            ngettext("Appeal or complaint to decide", "Appeals or complaints to decide", len(decide)),
            len(decide),
            _objection(decide),
            late=sum(one.decide_by < now for one in decide),
        ),
        Waiting(
            "objections_to_do",
            ngettext("Upheld appeal to carry out", "Upheld appeals to carry out", len(to_do)),
            len(to_do),
            _objection(to_do),
        ),
    ]


def _objection(found: Sequence[Objection]) -> str:
    return reverse("objection", args=[found[0].pk]) if len(found) == 1 else reverse("objections")
