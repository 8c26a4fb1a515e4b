"""Programmes with a practical exam: which practical result a theory result goes with, and whether both together give a
certificate. A certificate is always issued for the theory result; `Certificate.practice` names the other."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from exams.certificates.models import Certificate
from exams.programmes.practical_part import Practical
from exams.records.models import Session
from exams.results.models import Result
from training.platform.errors import Refused

Part = Session.Part
THEORY = Q(sitting__candidate__session__part=Part.THEORY)
# Versions whose rules have no practical part, stored before there were any or since.
NO_PRACTICE = Q(programme_version__rules_document__practical__isnull=True) | Q(
    programme_version__rules_document__practical=None
)


class PracticeMissing(Refused):
    """The programme requires a practical exam, and none goes with this result."""


def practical_of(result: Result) -> Practical | None:
    """The practical part that this result needs: by the rules it was decided under, or those it was sat under."""
    version = result.sitting.candidate.session.programme_version
    return result.programme_version.rules.practical or version.rules.practical


def passes() -> QuerySet[Result]:
    """Practical exams that count: passed, decided and released."""
    return Result.objects.select_related("sitting__candidate__person").filter(
        in_force=True,
        passed=True,
        decided_at__isnull=False,
        released_at__isnull=False,
        sitting__annulled_at=None,
        sitting__candidate__session__part=Part.PRACTICE,
    )


def with_practice(theory: QuerySet[Result]) -> QuerySet[Result]:
    """Theory results alone, and where the programme has a practical exam only those of people who have passed it."""
    same = passes().filter(
        sitting__candidate__person=OuterRef("sitting__candidate__person"),
        programme_version__programme=OuterRef("programme_version__programme"),
    )
    return theory.filter(THEORY).filter(NO_PRACTICE | Exists(same))


def verify(result: Result) -> None:
    """Raises Refused unless this is a theory result and the practical exam that it needs goes with it."""
    if result.sitting.candidate.session.is_practical:
        raise Refused(_("A practical exam gives a certificate only together with the theory."))
    part = practical_of(result)
    if part is not None and practice_for(result) is None:
        raise PracticeMissing(
            _("The programme also requires the practical exam, passed in the order and time that its rules set.")
        )


def practice_for(result: Result) -> Result | None:
    """The latest practical exam of this person that goes with a theory result."""
    part = practical_of(result)
    if part is None:
        return None
    used = Certificate.objects.filter(practice__sitting=OuterRef("sitting")).exclude(result__sitting=result.sitting_id)
    found = (
        passes()
        .filter(
            ~Exists(used),
            sitting__candidate__person=result.sitting.candidate.person_id,
            programme_version__programme=result.programme_version.programme_id,
        )
        .order_by("-sitting__started_at")
    )
    return next((one for one in found if _fits(part, result.sitting.started_at, one.sitting.started_at)), None)


def _fits(part: Practical, theory: datetime, practice: datetime) -> bool:
    in_order = {"any": True, "theory_first": theory <= practice, "practice_first": practice <= theory}
    house = timezone.get_default_timezone()
    apart = abs(timezone.localdate(theory, house) - timezone.localdate(practice, house))
    return in_order[part.order] and apart.days <= part.within_days


def rests_on(sitting: object) -> Q:
    """Certificates that rest on a sitting, as theory or as practice."""
    return Q(result__sitting=sitting) | Q(practice__sitting=sitting)
