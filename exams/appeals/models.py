"""Appeals and their register."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.sittings.models import FormItem
from training.people.models import User


class Appeal(models.Model):
    """A candidate contests one item of a released result; one appeal for each item."""

    class State(models.TextChoices):
        LODGED = "lodged", _("waits for a decision")
        UPHELD = "upheld", _("upheld")
        REJECTED = "rejected", _("rejected")

    class Remedy(models.TextChoices):
        CORRECTED = "corrected", _("the answer is accepted for everybody")
        VOIDED = "voided", _("the item counts for nobody")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)  # in the register
    form_item = models.OneToOneField(FormItem, on_delete=models.PROTECT, related_name="appeal")
    appellant = models.ForeignKey(User, on_delete=models.PROTECT, related_name="appeals")
    text = models.TextField(max_length=4000)
    state = models.CharField(max_length=16, choices=State.choices, default=State.LODGED)
    remedy = models.CharField(max_length=16, choices=Remedy.choices, blank=True)
    lodged_at = models.DateTimeField()
    decide_by = models.DateTimeField()
    reviewer = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reply = models.TextField(max_length=4000, blank=True)
    # When everybody who had the item was regraded; until then the sweep goes on with it.
    carried_out_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(reviewer=models.F("appellant")), name="nobody_reviews_their_own_appeal"
            ),
            models.CheckConstraint(
                condition=models.Q(state="lodged") | models.Q(reviewer__isnull=False, decided_at__isnull=False),
                name="appeal_decided_by_somebody",
            ),
        ]
        indexes = [
            models.Index(fields=["decide_by"], name="appeal_open", condition=models.Q(state="lodged")),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.state}"
