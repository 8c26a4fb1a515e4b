"""Appeals and their letters."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.records.models import FormItem
from exams.results.models import Mark
from training.people.models import User


class Appeal(models.Model):
    """A candidate contests one item of a released result; at most one appeal per item.

    `mark` is the contested mark. `accepted` lists the questions whose answer an upheld appeal accepted.
    """

    class State(models.TextChoices):
        LODGED = "lodged", _("awaiting a decision")
        UPHELD = "upheld", _("upheld")
        REJECTED = "rejected", _("rejected")

    class Remedy(models.TextChoices):
        CORRECTED = "corrected", _("the answer is accepted for everybody")
        VOIDED = "voided", _("the question counts for nobody")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)  # register number, from 1 without gaps
    form_item = models.OneToOneField(FormItem, on_delete=models.PROTECT, related_name="appeal")
    mark = models.ForeignKey(Mark, on_delete=models.PROTECT, related_name="+")
    appellant = models.ForeignKey(User, on_delete=models.PROTECT, related_name="appeals")
    text = models.TextField(max_length=4000)
    state = models.CharField(max_length=16, choices=State.choices, default=State.LODGED)
    remedy = models.CharField(max_length=16, choices=Remedy.choices, blank=True)
    accepted = models.JSONField(default=list)
    lodged_at = models.DateTimeField()
    decide_by = models.DateTimeField()
    reviewer = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reply = models.TextField(max_length=4000, blank=True)
    # When everybody who had the item was regraded; until then the sweep keeps trying.
    carried_out_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(reviewer=models.F("appellant")), name="nobody_reviews_their_own_appeal"
            ),
            models.CheckConstraint(
                condition=models.Q(state="lodged", reviewer=None, decided_at=None, remedy="")
                | models.Q(state="rejected", reviewer__isnull=False, decided_at__isnull=False, remedy="")
                & ~models.Q(reply="")
                | models.Q(state="upheld", reviewer__isnull=False, decided_at__isnull=False)
                & ~models.Q(reply="")
                & ~models.Q(remedy=""),
                name="appeal_decided_by_somebody_with_a_reply",
            ),
        ]
        indexes = [
            models.Index(fields=["decide_by"], name="appeal_open", condition=models.Q(state="lodged")),
            models.Index(
                fields=["decided_at"],
                name="appeal_to_carry_out",
                condition=models.Q(state="upheld", carried_out_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.state}"


class Letter(models.Model):
    """A mail about an appeal, stored together with the act it reports and sent by a worker."""

    class Kind(models.TextChoices):
        RECEIVED = "received"  # to the appellant
        LODGED = "lodged"  # to the examining side
        DECIDED = "decided"  # to the appellant
        INFORMED = "informed"  # to the examiner
        AUTHOR = "author"  # to the author of an upheld item's scenario

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="letters")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    recipient = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["appeal", "kind", "recipient"], name="appeal_letter_once")]
        indexes = [models.Index(fields=["written_at"], name="appeal_letter_unsent", condition=models.Q(sent_at=None))]

    def __str__(self) -> str:
        return f"{self.appeal_id}: {self.kind}"


class Objection(models.Model):
    """A person's objection to a decision about them, or a complaint. `about` and `doers` record what is contested and
    who did it, as they were then; `about_key` is the primary key of the contested row."""

    class Kind(models.TextChoices):
        DECISION = "decision", _("Appeal against a result")
        ANNULMENT = "annulment", _("Appeal against an annulment")
        SUSPENSION = "suspension", _("Appeal against a suspension")
        WITHDRAWAL = "withdrawal", _("Appeal against a withdrawal")
        REFUSED_ENTRY = "refused_entry", _("Appeal against refused entry")
        COMPLAINT = "complaint", _("Complaint")

    class State(models.TextChoices):
        LODGED = "lodged", _("awaiting a decision")
        UPHELD = "upheld", _("upheld")
        REJECTED = "rejected", _("rejected")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)  # register number, from 1 without gaps
    kind = models.CharField(max_length=16, choices=Kind.choices)
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="objections")
    about = models.CharField(max_length=300, blank=True)
    about_key = models.CharField(max_length=40, blank=True)
    doers = models.JSONField(default=list)
    text = models.TextField(max_length=4000)
    state = models.CharField(max_length=16, choices=State.choices, default=State.LODGED)
    lodged_at = models.DateTimeField()
    decide_by = models.DateTimeField()
    reviewer = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reply = models.TextField(max_length=4000, blank=True)
    # What was done about an upheld one, by whom.
    done = models.TextField(max_length=4000, blank=True, default="", db_default="")
    done_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["decided_at"], name="objection_to_do", condition=models.Q(state="upheld", done_at=None)
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(done_at=None, done_by=None, done="")
                | models.Q(state="upheld", done_at__isnull=False, done_by__isnull=False) & ~models.Q(done=""),
                name="only_upheld_objections_are_carried_out",
            ),
            models.UniqueConstraint(
                fields=["kind", "about_key"], condition=~models.Q(about_key=""), name="contested_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(reviewer=models.F("person")), name="nobody_decides_their_own_objection"
            ),
            models.CheckConstraint(
                condition=models.Q(state="lodged", reviewer=None, decided_at=None, reply="")
                | models.Q(state__in=["upheld", "rejected"], reviewer__isnull=False, decided_at__isnull=False)
                & ~models.Q(reply=""),
                name="objection_decided_by_somebody_with_a_reply",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.state}"
