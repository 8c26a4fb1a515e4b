"""Handing mails to the mail server. One that is sent twice, because a worker died at the worst moment, carries one
Message-ID both times, which mail programs show once."""

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
    """Hand over what is due; how many went out. One worker does it at a time."""
    if COURIER.is_held():
        return 0  # whoever is at it looks for more when done
    password.resolve_asked()
    sent = COURIER.deliver()
    outbox.forget_lines()
    return sent


def _to_somebody() -> QuerySet[Mail]:
    return outbox.waiting().exclude(person=None).select_related("person")


def _hand_over(mail: Mail) -> Trouble | None:
    """Send it; what was in the way, if anything."""
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
    if mail.way_out:  # RFC 8058: the mail program shows a button of its own for it
        headers |= {"List-Unsubscribe": f"<{mail.way_out}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(mail.subject, password.filled(mail, made), to=[mail.address], headers=headers)


COURIER = Courier(
    waiting=_to_somebody,
    hand_over=_hand_over,
    unfinished=Problem.UNFINISHED,
    now=timezone.now,
    wake=outbox.wake,
    # The text has done its work: what is told to one person is kept no longer than needed.
    once_taken={"body": "", "way_out": ""},
)
