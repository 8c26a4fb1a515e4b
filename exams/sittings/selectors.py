"""What a candidate may read: their exams, their form item by item, and their answers so far."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exams import clock
from exams.programmes import law
from exams.programmes.models import ProgrammeVersion
from exams.programmes.words import Group, rules_in_words
from exams.records.models import Candidate, Event, FormItem, Response, Session, Sitting
from exams.sittings import timing
from exams.sittings.timing import Entry
from training.operations.hooks import Count
from training.people.models import User
from training.practice import presentation
from training.practice.presentation import AskedQuestion

RULES = ("exam", "practical", "appeals")  # the groups of a programme's rules shown before the exam
SHOWN = (Session.State.READY, Session.State.CANCELLED)


@dataclass(frozen=True)
class OwnExam:
    """One row of the list. `state` is upcoming, open, waiting, running, missed, cancelled, closed or annulled.

    It is waiting if the law has changed since it was prepared, so that nobody can begin.
    """

    candidate: Candidate
    name: str
    state: str
    minutes: int
    released: bool
    # Others may begin with the same questions until then, so results come later. None once that time is over.
    others_until: datetime | None = None
    why: str = ""  # nobody can begin, while it is waiting

    @property
    def session(self) -> Session:
        return self.candidate.session

    @property
    def sitting(self) -> Sitting | None:
        return getattr(self.candidate, "sitting", None)


@dataclass(frozen=True)
class Mine:
    now: list[OwnExam]
    upcoming: list[OwnExam]
    past: list[OwnExam]


def candidacies(person: User) -> QuerySet[Candidate]:
    return Candidate.objects.filter(person=person, session__state__in=SHOWN).select_related(
        "session__programme_version__programme", "sitting"
    )


def is_in_room(candidate: Candidate) -> bool:
    """Whether this is a practical exam at a real table: the examiners begin it and nothing is done on screen."""
    return candidate.session.is_practical and candidate.session.programme_version.rules.in_room


def open_exam(person: User) -> str:
    """The address of the person's open exam, or "". Called on every request."""
    sittings = Sitting.objects.filter(candidate__person=person, closed_at=None, deadline_at__gt=clock.now())
    found = sittings.order_by("started_at").values_list("pk", flat=True).first()
    return reverse("sitting", args=[found]) if found else ""


def counts() -> list[Count]:
    at_work = Sitting.objects.filter(closed_at=None, deadline_at__gt=clock.now()).count()
    return [Count("sittings_open", "Candidates at work on an exam now.", at_work)]


def own_exams(person: User, language: str, now: datetime, *, released: Collection[UUID]) -> Mine:
    """All of a person's exams. `released` holds the sittings that have a result to read."""
    found = candidacies(person).order_by("session__opens_at")
    exams = [own_exam(candidate, language, now, released=released) for candidate in found]
    return Mine(
        now=[exam for exam in exams if exam.state in ("open", "waiting", "running")],
        upcoming=[exam for exam in exams if exam.state == "upcoming"],
        past=[exam for exam in reversed(exams) if exam.state in ("closed", "missed", "cancelled", "annulled")],
    )


def own_exam(candidate: Candidate, language: str, now: datetime, *, released: Collection[UUID] = ()) -> OwnExam:
    version = candidate.session.programme_version
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    state = _state(candidate, now)
    why = law.why_not_begun(version.rules, now) if state == "open" else ""
    return OwnExam(
        candidate=candidate,
        name=version.name(language),
        state="waiting" if why else state,
        why=why,
        minutes=version.rules.minutes_of(candidate.session.part) + candidate.extra_minutes,
        released=sitting is not None and sitting.pk in released,
        others_until=candidate.session.entry_closes_at if now < candidate.session.entry_closes_at else None,
    )


def _state(candidate: Candidate, now: datetime) -> str:
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    if sitting and sitting.annulled_at:
        return "annulled"
    if sitting:
        return "running" if timing.is_open(sitting, now) else "closed"
    if candidate.session.state == Session.State.CANCELLED:
        return "cancelled"
    return {Entry.EARLY: "upcoming", Entry.OPEN: "open", Entry.OVER: "missed"}[timing.entry(candidate.session, now)]


def rules_for_candidates(version: ProgrammeVersion) -> list[Group]:
    """The rules a candidate must know before the exam, in words."""
    return [group for key, group in rules_in_words(version).items() if key in RULES or key.startswith("section ")]


# ---------- what the invigilator did ----------


def added_time(sitting: Sitting) -> list[str]:
    """Each addition of time in words, the latest first."""
    added = sitting.events.filter(kind=Event.Kind.TIME_ADDED).order_by("-at", "-pk")
    return [_added(event) for event in added]


def _added(event: Event) -> str:
    values = {"minutes": event.minutes, "time": time_format(timezone.localtime(event.at), "H:i"), "why": event.text}
    if not event.text:  # recorded before reasons were required
        return (
            ngettext("%(time)s: %(minutes)d extra minute.", "%(time)s: %(minutes)d extra minutes.", event.minutes)
            % values
        )
    message = ngettext(
        "%(time)s: %(minutes)d extra minute. %(why)s", "%(time)s: %(minutes)d extra minutes. %(why)s", event.minutes
    )
    return message % values


def why_closed(sitting: Sitting) -> str:
    """The reason the invigilator gave for closing it, or ""."""
    said = sitting.events.filter(kind=Event.Kind.CLOSED).values_list("text", flat=True)
    return said.first() or ""


# ---------- the form ----------


@dataclass(frozen=True)
class StripItem:
    """One item in the number strip."""

    position: int
    answered: bool
    marked: bool
    complete: bool = True

    @property
    def state(self) -> str:
        """In words, for those who cannot see shapes or colours."""
        words = [_("answered") if self.answered else _("empty")]
        if self.answered and not self.complete:
            words = [_("partly answered")]
        return ", ".join([*words, *([_("marked for later")] if self.marked else [])])


def placed_items(sitting: Sitting) -> QuerySet[FormItem]:
    return FormItem.objects.filter(form__candidate=sitting.candidate_id).order_by("position")


def strip(sitting: Sitting) -> list[StripItem]:
    found = placed_items(sitting).values_list("position", "response__answer", "response__marked")
    return [
        StripItem(position, answered=bool((answer or {}).get("parts")), marked=bool(marked))
        for position, answer, marked in found
    ]


def strip_checked(sitting: Sitting) -> list[StripItem]:
    """Like `strip`, but also checks whether every question of an item is answered. Only the overview needs this."""
    asked = dict(placed_items(sitting).values_list("position", "item__scenario_document__questions"))
    given = dict(placed_items(sitting).values_list("position", "response__answer"))
    return [
        replace(item, complete=len((given[item.position] or {}).get("parts", {})) >= len(asked[item.position]))
        for item in strip(sitting)
    ]


def response_of(item: FormItem) -> Response | None:
    return getattr(item, "response", None)


def asked(item: FormItem, language: str, given: dict[str, str]) -> list[AskedQuestion]:
    """The questions as in practice, but without word lists to pick from: exams have no easier mode."""
    found = presentation.questions(item.item.scenario, language, given)
    return [replace(question, options=[]) if question.kind == "words" else question for question in found]
