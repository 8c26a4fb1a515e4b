"""What pages read of results."""

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
from exams.sittings.events import TOLD_BY_BROWSERS
from training.people.models import Role, User
from training.platform.pending import Owed


def passed_among(sittings: QuerySet[Sitting]) -> set[UUID]:
    """Those that were passed, as decided and in force, as far as it may be told."""
    passed = Result.objects.filter(sitting__in=sittings, in_force=True, passed=True, decided_at__isnull=False)
    found = dict(passed.values_list("sitting_id", "released_at"))
    return set(found) - held_back(sitting for sitting, released_at in found.items() if released_at is None)


# ---- the candidate's


def released_sittings(person: User) -> set[UUID]:
    """The sittings of which a person may read a result."""
    released = Result.objects.filter(sitting__candidate__person=person, released_at__isnull=False)
    return set(released.values_list("sitting_id", flat=True))


def own_results(person: User) -> QuerySet[Result]:
    """The last released result of every sitting of a person that was not annulled, newest first."""
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
    """All released results of one's own sitting, the last one first; none for anybody else, nor once it is annulled."""
    found = Result.objects.filter(
        sitting=sitting_id,
        sitting__candidate__person=person,
        sitting__annulled_at=None,
        released_at__isnull=False,
    ).select_related("programme_version__programme", "sitting__candidate__session", "decided_by")
    return list(found.order_by("-number"))


def items_shown(session_id: UUID, now: datetime) -> bool:
    """Whether the items of a session may be shown with their rulings: nobody can be put before them any more."""
    return not sessions_in_use(now).filter(pk=session_id).exists()


def own_annulment(person: User, sitting_id: UUID) -> Annulment | None:
    """What was decided of one's own sitting besides its result: that it is annulled, or the try given back."""
    found = Annulment.objects.filter(sitting=sitting_id, sitting__candidate__person=person, accepted=True)
    return found.select_related("sitting__candidate__session__programme_version__programme").first()


def shown_since(result: Result, now: datetime) -> datetime | None:
    """Since when the candidate sees the items of a released result; None while others may still be put before them."""
    session = result.sitting.candidate.session
    if result.released_at is None or not items_shown(session.pk, now):
        return None
    ended = Sitting.objects.filter(candidate__session=session).aggregate(last=Max("closed_at"))["last"]
    moments: list[datetime] = [result.released_at, ended]
    if Candidate.objects.filter(session=session, sitting=None).exists():
        moments.append(session.entry_closes_at)
    return max(moments)


def appeal_deadline(result: Result, now: datetime) -> datetime | None:
    """The last moment at which an item of a released result can be contested; None where none can be (yet)."""
    since, days = shown_since(result, now), result.programme_version.rules.appeal_days
    return since + timedelta(days=days) if since and days else None


@dataclass(frozen=True)
class GradedItem:
    form_item: FormItem
    mark: Mark
    former: tuple[Mark, ...]  # those it replaced, the first one first


def graded_items(result: Result, *, documents: bool = False, position: int | None = None) -> list[GradedItem]:
    """The items of a sitting in order, each with the mark that this result was made of."""
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


# ---- the examiner's


# What browsers tell of themselves is counted, not listed: pages are left by accident.
LISTED = [kind for kind in Event.Kind if kind not in TOLD_BY_BROWSERS]


def incidents(sitting: Sitting) -> QuerySet[Event]:
    """What happened in a sitting, as whoever decides about it needs to know, in order."""
    return sitting.events.filter(kind__in=LISTED).select_related("by").order_by("at", "pk")


def examined_sessions(person: User) -> QuerySet[Session]:
    """The sessions whose results a person may see, with how many were sat and graded."""
    sessions = Session.objects.select_related("programme_version__programme").annotate(
        sat=Count("candidates__sitting"),
        graded=Count("candidates__sitting", filter=Q(candidates__sitting__graded_at__isnull=False)),
    )
    if Role.ADMINISTRATOR not in person.roles:
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
    """A candidate of a session and how far they are. Extra time is nobody's business here."""

    candidate: Candidate
    progress: Progress
    result: Result | None


def candidates_of(session: Session, viewer: User) -> QuerySet[Candidate]:
    """Everybody but the viewer: nobody sees their own result before it is released."""
    others = Candidate.objects.filter(session=session).exclude(person=viewer).select_related("person", "sitting")
    return others.defer("extra_minutes").order_by("person__name", "pk")


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
    """How far the grading, deciding and releasing of a session is."""
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


# ---- the watchman's


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
