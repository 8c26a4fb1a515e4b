"""Heartbeats of processes."""

from django.db import models


class WorkerSeen(models.Model):
    """When a worker of a queue was last alive, or a backup made (`heartbeats`); `worker` is the name of the queue.

    Web processes write their own rows here to check that the database accepts writes (`database_writes`).
    """

    worker = models.CharField(max_length=255, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} at {self.seen_at:%Y-%m-%d %H:%M:%S}"


class Beat(models.Model):
    """The single row that records which beat process holds the lease (`beat`); empty after a clean shutdown."""

    holder = models.CharField(max_length=255, blank=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.holder or 'nobody'} at {self.seen_at:%Y-%m-%d %H:%M:%S}"
