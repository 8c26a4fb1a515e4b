"""Regrades: run in the shadow, looked at, then published or discarded."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.programmes.models import Programme, ProgrammeVersion
from exams.records.models import Sitting
from exams.results.models import Mark, Result
from training.people.models import User


class Regrade(models.Model):
    """All answers of a programme graded again, and all its decisions taken again, without anybody noticing yet.

    It is about the sittings that had a result when it was started. With `rules` the decisions follow that version's
    pass marks instead of those of the version the sitting was held under.
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
    # The versions of the games that it was worked out with.
    engine = models.CharField(max_length=200)
    sittings_total = models.PositiveIntegerField(default=0)
    sittings_done = models.PositiveIntegerField(default=0)
    answers_done = models.PositiveIntegerField(default=0)
    started_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField()
    # When a worker last brought it on; the sweep wakes one again where that is too long ago.
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
    """One sitting regraded, `changed` or not: kept for every one, so that a killed run goes on where it was.

    `score`, `passed` and `outcome` are what it would come to, where that or a mark differs. A sitting on which the
    engine failed has its `trouble` written down and is left as it is.
    """

    class Settled(models.TextChoices):
        PUBLISHED = "published", _("put in force")
        # Something else changed the sitting after it was shown; only what was shown is published.
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
    """A mark that came out differently: the one in force and what it would become (plain data of `MarkValues`)."""

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="marks")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    before = models.ForeignKey(Mark, on_delete=models.PROTECT, related_name="+")
    after = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["regrade", "before"], name="mark_once_in_a_regrade")]
        indexes = [models.Index(fields=["regrade", "sitting"], name="regraded_marks_of_a_sitting")]

    def __str__(self) -> str:
        return f"{self.regrade_id}: {self.before_id}"
