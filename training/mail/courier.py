"""Sends mail to the mail server. If a worker dies and a mail is sent twice, both copies have the same Message-ID, and
mail programs show one."""

import time
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.utils import timezone

from training.mail import outbox, password
from training.mail.models import Mail
from training.mail.troubles import Problem, trouble_of
from training.platform.outgoing import Courier, Trouble

log = structlog.get_logger(__name__)


def deliver() -> int:
    """Send the mail that is due and return how many were sent. One worker does it at a time."""
    if COURIER.is_held():
        return 0  # the other worker looks for more when done
    password.resolve_asked()
    sent = COURIER.deliver()
    outbox.forget_lines()
    return sent


def _to_somebody() -> QuerySet[Mail]:
    return outbox.waiting().exclude(person=None).select_related("person")


def _hand_over(mail: Mail) -> Trouble | None:
    """Send a mail; return the problem, if any."""
    made = int(time.time())
    try:
        _message(mail, made).send()
    except Exception as error:
        trouble = trouble_of(error)
        write = log.exception if trouble.problem == Problem.UNFIT else log.warning
        write("mail_not_sent", mail=str(mail.pk), problem=str(trouble.problem), reply=trouble.reply, tries=mail.tries)
        return trouble
    password.went_out(mail, made)
    return None


def _message(mail: Mail, made: int) -> EmailMessage:
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    headers = {"Message-ID": f"<{mail.pk}@{host}>", "Auto-Submitted": "auto-generated"}
    if mail.way_out:  # RFC 8058: the mail program shows an unsubscribe button
        headers |= {"List-Unsubscribe": f"<{mail.way_out}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(mail.subject, password.filled(mail, made), to=[mail.address], headers=headers)


COURIER = Courier(
    waiting=_to_somebody,
    hand_over=_hand_over,
    unfinished=Problem.UNFINISHED,
    now=timezone.now,
    wake=outbox.wake,
    # Personal text is kept no longer than needed.
    once_taken={"body": "", "way_out": ""},
)
