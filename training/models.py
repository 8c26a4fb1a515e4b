"""The models of the app `training`: its own, and those of people and practice, which have no app of their own."""

from django.db import models

from training.people.models import AccountAct, Role, RoleGrant, User
from training.practice.models import Attempt, Drill, Flag, Mark

__all__ = ["AccountAct", "Attempt", "Beat", "Drill", "Flag", "Mark", "Role", "RoleGrant", "User", "WorkerSeen"]


class WorkerSeen(models.Model):
    """When a worker of a queue was last seen at its work (`training.signs`); `worker` is the name of the queue.
    Web processes leave a row here to show that the database can be written (`training.writable`)."""

    worker = models.CharField(max_length=255, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} at {self.seen_at:%Y-%m-%d %H:%M:%S}"


class Beat(models.Model):
    """Which beat beats, in one row: whoever holds it renews it (`training.beat`). No holder: it stopped orderly."""

    holder = models.CharField(max_length=255, blank=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.holder or 'nobody'} at {self.seen_at:%Y-%m-%d %H:%M:%S}"
