"""Models of sprints. The server keeps the deadline: the browser's clock does not count."""

import uuid

from django.db import models
from django.utils.functional import cached_property

import rules_engine
from rules_engine import Scenario
from training.people.models import User


class Sprint(models.Model):
    """One run. A wrong answer shortens the time left. A person has at most one open."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sprints")
    kind = models.CharField(max_length=16)
    started_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    right = models.PositiveSmallIntegerField(default=0)
    wrong = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trainee"], condition=models.Q(closed_at=None), name="one_open_sprint_of_a_person"
            )
        ]
        indexes = [models.Index(fields=["trainee", "kind", "-right"], name="sprint_best")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.kind} {self.right}"


class SprintCase(models.Model):
    """A case of a sprint with its question. Cases are answered once, in order."""

    sprint = models.ForeignKey(Sprint, on_delete=models.CASCADE, related_name="cases")
    number = models.PositiveSmallIntegerField()  # from 1
    scenario_document = models.JSONField()
    question = models.CharField(max_length=64)
    put_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    given = models.CharField(max_length=100, blank=True)
    correct = models.BooleanField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sprint", "number"], name="one_case_at_a_number_of_a_sprint")]

    def __str__(self) -> str:
        return f"{self.sprint_id} {self.number}"

    @cached_property
    def scenario(self) -> Scenario:
        return rules_engine.scenario_from(self.scenario_document)


class OnBoard(models.Model):
    """A trainee who takes part in the leaderboard of their classes, and so sees it."""

    trainee = models.OneToOneField(User, on_delete=models.CASCADE, related_name="on_board")
    joined_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.trainee_id)
