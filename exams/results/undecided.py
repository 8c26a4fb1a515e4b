"""Which results wait for an examiner, with a constant number of queries."""

from uuid import UUID

from django.db.models import QuerySet

from exams import clock
from exams.impartiality import behind, taught_by
from exams.papers.exam_bank import sessions_in_use
from exams.programmes import duties
from exams.programmes.models import Examiner, ProgrammeVersion
from exams.records.models import Candidate
from exams.results import hooks
from exams.results.held_scores import secret_sittings
from exams.results.models import Annulment, Result
from training.people.models import Role, User

MOST = 500  # checked one by one; beyond that an exact count is useless


def to_decide(person: User) -> list[Result]:
    """The results this person may decide now (`services.verify_decide`), oldest first."""
    undecided = Result.objects.filter(
        in_force=True,
        decided_at=None,
        sitting__annulled_at=None,
        programme_version__rules_document__decision="by_examiner",
    )
    settled = (
        undecided.exclude(sitting__candidate__session__in=sessions_in_use(clock.now()))
        .exclude(sitting__in=Annulment.objects.filter(decided_at=None).values("sitting"))
        .exclude(sitting__in=hooks.contested_sittings())
    )
    if duties.applies(duties.REDECIDE):
        settled = settled.exclude(sitting__results__decided_by=person)
    found = _examined(settled, person)
    if not found:
        return []
    held = secret_sittings(found)
    people = {result.sitting.candidate.person_id for result in found}
    teachers, hands = taught_by(people), behind(person)
    sat_too = set(Candidate.objects.filter(person=person).values_list("session_id", flat=True))
    return [
        result
        for result in found
        if result.sitting.candidate.session_id not in sat_too
        and result.sitting.candidate.person_id not in hands
        and result.sitting_id not in held
        and (
            result.programme_version.rules.taught_may_examine
            or hands.isdisjoint(teachers[result.sitting.candidate.person_id])
        )
    ]


def to_release(person: User) -> list[Result]:
    """Decided results that are not released yet and can be."""
    found = _examined(Result.objects.filter(in_force=True, decided_at__isnull=False, released_at=None), person)
    held = secret_sittings(found)
    return [result for result in found if result.sitting_id not in held]


def _examined(results: QuerySet[Result], person: User) -> list[Result]:
    """Those in programmes where the person examines, except their own."""
    found = results.exclude(sitting__candidate__person=person).filter(sitting__annulled_at=None)
    rows = list(found.select_related("programme_version", "sitting__candidate").order_by("computed_at")[:MOST])
    if not rows:
        return []
    appointed = set(Examiner.objects.filter(person=person).values_list("programme_id", flat=True))
    return [result for result in rows if _examines(person, result.programme_version, appointed)]


def _examines(person: User, version: ProgrammeVersion, appointed: set[UUID]) -> bool:
    if Role.ADMINISTRATOR in person.roles:
        return True
    if Role.INSTRUCTOR not in person.roles:
        return False
    return version.rules.examiners != "appointed" or version.programme_id in appointed
