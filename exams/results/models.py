"""Marks, results and annulments. Nothing is ever changed: a regrade adds new rows and puts them in force; an annulment
takes the last result out of force."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

import rules_engine
from exams.programmes.models import ProgrammeVersion
from exams.records.models import FormItem, Sitting, TwoPersonRequest
from rules_engine import Mark as EngineMark
from rules_engine import Ruling
from training.people.models import User


class Mark(models.Model):
    """The mark of one item on one form; unanswered items have one too.

    `points` and `of` are the engine's; the programme's points weigh them in the result.
    """

    class Cause(models.TextChoices):
        GRADED = "graded", _("graded")
        CORRECTED = "corrected", _("corrected after an appeal")
        VOIDED = "voided", _("voided after an appeal")
        REGRADED = "regraded", _("graded again")

    form_item = models.ForeignKey(FormItem, on_delete=models.PROTECT, related_name="marks")
    number = models.PositiveSmallIntegerField(default=1)
    in_force = models.BooleanField(default=True)
    cause = models.CharField(max_length=16, choices=Cause.choices, default=Cause.GRADED)
    engine = models.CharField(max_length=32)
    # The wording of the rulebook, as a digest of its law data.
    edition = models.CharField(max_length=16)
    points = models.PositiveSmallIntegerField()
    of = models.PositiveSmallIntegerField()
    critical_missed = models.BooleanField()
    voided = models.BooleanField(default=False)
    mark_document = models.JSONField()
    ruling_document = models.JSONField()
    graded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["form_item", "number"], name="mark_number_once"),
            models.UniqueConstraint(fields=["form_item"], condition=models.Q(in_force=True), name="one_mark_in_force"),
        ]

    def __str__(self) -> str:
        return f"{self.points}/{self.of}"

    @property
    def engine_mark(self) -> EngineMark:
        return rules_engine.mark_from(self.mark_document)

    @property
    def ruling(self) -> Ruling:
        return rules_engine.ruling_from(self.ruling_document)


class Result(models.Model):
    """A sitting's score under the programme's rules, and the decision. `outcome` is `decision.Outcome` as plain data.

    `decided_at` is null until a person has decided, `released_at` until the candidate may see it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="results")
    number = models.PositiveSmallIntegerField(default=1)
    in_force = models.BooleanField(default=True)
    programme_version = models.ForeignKey(ProgrammeVersion, on_delete=models.PROTECT, related_name="+")
    # Percent, rounded down; the decision uses the exact fraction.
    score = models.DecimalField(max_digits=7, decimal_places=4)
    passed = models.BooleanField()
    outcome = models.JSONField()
    computed_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    # Null if the programme's rule decided.
    decided_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    released_at = models.DateTimeField(null=True, blank=True)
    # Released, but the candidate's letter is not sent yet; the sweep sends what a worker missed.
    letter_owed = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sitting", "number"], name="result_number_once"),
            models.UniqueConstraint(fields=["sitting"], condition=models.Q(in_force=True), name="one_result_in_force"),
            models.CheckConstraint(
                condition=models.Q(released_at=None) | models.Q(decided_at__isnull=False),
                name="released_only_once_decided",
            ),
        ]
        indexes = [models.Index(fields=["released_at"], name="letter_to_send", condition=models.Q(letter_owed=True))]

    def __str__(self) -> str:
        return f"{self.sitting_id}: {self.score} ({'passed' if self.passed else 'failed'})"

    @property
    def graded_again(self) -> bool:
        """Whether there was a regrade. An examiner's decision against the rule also adds a result, from the same
        marks."""
        by_rule = bool(self.outcome["passed"])
        return self.number - (self.passed != by_rule) > 1


class Annulment(TwoPersonRequest):
    """A request to annul a sitting or give its attempt back. The candidate reads the reason.

    If the programme says so (`by_two`), a second person decides.
    """

    class Remedy(models.TextChoices):
        ANNULLED = "annulled", _("The sitting is annulled and the attempt given back")
        COUNTED = "counted", _("The sitting is annulled and still counts as an attempt")
        TRY_BACK = "try_back", _("The result stands and the attempt is given back")

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="annulments")
    remedy = models.CharField(max_length=16, choices=Remedy.choices)
    reason = models.TextField(max_length=2000)
    by_two = models.BooleanField()  # the programme's rule at the time of the request

    class Meta(TwoPersonRequest.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["sitting"], condition=models.Q(decided_at=None), name="one_annulment_asked_for_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["sitting"], condition=models.Q(accepted=True), name="sitting_annulled_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(accepted=True)
                | models.Q(by_two=False)
                | ~models.Q(decided_by=models.F("asked_by")),
                name="annulled_by_a_second_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sitting_id}: {self.remedy}"

    @property
    def annuls(self) -> bool:
        return self.remedy != self.Remedy.TRY_BACK

    @property
    def gives_back(self) -> bool:
        return self.remedy != self.Remedy.COUNTED
