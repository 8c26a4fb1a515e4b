"""Queries for the pages about results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from exams import clock
from exams.papers.exam_bank import sessions_in_use
from exams.programmes.models import Examiner
from exams.records.models import Candidate, Event, FormItem, Session, Sitting
from exams.results.grading import MAX_FAILURES, set_aside, ungraded
from exams.results.held_scores import held_back
from exams.results.models import Annulment, Mark, Result
from exams.sittings.events import REPORTED_BY_BROWSERS
from training.people.models import Role, User
from training.platform.folded_text import alphabetical
from training.platform.pending import Owed


def passed_among(sittings: QuerySet[Sitting]) -> set[UUID]:
    """Those sittings that are decided as passed, unless the result is still held back."""
    passed = Result.objects.filter(sitting__in=sittings, in_force=True, passed=True, decided_at__isnull=False)
    found = dict(passed.values_list("sitting_id", "released_at"))
    return set(found) - held_back(sitting for sitting, released_at in found.items() if released_at is None)


# ---- for candidates


def released_sittings(person: User) -> set[UUID]:
    """The sittings whose result a person may read."""
    released = Result.objects.filter(sitting__candidate__person=person, released_at__isnull=False)
    return set(released.values_list("sitting_id", flat=True))


def own_results(person: User) -> QuerySet[Result]:
    """The latest released result of each of the person's sittings that is not annulled, newest first."""
    later = Result.objects.filter(sitting=OuterRef("sitting"), released_at__isnull=False, number__gt=OuterRef("number"))
    released = Result.objects.filter(
        sitting__candidate__person=person, sitting__annulled_at=None, released_at__isnull=False
    )
    return (
        released.filter(~Exists(later))
        .select_related("programme_version__programme", "sitting__candidate__session")
        .order_by("-sitting__started_at")
    )


def released_results(person: User, sitting_id: UUID) -> list[Result]:
    """All released results of the person's own sitting, latest first; none if it is annulled or somebody else's."""
    found = Result.objects.filter(
        sitting=sitting_id, sitting__candidate__person=person, sitting__annulled_at=None, released_at__isnull=False
    ).select_related("programme_version__programme", "sitting__candidate__session", "decided_by")
    return list(found.order_by("-number"))


def items_shown(session_id: UUID, now: datetime) -> bool:
    """Whether a session's items and rulings may be shown, because no candidate can get them any more."""
    return not sessions_in_use(now).filter(pk=session_id).exists()


def own_annulment(person: User, sitting_id: UUID) -> Annulment | None:
    """The accepted annulment of the person's own sitting, if any."""
    found = Annulment.objects.filter(sitting=sitting_id, sitting__candidate__person=person, accepted=True)
    return found.select_related("sitting__candidate__session__programme_version__programme").first()


def shown_since(result: Result, now: datetime) -> datetime | None:
    """When the candidate could first see the items of a released result; None while others may still get them."""
    session = result.sitting.candidate.session
    if result.released_at is None or not items_shown(session.pk, now):
        return None
    ended = Sitting.objects.filter(candidate__session=session).aggregate(last=Max("closed_at"))["last"]
    moments: list[datetime] = [result.released_at, ended]
    if Candidate.objects.filter(session=session, sitting=None).exists():
        moments.append(session.entry_closes_at)
    return max(moments)


def appeal_deadline(result: Result, now: datetime) -> datetime | None:
    """Until when an item of a released result can be contested; None if it cannot (yet)."""
    since, days = shown_since(result, now), result.programme_version.rules.appeal_days
    return since + timedelta(days=days) if since and days else None


@dataclass(frozen=True)
class GradedItem:
    form_item: FormItem
    mark: Mark
    former: tuple[Mark, ...]  # those it replaced, oldest first


def graded_items(result: Result, *, documents: bool = False, position: int | None = None) -> list[GradedItem]:
    """The items of a sitting in order, each with the mark that this result is based on."""
    marks = Mark.objects.filter(
        form_item__form__candidate=result.sitting.candidate_id, graded_at__lte=result.computed_at
    ).select_related("form_item__item__version")
    if position is not None:
        marks = marks.filter(form_item__position=position)
    if not documents:
        marks = marks.defer("mark_document", "ruling_document", "form_item__item__scenario_document")
    found: dict[int, list[Mark]] = {}
    for mark in marks.order_by("form_item__position", "number"):
        found.setdefault(mark.form_item_id, []).append(mark)
    return [GradedItem(several[-1].form_item, several[-1], tuple(several[:-1])) for several in found.values()]


# ---- for examiners


# Browser events are only counted: people leave pages by accident.
LISTED = [kind for kind in Event.Kind if kind not in REPORTED_BY_BROWSERS]


def incidents(sitting: Sitting) -> QuerySet[Event]:
    """The events of a sitting that its examiner needs to know, in order."""
    return sitting.events.filter(kind__in=LISTED).select_related("by").order_by("at", "pk")


def examined_sessions(person: User) -> QuerySet[Session]:
    """The sessions whose results a person may see, annotated with how many were sat and graded."""
    sessions = Session.objects.select_related("programme_version__programme").annotate(
        sat=Count("candidates__sitting"),
        graded=Count("candidates__sitting", filter=Q(candidates__sitting__graded_at__isnull=False)),
    )
    if person.roles.isdisjoint({Role.ADMINISTRATOR, Role.AUDITOR}):
        appointed = Examiner.objects.filter(person=person, programme=OuterRef("programme_version__programme"))
        sessions = sessions.exclude(Q(programme_version__rules_document__examiners="appointed") & ~Exists(appointed))
    return sessions.filter(sat__gt=0).order_by("-opens_at")


class Progress(Enum):
    ABSENT = "absent"
    SITTING = "sitting"
    WAITING = "waiting"
    ASIDE = "aside"
    ANNULLED = "annulled"
    GRADED = "graded"


@dataclass(frozen=True)
class CandidateRow:
    """A candidate of a session and their progress, without extra time."""

    candidate: Candidate
    progress: Progress
    result: Result | None


def candidates_of(session: Session, viewer: User) -> QuerySet[Candidate]:
    """Everybody except the viewer: nobody sees their own result before its release."""
    others = Candidate.objects.filter(session=session).exclude(person=viewer).select_related("person", "sitting")
    return others.defer("extra_minutes").order_by(alphabetical("person__name"), "pk")


def lines(candidates: Sequence[Candidate]) -> list[CandidateRow]:
    results = _in_force(candidate.sitting.pk for candidate in candidates if hasattr(candidate, "sitting"))
    return [_line(candidate, results) for candidate in candidates]


def _in_force(sittings: Iterable[UUID]) -> dict[UUID, Result]:
    found = Result.objects.filter(sitting__in=list(sittings), in_force=True).select_related(
        "programme_version", "decided_by"
    )
    return {result.sitting_id: result for result in found}


def _line(candidate: Candidate, results: dict[UUID, Result]) -> CandidateRow:
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    if sitting is None:
        return CandidateRow(candidate, Progress.ABSENT, None)
    if sitting.closed_at is None:
        return CandidateRow(candidate, Progress.SITTING, None)
    if sitting.annulled_at:
        return CandidateRow(candidate, Progress.ANNULLED, None)
    result = results.get(sitting.pk)
    if result is None:
        aside = sitting.grading_failures >= MAX_FAILURES
        return CandidateRow(candidate, Progress.ASIDE if aside else Progress.WAITING, None)
    return CandidateRow(candidate, Progress.GRADED, result)


def counts(session: Session, viewer: User) -> dict[str, int]:
    """Counts of candidates by stage: closed, graded, decided, released and so on."""
    closed = Q(sitting__closed_at__isnull=False, sitting__annulled_at=None)
    result = Q(sitting__results__in_force=True)
    found: dict[str, int] = (
        Candidate.objects.filter(session=session)
        .exclude(person=viewer)
        .aggregate(
            entered=Count("pk", distinct=True),
            closed=Count("pk", filter=closed, distinct=True),
            graded=Count("pk", filter=closed & Q(sitting__graded_at__isnull=False), distinct=True),
            annulled=Count("pk", filter=Q(sitting__annulled_at__isnull=False), distinct=True),
            aside=Count(
                "pk",
                filter=closed & Q(sitting__graded_at=None, sitting__grading_failures__gte=MAX_FAILURES),
                distinct=True,
            ),
            undecided=Count("pk", filter=result & Q(sitting__results__decided_at=None), distinct=True),
            to_release=Count(
                "pk",
                filter=result & Q(sitting__results__decided_at__isnull=False, sitting__results__released_at=None),
                distinct=True,
            ),
            passed=Count(
                "pk",
                filter=result & Q(sitting__results__decided_at__isnull=False, sitting__results__passed=True),
                distinct=True,
            ),
        )
    )
    return found


# ---- for monitoring


def given_up() -> int:
    return set_aside().count()


def letters_owed() -> QuerySet[Result]:
    return Result.objects.filter(letter_owed=True, in_force=True, released_at__isnull=False)


def owed_work() -> list[Owed]:
    return [
        Owed("exams to be graded", "exams", ungraded(), since="closed_at", given_up=given_up),
        Owed("letters of results", "exams", letters_owed(), since="released_at"),
    ]


def grading_times(lately: timedelta) -> list[tuple[str, list[timedelta]]]:
    graded = Sitting.objects.filter(graded_at__gte=clock.now() - lately, closed_at__isnull=False)
    times = graded.values_list("closed_at", "graded_at")
    return [("exams", [end - begin for begin, end in times if begin and end])]
