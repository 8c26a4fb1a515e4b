"""HR's data about people beyond the account, and the exports HR requests."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from training.people.models import User


class StaffRecord(models.Model):
    """The person as staff. People who left keep certificates and history but are on no roster."""

    person = models.OneToOneField(User, on_delete=models.CASCADE, related_name="staff_record")
    staff_number = models.CharField(max_length=32, unique=True)
    department = models.CharField(max_length=80, blank=True)
    shift = models.CharField(max_length=40, blank=True, default="", db_default="")
    joined_on = models.DateField(null=True, blank=True)
    left_on = models.DateField(null=True, blank=True)  # the last day at work
    # The licence of the gaming authority, which people have beside the certificates of the house.
    licence_number = models.CharField(max_length=40, blank=True, default="", db_default="")
    licence_until = models.DateField(null=True, blank=True)  # its last valid day
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.staff_number


class StaffImport(models.Model):
    """A staff list that a worker checks and, once its importer confirms it, applies; at most one per person.

    The first `done` of `total` rows are checked, or applied; each batch is applied in one transaction with this number,
    so a list goes on where it stopped. `beat_at` is when a worker last went on with it, `holder` the worker's name for
    itself.
    """

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("staff list", "being checked")
        CHECKED = "checked", pgettext_lazy("staff list", "checked")
        UNFIT = "unfit", pgettext_lazy("staff list", "has errors")
        CONFIRMED = "confirmed", pgettext_lazy("staff list", "being applied")
        DONE = "done", pgettext_lazy("staff list", "applied")
        STOPPED = "stopped", pgettext_lazy("staff list", "stopped")
        FAILED = "failed", pgettext_lazy("staff list", "failed")

    importer = models.OneToOneField(User, on_delete=models.CASCADE, related_name="staff_import")
    name = models.CharField(max_length=200)
    language = models.CharField(max_length=8)
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # What the check found (`staff.Preview`), and the rows that no longer fitted when they were applied.
    preview = models.JSONField(default=dict)
    errors = models.JSONField(default=list)
    entered = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    left_out = models.PositiveIntegerField(default=0)
    holder = models.CharField(max_length=32, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    checked_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.importer_id}: {self.state}"

    @property
    def under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.CONFIRMED)


class StaffImportPart(models.Model):
    """A part of a staff list: the file as it was sent (number 0), or some of its rows. Deleted once it is finished."""

    staff_import = models.ForeignKey(StaffImport, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["staff_import", "number"], name="part_of_a_staff_list_once")]

    def __str__(self) -> str:
        return f"{self.staff_import_id}: {self.number}"


class Export(models.Model):
    """A file made in the background, downloaded by its owner and deleted when it expires."""

    class What(models.TextChoices):
        CERTIFICATES = "certificates", _("certificates")
        ROSTER = "roster", _("who may deal")
        PEOPLE = "people", _("people")
        AFFECTED = "affected", _("holders affected by a new version of the law")

    class Format(models.TextChoices):
        CSV = "csv", "CSV"
        XLSX = "xlsx", "XLSX"
        JSON = "json", "JSON"
        ZIP = "zip", _("ZIP of PDFs")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", pgettext_lazy("file", "ready")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")
        EXPIRED = "expired", pgettext_lazy("file", "expired")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="exports")
    # If a schedule made it, the owner gets a mail when it is ready.
    schedule = models.ForeignKey("Schedule", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    what = models.CharField(max_length=16, choices=What.choices)
    format = models.CharField(max_length=8, choices=Format.choices)
    filters = models.JSONField(default=dict)
    language = models.CharField(max_length=8)
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    file = models.CharField(max_length=200, blank=True)  # its name under VAR_DIR/exports
    size = models.PositiveBigIntegerField(default=0)
    trouble = models.TextField(blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    # Updated while a worker makes it; a job whose beat stopped is restarted.
    beat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["owner", "-asked_at"], name="export_of_owner")]

    def __str__(self) -> str:
        return f"{self.what}.{self.format}: {self.state}"

    @property
    def has_nothing(self) -> bool:
        """Whether it is a ZIP without a single certificate, so there is no file."""
        return self.state == self.State.DONE and self.format == self.Format.ZIP and not self.total


class Schedule(models.Model):
    """A file that somebody in HR gets regularly; `due_at` is when the next one is made."""

    class Every(models.TextChoices):
        DAY = "day", _("every day")
        WEEK = "week", _("every week")
        MONTH = "month", _("every month")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    what = models.CharField(max_length=16, choices=Export.What.choices)
    format = models.CharField(max_length=8, choices=Export.Format.choices)
    filters = models.JSONField(default=dict)
    every = models.CharField(max_length=8, choices=Every.choices)
    begun_on = models.DateField()  # monthly files keep this day of the month
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "what", "format", "filters", "every"], name="regular_export_once_for_its_owner"
            )
        ]

    def __str__(self) -> str:
        return f"{self.what}.{self.format}: {self.every}"
