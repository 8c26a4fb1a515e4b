"""Classes, their members, and their assignments."""

import uuid

from django.db import models
from django.utils import timezone

from rules_engine import RULEBOOKS
from training.library.models import Version
from training.people.models import User


class TrainingClass(models.Model):
    """A group of trainees with its instructors. `daily_minutes` is the default practice time of its trainees."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    daily_minutes = models.PositiveSmallIntegerField(default=10)
    rulebooks = models.JSONField(default=list)
    # Where its trainees practise, unless they choose otherwise: `rulebook/key` of tables of the house; empty: any.
    tables = models.JSONField(default=list, db_default=[])
    instructors = models.ManyToManyField(User, related_name="taught_classes")
    made_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name

    @property
    def books(self) -> list[str]:
        """Its rulebooks that the engine still has."""
        return [book for book in RULEBOOKS if book in self.rulebooks]


class Enrolment(models.Model):
    training_class = models.ForeignKey(TrainingClass, on_delete=models.CASCADE, related_name="enrolments")
    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="enrolments")
    enrolled_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    enrolled_at = models.DateTimeField(default=timezone.now)
    removed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["training_class", "trainee"], name="enrolled_once")]

    def __str__(self) -> str:
        return f"{self.trainee_id} in {self.training_class_id}"


class Taught(models.Model):
    """One person has taught another. Stored apart from the classes, so that it remains when somebody leaves one
    (`training.classes.teaching`)."""

    trainee = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    teacher = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trainee", "teacher"], name="taught_once")]

    def __str__(self) -> str:
        return f"{self.teacher_id} taught {self.trainee_id}"


class Assignment(models.Model):
    """Work set for a class: published scenarios and scenarios to generate, with a due date."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    training_class = models.ForeignKey(TrainingClass, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=120)
    due_at = models.DateTimeField()
    versions = models.ManyToManyField(Version, blank=True, related_name="assignments")
    # Scenarios to generate: [{"rulebook": …, "topic": …, "difficulty": 2, "count": 5}, …]
    fresh = models.JSONField(default=list)
    # Set only for `trainees`; otherwise for everybody in the class, also those who join later.
    for_some = models.BooleanField(default=False, db_default=False)
    trainees = models.ManyToManyField(User, blank=True, related_name="+")
    set_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.title


class Extension(models.Model):
    """A later due date for one trainee."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="extensions")
    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    due_at = models.DateTimeField()
    given_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "trainee"], name="one_extension_each")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.due_at}"
