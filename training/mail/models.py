"""Mail in the outbox, one row per recipient."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from training.people.models import User
from training.platform.outgoing import Outgoing


class Mail(Outgoing):
    """A mail, stored in the transaction of the action it is about, held by a worker while sending, then sent or failed.

    The text is deleted once it is sent. A password link is never stored: the text contains a placeholder, and the link
    is made when the mail is sent (`training.mail.password`).
    """

    class Problem(models.TextChoices):
        """Why the last try failed, in words for the operator."""

        AWAY = "away", _("The mail server does not answer.")
        SIGN_IN = "sign_in", _("The mail server does not accept our user name and password.")
        ADDRESS = "address", _("The mail server does not accept the recipient's address.")
        SENDER = "sender", _("The mail server does not accept our own address as the sender.")
        REFUSED = "refused", _("The mail server refuses the e-mail.")
        UNFINISHED = "unfinished", _("The worker stopped every time it tried to send this e-mail.")
        UNFIT = "unfit", _("The e-mail cannot be sent as it is written; the log says why.")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # None while only the address that asked for a new password is known; a worker looks up the person.
    person = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="mails")
    address = models.EmailField(max_length=320)
    subject = models.CharField(max_length=250, blank=True)
    body = models.TextField(blank=True)
    # The unsubscribe link; empty for mail that cannot be unsubscribed from.
    way_out = models.CharField(max_length=300, blank=True, default="", db_default="")
    # Deleted once sent or failed, because the address must not be kept.
    leaves_no_line = models.BooleanField(default=False, db_default=False)
    problem = models.CharField(max_length=16, choices=Problem.choices, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sent_at=None) | models.Q(failed_at=None), name="mail_sent_or_failed"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=models.Q(sent_at=None, failed_at=None), name="mail_waiting_by_due"
            ),
            models.Index(fields=["-written_at"], name="mail_by_written"),
        ]

    def __str__(self) -> str:
        return str(self.pk)
