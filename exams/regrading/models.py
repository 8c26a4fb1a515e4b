"""Regrades: run without effect, reviewed, then published or discarded."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.programmes.models import Programme, ProgrammeVersion
from exams.records.models import Sitting
from exams.results.models import Mark, Result
from training.people.models import User


class Regrade(models.Model):
    """A programme's answers graded and its results decided again, invisible until published.

    Covers the sittings that had a result when it started. With `rules`, that version's pass marks apply instead of
    those each sitting was held under.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        READY = "ready", _("ready to review")
        PUBLISHING = "publishing", _("being published")
        PUBLISHED = "published", _("put in force")
        DISCARDED = "discarded", _("discarded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="regrades")
    rules = models.ForeignKey(ProgrammeVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(max_length=2000)
    state = models.CharField(max_length=16, choices=State.choices, default=State.RUNNING)
    # The versions of the games used.
    engine = models.CharField(max_length=200)
    sittings_total = models.PositiveIntegerField(default=0)
    sittings_done = models.PositiveIntegerField(default=0)
    answers_done = models.PositiveIntegerField(default=0)
    started_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField()
    # The last progress; the sweep wakes a worker if it is too long ago.
    moved_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["programme"],
                condition=models.Q(state__in=["running", "ready", "publishing"]),
                name="one_regrade_of_a_programme_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.programme_id}: {self.state}"


class RegradedSitting(models.Model):
    """One regraded sitting, stored even if not `changed`, so that a killed run can continue.

    `score`, `passed` and `outcome` are the new values if anything differs. If the engine failed, `trouble` says why and
    the sitting stays as it is.
    """

    class Settled(models.TextChoices):
        PUBLISHED = "published", _("put in force")
        # The sitting changed after it was shown; only what was shown is published.
        OVERTAKEN = "overtaken", _("changed in the meantime, left as it is")

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="sittings")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    before = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="+")
    changed = models.BooleanField()
    score = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    outcome = models.JSONField(null=True, blank=True)
    trouble = models.TextField(blank=True)
    settled = models.CharField(max_length=16, choices=Settled.choices, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["regrade", "sitting"], name="sitting_once_in_a_regrade")]
        indexes = [models.Index(fields=["regrade"], name="regrade_changes", condition=models.Q(changed=True))]

    def __str__(self) -> str:
        return f"{self.regrade_id}: {self.sitting_id}"


class RegradedMark(models.Model):
    """A mark that would change: the one in force and its replacement (`MarkValues` as plain data)."""

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="marks")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    before = models.ForeignKey(Mark, on_delete=models.PROTECT, related_name="+")
    after = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["regrade", "before"], name="mark_once_in_a_regrade")]
        indexes = [models.Index(fields=["regrade", "sitting"], name="regraded_marks_of_a_sitting")]

    def __str__(self) -> str:
        return f"{self.regrade_id}: {self.before_id}"
