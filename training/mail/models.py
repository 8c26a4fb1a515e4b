"""Mails on their way. One row, one recipient."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from training.people.models import User
from training.platform.outgoing import Outgoing


class Mail(Outgoing):
    """Written with the act it tells of, held by the worker that is handing it over, then sent or failed.

    The text is emptied once it is sent. A link that opens an account is never in it: its place is marked, and the link
    is made when the mail goes out (`training.mail.password`).
    """

    class Problem(models.TextChoices):
        """Why the last try came to nothing, as a sentence for who looks after the platform."""

        AWAY = "away", _("The mail server does not answer.")
        SIGN_IN = "sign_in", _("The mail server does not accept our user name and password.")
        ADDRESS = "address", _("The mail server does not accept the recipient's address.")
        SENDER = "sender", _("The mail server does not accept our own address as the sender.")
        REFUSED = "refused", _("The mail server refuses the e-mail.")
        UNFINISHED = "unfinished", _("The worker stopped every time it tried to send this e-mail.")
        UNFIT = "unfit", _("The e-mail cannot be sent as it is written; the log says why.")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Nobody as long as it is only known which address asked for a new password: a worker finds out whose it is.
    person = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="mails")
    address = models.EmailField(max_length=320)
    subject = models.CharField(max_length=250, blank=True)
    body = models.TextField(blank=True)
    # Where one press ends mails of this kind; empty for those that nobody can leave.
    way_out = models.CharField(max_length=300, blank=True, default="", db_default="")
    # No line is kept of it: it goes to somebody whose address must not stay here.
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
