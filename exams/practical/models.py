"""Tables of practical exams, the acts of candidates on screen, and what examiners tick at a real table.

Setup, state and script are secret: they tell what is to come.
"""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.records.models import Candidate
from rules_engine import play
from training.live_table.models import DealerAct, Dealing
from training.people.models import User


class ExamTable(Dealing):
    """The table of one candidate, laid before the session opens.

    At a real table nothing is dealt on screen. There `script` holds, moment by moment, what happens if the candidate
    does everything right (`script.Scene`).
    """

    candidate = models.OneToOneField(Candidate, on_delete=models.PROTECT, related_name="exam_table")
    in_room = models.BooleanField(default=False)
    script = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.candidate_id}: {self.rulebook}"

    def close(self, state: play.State, now: datetime) -> None:
        """The last coup is over. The marks come with the grading."""
        self.ended_at, self.halted_at, self.pending = now, None, []


class ExamAct(DealerAct):
    table = models.ForeignKey(ExamTable, on_delete=models.PROTECT, related_name="acts")

    class Meta(DealerAct.Meta):
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_act_at_a_number_of_a_table")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.number}"


class Marking(models.Model):
    """What one examiner saw at a real table. Nobody else sees it before both examiners have handed in."""

    class Place(models.IntegerChoices):
        FIRST = 1, _("first examiner")
        SECOND = 2, _("second examiner")

    table = models.ForeignKey(ExamTable, on_delete=models.PROTECT, related_name="markings")
    examiner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="practical_markings")
    place = models.PositiveSmallIntegerField(choices=Place.choices)
    begun_at = models.DateTimeField()
    handed_in_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["table", "place"], name="two_examiners_of_a_table"),
            models.UniqueConstraint(fields=["table", "examiner"], name="two_different_examiners"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.examiner_id}"


class Tick(models.Model):
    """One thing an examiner ticked or counted. `sequence` grows with every change, so late changes can be detected."""

    marking = models.ForeignKey(Marking, on_delete=models.PROTECT, related_name="ticks")
    key = models.CharField(max_length=80)
    value = models.PositiveSmallIntegerField()
    sequence = models.PositiveBigIntegerField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["marking", "key"], name="one_tick_of_an_examiner")]

    def __str__(self) -> str:
        return f"{self.marking_id} {self.key}: {self.value}"


class Proposal(models.Model):
    """How an examiner would settle the differences. It holds once the other proposes the same or a third person
    decides."""

    table = models.ForeignKey(ExamTable, on_delete=models.PROTECT, related_name="proposals")
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    marked = models.JSONField()  # of the keys that differ
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.by_id}"


class Settlement(models.Model):
    """What counts at a real table, after both examiners have handed in. Never changes."""

    class How(models.TextChoices):
        SAME = "same", _("Both examiners marked the same")
        AGREED = "agreed", _("The examiners agreed on what differed")
        THIRD = "third", _("A third person decided what differed")

    table = models.OneToOneField(ExamTable, on_delete=models.PROTECT, related_name="settlement")
    how = models.CharField(max_length=8, choices=How.choices)
    marked = models.JSONField()  # every key that counts
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.table_id}: {self.how}"
