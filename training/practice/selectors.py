"""Queries of practice."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, QuerySet, Subquery
from django.utils import timezone

from training.figures.models import TopicTally
from training.people.models import User
from training.platform.pending import Owed
from training.platform.rulebook_choices import topic_choices
from training.practice.models import Attempt, Drill, Mark, Remark

RECENT = 40
LEFT_OPEN = timedelta(days=14)
NEWEST = 2000  # how many rows the metrics look at: there is no index, and they are polled every few seconds


def drill_of(trainee: User, drill_id: UUID) -> Drill:
    """The trainee's own drill with its answer, mark and flag. Raises Drill.DoesNotExist for somebody else's."""
    own = Drill.objects.filter(pk=drill_id, trainee=trainee)
    found = own.select_related("attempt").get()
    if hasattr(found, "attempt"):  # before that nothing else can be there, and that is the page seen most
        around = ("attempt__mark", "attempt__second_try", "version", "flag", "note", "remark__author")
        found = own.select_related(*around).get()
    found.trainee = trainee
    return found


class Waiting(NamedTuple):
    """What waits for a trainee: the last drill they left open, if any, and whether there are remarks to read."""

    unanswered: UUID | None
    remarked: bool


def waiting(trainee: User) -> Waiting:
    """In one query. A drill older than `LEFT_OPEN` does not count as left open."""
    left = Drill.objects.filter(trainee=trainee, created_at__gt=timezone.now() - LEFT_OPEN, attempt=None)
    newest = left.order_by("-created_at").values("pk")[:1]
    unread = Remark.objects.filter(drill__trainee=trainee, read_at=None)
    return Waiting(*User.objects.values_list(Subquery(newest), Exists(unread)).get(pk=trainee.pk))


class Answered(NamedTuple):
    """A marked answer in a list."""

    drill_id: UUID
    rulebook: str
    topic: str
    difficulty: int
    submitted_at: datetime
    mark_id: int
    points: int
    of: int
    ratings: dict[str, int]  # by clause


_ANSWERED = (
    "attempt__drill_id",
    "attempt__drill__rulebook",
    "attempt__drill__topic",
    "attempt__drill__difficulty",
    "attempt__submitted_at",
    "pk",
    "points",
    "of",
    "ratings",
)


def recent(trainee: User, *, since: datetime | None = None) -> list[Answered]:
    """The last graded answers, newest first."""
    newest = Mark.objects.filter(attempt__trainee=trainee).order_by("-attempt__submitted_at")
    found = [Answered(*row) for row in newest.values_list(*_ANSWERED)[:RECENT]]
    return [one for one in found if since is None or one.submitted_at > since]


def history(trainee: User, subject: str = "", *, favourites: bool = False) -> QuerySet[Attempt]:
    """The answers of a trainee, newest first; of one topic (`rulebook/topic`), or only favourites, if asked."""
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
    known = topic_choices(language, {book for book, _topic in rows}, levels=False)
    return [(book, [option for option in options if option[0] in answered]) for book, options in known]


# ---- for monitoring


def unmarked() -> QuerySet[Attempt]:
    return Attempt.objects.filter(state=Attempt.State.SUBMITTED)


def given_up() -> int:
    """How many of the newest answers could not be marked."""
    newest = Attempt.objects.order_by("-pk").values("state")[:NEWEST]
    return sum(row["state"] == Attempt.State.FAILED for row in newest)


def owed_work() -> list[Owed]:
    return [Owed("answers to be marked", "practice", unmarked(), since="submitted_at", given_up=given_up)]


def grading_times(lately: timedelta) -> list[tuple[str, list[timedelta]]]:
    newest = Mark.objects.order_by("-pk").values_list("attempt__submitted_at", "graded_at")[:NEWEST]
    begin = timezone.now() - lately
    return [("answers", [graded - submitted for submitted, graded in newest if graded >= begin])]
