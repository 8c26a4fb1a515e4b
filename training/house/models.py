"""The settings of the house (one row), its tables, its rulings and procedures, and the regulations it has loaded."""

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext as _

ONLY = 1


class Logo(models.Model):
    """A logo by the digest of its bytes. Never removed, so that old certificates can be printed again."""

    digest = models.CharField(max_length=64, primary_key=True)
    png = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class House(models.Model):
    """The settings of the house. `signatories` is an ordered list of `{"name": …, "titles": {language: title}}`.

    The installation limits languages, second factor and how long practice is kept: read them through `selectors`.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    name = models.CharField(max_length=120)
    legal_name = models.CharField(max_length=200, blank=True)
    signatories = models.JSONField(default=list, blank=True)
    logo = models.ForeignKey(Logo, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    languages = models.JSONField(default=list, db_default=[], blank=True)  # codes; empty means all of the installation
    second_factor = models.BooleanField(default=False, db_default=False)
    practice_kept_days = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=ONLY), name="one_house")]

    def __str__(self) -> str:
        return self.name


class FirstSignature(NamedTuple):
    """Who signed first, and when, while a second person has yet to sign."""

    by: int
    name: str
    at: datetime


class HouseRuling(models.Model):
    """How the house reads an open question of a rulebook, or its procedure where the rulebook is silent.

    `choice` is the name of another reading, or empty for the recorded one. `decided_by` is free text; recording it
    counts as the first signature. Once two have signed it, withdrawing takes two as well: until the second one signs,
    `withdrawal_asked_by` is set and it stays in force. For a procedure `question` is the kind of incident and `choice`
    the adopted option; it has a `number`, never used again, and may have `words` of the house.
    """

    rulebook = models.CharField(max_length=40)
    question = models.CharField(max_length=60)
    choice = models.CharField(max_length=60, blank=True)
    number = models.PositiveIntegerField(null=True, unique=True)
    words = models.TextField(blank=True, default="", db_default="")
    decided_by = models.CharField(max_length=200)
    decided_on = models.DateField()
    reason = models.TextField()
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()
    signed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField(null=True)
    withdrawal_asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    withdrawal_asked_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_because = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rulebook", "question"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="one_house_ruling_in_force",
            ),
            models.CheckConstraint(
                condition=models.Q(signed_by__isnull=True) | ~models.Q(signed_by=models.F("recorded_by")),
                name="house_ruling_signed_by_two",
            ),
            models.CheckConstraint(
                condition=models.Q(withdrawal_asked_by__isnull=True)
                | models.Q(withdrawn_by__isnull=True)
                | ~models.Q(withdrawn_by=models.F("withdrawal_asked_by")),
                name="house_ruling_withdrawn_by_two",
            ),
            models.CheckConstraint(
                condition=models.Q(number__isnull=True) | ~models.Q(choice=""), name="a_procedure_has_a_choice"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rulebook} {self.question}: {self.choice or 'as recorded'}"

    @property
    def is_procedure(self) -> bool:
        return self.number is not None

    @property
    def cited(self) -> str:
        """The procedure as it is cited, in the reader's language: number, house, date and who signed."""
        values = {
            "number": self.number,
            "house": getattr(self, "house_name", ""),  # from `readings.on_record`
            "date": date_format(self.decided_on, "SHORT_DATE_FORMAT"),
            "first": self.recorded_by.name,
        }
        if self.signed_by is None:
            return _("Procedure %(number)s of %(house)s, %(date)s, signed by %(first)s; not in exams yet") % values
        text = _("Procedure %(number)s of %(house)s, %(date)s, signed by %(first)s and %(second)s")
        return text % (values | {"second": self.signed_by.name})

    @property
    def first_signature(self) -> FirstSignature | None:
        """The signature on its adoption or withdrawal that a second person has yet to join."""
        if self.withdrawn_at is not None:
            return None
        if self.signed_by_id is None:
            return FirstSignature(self.recorded_by_id, self.recorded_by.name, self.recorded_at)
        asker, asked_at = self.withdrawal_asked_by, self.withdrawal_asked_at
        return FirstSignature(asker.pk, asker.name, asked_at) if asker and asked_at else None

    @property
    def withdrawal_waits(self) -> bool:
        """Whether one person has asked to withdraw it and a second one has yet to sign."""
        return self.withdrawal_asked_by_id is not None and self.withdrawn_at is None

    @property
    def withdrawn_by_one(self) -> bool:
        """Whether two people signed it and one alone withdrew it, as was possible in earlier releases."""
        return bool(self.signed_by_id and self.withdrawn_at and not self.withdrawal_asked_by_id)

    @property
    def in_exams(self) -> bool:
        return self.signed_by_id is not None and self.withdrawn_at is None


class HouseTable(models.Model):
    """A table of the house, as a validated document (`rules_engine.Table`).

    A `shipped` row only says whether the house uses the table of that name that comes with the rulebook. Tables are
    taken out of use, never deleted. Cases contain their table, so changing it here changes no case.
    """

    rulebook = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    shipped = models.BooleanField(default=False)
    document = models.JSONField(default=dict)
    active = models.BooleanField(default=True)
    position = models.PositiveSmallIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rulebook", "name"], name="house_table_named_once")]

    def __str__(self) -> str:
        return f"{self.rulebook}: {self.name}"


class ChosenTable(models.Model):
    """The table at which a trainee practises a rulebook: its key (`tables.Offered.key`)."""

    trainee = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    rulebook = models.CharField(max_length=40)
    key = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trainee", "rulebook"], name="one_chosen_table")]

    def __str__(self) -> str:
        return f"{self.trainee_id} {self.rulebook}: {self.key}"


class OfficialText(models.Model):
    """The text of a regulation that the house has loaded, by the article numbers of the rulebook."""

    rulebook = models.CharField(max_length=40, primary_key=True)
    source = models.CharField(max_length=200)
    articles = models.JSONField()
    loaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    loaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.rulebook}: {self.source}"


class PendingText(models.Model):
    """A text that was read and is not confirmed yet; one per rulebook, deleted once confirmed or rejected."""

    rulebook = models.CharField(max_length=40, primary_key=True)
    source = models.CharField(max_length=200)
    articles = models.JSONField()
    surplus = models.JSONField(default=list)
    read_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.rulebook}: {self.source}"
