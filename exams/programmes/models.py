"""What is certified and how. Published versions never change; ongoing exams keep the version they began with."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.programmes.rules import Rules, rules_from
from training.people.models import User


class Programme(models.Model):
    """A certification scheme with all its versions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    code = models.SlugField(max_length=32, unique=True)  # "CDF-PT", printed in certificate numbers
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code


class ProgrammeVersion(models.Model):
    """`names` is the programme's name by language; `rules_document` holds all of its rules (see `rules.py`)."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("in force")
        RETIRED = "retired", _("replaced")

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=16, choices=State.choices, default=State.DRAFT)
    names = models.JSONField(default=dict)
    rules_document = models.JSONField()
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    published_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["programme", "number"], name="programme_version_number_once"),
            models.UniqueConstraint(
                fields=["programme"], condition=models.Q(state="published"), name="one_version_in_force"
            ),
            models.UniqueConstraint(
                fields=["programme"], condition=models.Q(state="draft"), name="one_draft_at_a_time"
            ),
            models.CheckConstraint(
                condition=~models.Q(published_by=models.F("author")), name="programme_published_by_a_second_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.programme_id} v{self.number} ({self.state})"

    @property
    def rules(self) -> Rules:
        return rules_from(self.rules_document)

    def name(self, language: str) -> str:
        return self.names.get(language) or next(iter(self.names.values()), self.programme.code)


class Examiner(models.Model):
    """Somebody appointed to examine in a programme: hold sessions, release results and take decisions."""

    programme = models.ForeignKey(Programme, on_delete=models.CASCADE, related_name="examiners")
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="examiner_of")
    appointed_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    appointed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["programme", "person"], name="examiner_appointed_once")]

    def __str__(self) -> str:
        return f"{self.programme_id}: {self.person_id}"
