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
    # How many cases that are not alike each blueprint line has, counted up to a limit when the draft was saved.
    supplies = models.JSONField(default=list, db_default=[], blank=True)
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


class Judgement(models.Model):
    """What a judge of the pass mark expects, for each blueprint line in order, of somebody who only just deserves to
    pass: the percentage of its points. Before the judges saw those of the others (round 1), and after (round 2)."""

    version = models.ForeignKey(ProgrammeVersion, on_delete=models.CASCADE, related_name="judgements")
    judge = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    round = models.PositiveSmallIntegerField()
    ratings = models.JSONField()
    blueprint = models.CharField(max_length=64)  # digest of the lines that were judged
    # What each line asks, in the order of `ratings`; None for judgements of earlier releases.
    lines = models.JSONField(null=True, blank=True)
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["round", "given_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "judge", "round", "blueprint"], name="one_judgement_of_a_blueprint_in_a_round"
            ),
            models.CheckConstraint(condition=models.Q(round__in=(1, 2)), name="judgement_in_two_rounds"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.judge_id}, round {self.round}"


class Relaxation(models.Model):
    """A waiver of a rule of the separation of duties (`duties`), asked for with a reason and signed by another."""

    line = models.CharField(max_length=40)
    reason = models.TextField(max_length=1000)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    signed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["line"], condition=models.Q(ended_at=None), name="one_relaxation_of_a_duty_at_a_time"
            ),
            models.CheckConstraint(
                condition=models.Q(signed_by=None) | ~models.Q(signed_by=models.F("asked_by")),
                name="duty_relaxed_by_two",
            ),
        ]

    def __str__(self) -> str:
        return self.line
