"""Queries of sprints: a trainee's best results, and the leaderboard of their classes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Max

from training.classes.models import Enrolment
from training.people.models import User
from training.sprint.models import OnBoard, Sprint

BOARD_DAYS = timedelta(days=7)
BOARD = 10


@dataclass(frozen=True)
class Place:
    name: str
    best: int
    own: bool


def own(trainee: User, sprint_id: UUID) -> Sprint:
    return Sprint.objects.get(pk=sprint_id, trainee=trainee)


def bests(trainee: User) -> dict[str, int]:
    """By kind: the most right answers in a finished sprint."""
    closed = Sprint.objects.filter(trainee=trainee, closed_at__isnull=False)
    return dict(closed.values("kind").annotate(best=Max("right")).values_list("kind", "best"))


def under_way(trainee: User, now: datetime) -> Sprint | None:
    return Sprint.objects.filter(trainee=trainee, closed_at=None, deadline_at__gt=now).first()


def on_board(trainee: User) -> bool:
    return OnBoard.objects.filter(trainee=trainee).exists()


def boards(trainee: User, now: datetime) -> dict[str, list[Place]]:
    """By kind: the best results of the last week of everybody in the trainee's open classes who joined the board."""
    inside = Enrolment.objects.filter(left_at=None, training_class__closed_at=None)
    classes = inside.filter(trainee=trainee).values("training_class")
    people = inside.filter(training_class__in=classes, trainee__on_board__isnull=False).values("trainee")
    lately = Sprint.objects.filter(trainee__in=people, closed_at__gte=now - BOARD_DAYS, right__gt=0)
    rows = lately.values_list("kind", "trainee_id", "trainee__name").annotate(best=Max("right"))
    found: dict[str, list[Place]] = {}
    for kind, pk, name, best in sorted(rows, key=lambda row: (-row[3], row[2])):
        found.setdefault(kind, []).append(Place(name, best, pk == trainee.pk))
    return {kind: places[:BOARD] for kind, places in found.items()}
