"""The audit log. Entries are never changed or deleted: no service does so, and the database refuses it."""

from django.db import models

from training.people.models import User


class Entry(models.Model):
    """One act: who did what to which thing, and when. `digest` seals it together with the previous entry."""

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    # Null if the platform acted.
    actor = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    act = models.CharField(max_length=64)  # "programme.published"
    subject = models.CharField(max_length=80)  # "programme:<id>"
    details = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(fields=["subject", "number"], name="entry_by_subject"),
            models.Index(fields=["act", "number"], name="entry_by_act"),
            models.Index(fields=["actor", "number"], name="entry_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.act} {self.subject}"


class Head(models.Model):
    """The single row for the last entry, locked while the next is added."""

    number = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.number} {self.digest}"
