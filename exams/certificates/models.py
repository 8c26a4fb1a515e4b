"""Certificates. Only state and scope ever change, and only by a recorded `Act`."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from exams.programmes.models import ProgrammeVersion
from exams.records.models import SECOND_PERSON, TwoPersonRequest
from exams.results.models import Result
from training.people.models import User


class Certificate(models.Model):
    """One certificate. Renewal creates a new one that `replaces` this one; both are kept.

    `state` is the last decision. Certificates expire by date, so use `lifecycle.standing` to find out what one is
    worth.
    """

    class State(models.TextChoices):
        GRANTED = "granted", pgettext_lazy("certificate", "valid")
        SUSPENDED = "suspended", pgettext_lazy("certificate", "suspended")
        WITHDRAWN = "withdrawn", pgettext_lazy("certificate", "withdrawn")
        EXPIRED = "expired", pgettext_lazy("certificate", "expired")
        REPLACED = "replaced", pgettext_lazy("certificate", "replaced by a newer one")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=40, unique=True)
    code = models.CharField(max_length=24, unique=True)  # short and random, for the public check
    holder = models.ForeignKey(User, on_delete=models.PROTECT, related_name="certificates")
    holder_name = models.CharField(max_length=120)  # as printed
    language = models.CharField(max_length=8)
    programme_version = models.ForeignKey(ProgrammeVersion, on_delete=models.PROTECT, related_name="certificates")
    result = models.ForeignKey(Result, null=True, blank=True, on_delete=models.PROTECT, related_name="certificates")
    # The practical exam, if the programme requires one.
    practice = models.ForeignKey(
        Result, null=True, blank=True, on_delete=models.PROTECT, related_name="certificates_of_practice"
    )
    scope = models.JSONField()  # rulebooks, e.g. ["pt-chemin-de-fer"]
    granted_at = models.DateTimeField()
    valid_from = models.DateField()
    valid_until = models.DateField()  # the last valid day
    state = models.CharField(max_length=16, choices=State.choices, default=State.GRANTED)
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")
    # Its random position in the published status lists, which must not reveal when it was issued.
    status_index = models.PositiveIntegerField(unique=True)
    # Everything else printed, as of that day (`printing.Printed`).
    printed = models.JSONField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(valid_until__gte=models.F("valid_from")), name="certificate_ends_after_it_begins"
            ),
            # Replaced certificates are excluded: a name correction reissues for the same result.
            models.UniqueConstraint(
                fields=["result"], condition=~models.Q(state="replaced"), name="certificate_once_for_a_result"
            ),
        ]
        indexes = [
            models.Index(fields=["holder", "-granted_at"], name="certificate_of_holder"),
            models.Index(fields=["state", "valid_until"], name="certificate_by_end"),
        ]

    def __str__(self) -> str:
        return self.number


class Act(models.Model):
    """One step in a certificate's life: who, why, when, and state and scope before and after."""

    class Kind(models.TextChoices):
        GRANT = "grant", pgettext_lazy("certificate", "granted")
        SUSPEND = "suspend", pgettext_lazy("certificate", "suspended")
        REINSTATE = "reinstate", pgettext_lazy("certificate", "reinstated")
        REDUCE = "reduce", pgettext_lazy("certificate", "scope reduced")
        EXTEND = "extend", pgettext_lazy("certificate", "scope extended")
        WITHDRAW = "withdraw", pgettext_lazy("certificate", "withdrawn")
        EXPIRE = "expire", pgettext_lazy("certificate", "expired")
        RENEW = "renew", pgettext_lazy("certificate", "renewed")
        CORRECT = "correct", pgettext_lazy("certificate", "replaced to correct the name")

    certificate = models.ForeignKey(Certificate, on_delete=models.PROTECT, related_name="acts")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16, choices=Kind.choices)
    # Null if the programme's rule or the calendar acted.
    actor = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    at = models.DateTimeField()
    state_before = models.CharField(max_length=16, blank=True)
    state_after = models.CharField(max_length=16)
    scope_before = models.JSONField(default=list)
    scope_after = models.JSONField(default=list)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["certificate", "number"], name="certificate_act_number_once")]

    def __str__(self) -> str:
        return f"{self.certificate_id}: {self.kind}"


class Notice(models.Model):
    """An act that HR must be told about; consecutive acts share one mail."""

    act = models.OneToOneField(Act, on_delete=models.PROTECT, related_name="notice")
    made_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["made_at"], condition=models.Q(told_at=None), name="notice_untold")]

    def __str__(self) -> str:
        return f"{self.act_id}: {self.told_at or 'not sent'}"


class Registration(models.Model):
    """A holder listed in the public register; deleted when they leave it."""

    holder = models.OneToOneField(User, on_delete=models.CASCADE, related_name="registration")
    joined_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.holder_id)


class IssueRequest(TwoPersonRequest):
    """A request to certify an exam in which nobody confirmed who sat: HR asks, a second person decides."""

    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="issue_requests")
    name = models.CharField(max_length=120)  # the name both people sign for

    class Meta(TwoPersonRequest.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["result"], condition=models.Q(decided_at=None), name="one_issue_request_at_a_time"
            ),
            models.CheckConstraint(condition=SECOND_PERSON, name="issued_by_a_second_person"),
        ]

    def __str__(self) -> str:
        return f"{self.result_id}: {self.name}"


class Reminder(models.Model):
    """A mail that a certificate is about to end, once per number of days and audience.

    `sent_at` is when it was put into the outbox. Reminders that came too late get `passed_over_at`, so every one leaves
    a trace.
    """

    class Audience(models.TextChoices):
        HOLDER = "holder", _("holder")
        HR = "hr", _("human resources")

    certificate = models.ForeignKey(Certificate, on_delete=models.CASCADE, related_name="reminders")
    days = models.PositiveSmallIntegerField()  # 90, 60, 30 or 7 before the end
    audience = models.CharField(max_length=8, choices=Audience.choices)
    due_on = models.DateField()
    sent_at = models.DateTimeField(null=True, blank=True)
    passed_over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["certificate", "days", "audience"], name="reminder_once"),
            models.CheckConstraint(
                condition=models.Q(sent_at=None) | models.Q(passed_over_at=None), name="reminder_sent_or_passed_over"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.certificate_id}: {self.days} {self.audience}"


class SigningKey(models.Model):
    """A key that signs credentials. The public part stays published for ever; the private part is encrypted with the
    installation's secret and deleted when the key is retired."""

    kid = models.CharField(max_length=64, unique=True)
    public_jwk = models.JSONField()
    private_sealed = models.TextField(blank=True)
    made_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(models.Value(1), condition=models.Q(retired_at=None), name="one_signing_key_in_use")
        ]

    def __str__(self) -> str:
        return self.kid


class Instrument(models.Model):
    """The legal instrument of a regulation whose text names none, as the house entered it for its certificates. The
    last row counts; an empty text takes it back."""

    rulebook = models.CharField(max_length=40)
    text = models.CharField(max_length=200, blank=True)
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["rulebook", "-id"], name="instrument_of_a_rulebook")]

    def __str__(self) -> str:
        return f"{self.rulebook}: {self.text}"
