"""What practice pages read."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rules_engine import RULEBOOKS, topics
from rules_engine.words import text
from training.people.models import User
from training.practice.models import Attempt, Drill


def drill_of(trainee: User, drill_id: UUID) -> Drill:
    """The trainee's own drill with its answer, mark and flag. Somebody else's does not exist for them."""
    return Drill.objects.select_related("attempt__mark", "version", "flag").get(pk=drill_id, trainee=trainee)


def unanswered(trainee: User) -> Drill | None:
    """The drill a trainee left open last, to go on with."""
    return Drill.objects.filter(trainee=trainee, attempt=None).order_by("-created_at").first()


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
    graded = Attempt.objects.filter(trainee=trainee, state=Attempt.State.GRADED).select_related("drill", "mark")
    return [
        Result(
            drill_id=attempt.drill_id,
            topic=text(f"topic.{attempt.drill.topic}", language),
            submitted_at=attempt.submitted_at,
            points=attempt.mark.points,
            of=attempt.mark.of,
        )
        for attempt in graded.order_by("-submitted_at")[:count]
    ]


def choices(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What can be practised: for each rulebook its topics as (value, name)."""
    return [
        (
            text(f"rulebook.{book}", language),
            [(f"{book}/{topic}", text(f"topic.{topic}", language)) for topic in topics(book)],
        )
        for book in RULEBOOKS
        if topics(book)
    ]
