"""Memories of rules, and study plans."""

from django.db import models

from training.people.models import User


class Memory(models.Model):
    """A trainee's memory of one rule (the clause a scenario turned on), as a card of the scheduler."""

    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memories")
    rulebook = models.CharField(max_length=64)
    cite = models.CharField(max_length=32)
    card = models.JSONField()
    # The card before the first review of the last day with one, to tell what that day changed. None: met on that day.
    card_before = models.JSONField(null=True, blank=True)
    due = models.DateTimeField()
    last_review = models.DateTimeField()
    reviews = models.PositiveIntegerField(default=0)
    lapses = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trainee", "rulebook", "cite"], name="one_memory_of_a_rule")]
        indexes = [models.Index(fields=["trainee", "due"], name="memory_by_due")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.rulebook} {self.cite}"


class StudyPlan(models.Model):
    """A trainee's own choices; empty ones come from the class or the house."""

    trainee = models.OneToOneField(User, on_delete=models.CASCADE, related_name="study_plan")
    daily_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    rulebooks = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(daily_minutes=None) | models.Q(daily_minutes__range=(5, 120)),
                name="daily_minutes_from_5_to_120",
            )
        ]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.daily_minutes} min"
