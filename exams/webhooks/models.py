"""Webhooks and every message sent to them."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from exams.certificates.models import Act
from training.people.models import User
from training.platform.outgoing import Outgoing


class Hook(models.Model):
    """An address that receives each act on a certificate. `secret` is encrypted; it was shown once when added."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    address = models.URLField(max_length=500)
    secret = models.BinaryField()
    added_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["address"], condition=models.Q(stopped_at=None), name="address_told_by_one_hook"
            )
        ]

    def __str__(self) -> str:
        return self.address


class Message(Outgoing):
    """One act for one system, stored in the act's transaction, then sent or failed."""

    class Problem(models.TextChoices):
        AWAY = "away", _("The system does not answer.")
        REFUSED = "refused", _("The system refuses the message.")
        ADDRESS = "address", _("The address leads to a place where messages may not be sent.")
        UNFINISHED = "unfinished", _("The worker stopped every time it tried to send this message.")
        STOPPED = "stopped", _("The system is no longer notified.")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    hook = models.ForeignKey(Hook, on_delete=models.PROTECT, related_name="messages")
    act = models.ForeignKey(Act, on_delete=models.PROTECT, related_name="+")
    body = models.TextField()
    problem = models.CharField(max_length=16, choices=Problem.choices, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hook", "act"], name="act_told_once_to_a_system")]
        indexes = [
            models.Index(
                fields=["due_at"], condition=models.Q(sent_at=None, failed_at=None), name="message_waiting_by_due"
            ),
            models.Index(fields=["hook", "-written_at"], name="message_by_hook"),
        ]

    def __str__(self) -> str:
        return str(self.pk)
