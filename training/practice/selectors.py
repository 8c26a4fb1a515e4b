"""What practice pages read."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from rules_engine.narration import topic_name
from training.choices import topic_choices
from training.figures.models import TopicTally
from training.people.models import User
from training.practice.models import Attempt, Drill, Mark

NEWEST = 2000  # as far back as figures for the watchman look: no index leads to them, and he asks every few seconds


def drill_of(trainee: User, drill_id: UUID) -> Drill:
    """The trainee's own drill with its answer, mark and flag. Somebody else's does not exist for them."""
    return Drill.objects.select_related(
        "attempt__mark", "attempt__second_try", "version", "flag", "note", "remark__author"
    ).get(pk=drill_id, trainee=trainee)


def unanswered(trainee: User) -> Drill | None:
    """The drill a trainee left open last, to go on with."""
    own = Drill.objects.filter(trainee=trainee, attempt=None).defer("scenario_document")
    return own.order_by("-created_at").first()


@dataclass(frozen=True)
class Result:
    """One line of a trainee's record."""

    drill_id: UUID
    topic: str
    submitted_at: datetime
    points: int
    of: int


def latest(trainee: User, language: str, count: int = 5) -> list[Result]:
    """The last graded answers, newest first."""
    graded = Attempt.objects.filter(trainee=trainee, state=Attempt.State.GRADED).order_by("-submitted_at")
    columns = ("drill_id", "drill__rulebook", "drill__topic", "submitted_at", "mark__points", "mark__of")
    return [
        Result(drill_id, topic_name(book, topic, language), submitted_at, points, of)
        for drill_id, book, topic, submitted_at, points, of in graded.values_list(*columns)[:count]
    ]


def history(trainee: User, subject: str = "", *, favourites: bool = False) -> QuerySet[Attempt]:
    """Every answer of a trainee, newest first, or those of one topic (`rulebook/topic`), or favourites alone."""
    found = Attempt.objects.filter(trainee=trainee)
    if favourites:
        found = found.filter(drill__note__favourite=True)
    if subject:
        rulebook, _slash, topic = subject.partition("/")
        found = found.filter(drill__rulebook=rulebook, drill__topic=topic)
    documents = ("drill__scenario_document", "mark__mark_document", "mark__ruling_document", "answer")
    return (
        found.select_related("drill__note", "drill__remark", "mark").defer(*documents).order_by("-submitted_at", "-pk")
    )


def practised(trainee: User, language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The topics a trainee has answered in, under their rulebooks."""
    rows = TopicTally.objects.filter(trainee=trainee).values_list("rulebook", "topic")
    answered = {f"{book}/{topic}" for book, topic in rows}
    known = topic_choices(language, {book for book, _topic in rows})
    return [(book, [option for option in options if option[0] in answered]) for book, options in known]


# ---- what the watchman reads


def unmarked() -> QuerySet[Attempt]:
    return Attempt.objects.filter(state=Attempt.State.SUBMITTED)


def given_up() -> int:
    """Answers among the newest that could not be marked."""
    newest = Attempt.objects.order_by("-pk").values("state")[:NEWEST]
    return sum(row["state"] == Attempt.State.FAILED for row in newest)


def times_to_mark(lately: timedelta) -> list[timedelta]:
    newest = Mark.objects.order_by("-pk").values_list("attempt__submitted_at", "graded_at")[:NEWEST]
    begin = timezone.now() - lately
    return [graded - submitted for submitted, graded in newest if graded >= begin]
