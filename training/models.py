"""The models of the app `training`: its own, and those of people and practice, which have no app of their own."""

from django.db import models

from training.people.models import Role, RoleGrant, User
from training.practice.models import Attempt, Drill, Flag, Mark

__all__ = ["Attempt", "Drill", "Flag", "Mark", "Role", "RoleGrant", "User", "WorkerSeen"]


class WorkerSeen(models.Model):
    """When a queue worker last ran the heartbeat: proof that beat, broker and worker are all alive."""

    worker = models.CharField(max_length=255, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} at {self.seen_at:%Y-%m-%d %H:%M:%S}"
