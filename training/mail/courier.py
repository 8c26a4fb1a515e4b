"""Handing mails to the mail server.

A mail is held before it is handed over and marked as sent after. Whoever dies in between leaves it held; when the lease
has run out it is handed over again: rather twice than never. Only between the server's yes and our mark can that
happen, and both then carry one Message-ID, which mail programs show once.
"""

import time
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, QuerySet
from django.utils import timezone

from training import owed
from training.mail import password
from training.mail.models import Mail
from training.mail.outbox import waiting, wake
from training.mail.troubles import Problem, Trouble, trouble_of

log = structlog.get_logger(__name__)

LEASE = timedelta(minutes=3)  # longer than any task may run, so that whoever held it is dead
ROUND = 45.0  # seconds; then other work of the worker has its turn
# How long after each try that came to nothing, about two days in all; then it has failed.
WAITS = [timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240, 480, 720, 1440)]


def deliver() -> int:
    """Hand over what is due, one after the other; how many went out. One worker does it at a time."""
    if waiting().filter(held_at__gt=timezone.now() - LEASE).exists():
        return 0  # whoever is at it looks for more when done
    password.resolve_asked()
    sent, end = 0, time.monotonic() + ROUND
    while (mail := _take_next()) is not None:
        trouble = _hand_over(mail)
        if trouble is None:
            sent += 1
        elif trouble.everybodys:
            break  # no use asking for the next one now
        if time.monotonic() > end:
            wake()
            break
    return sent


def _due(now: datetime) -> QuerySet[Mail]:
    return waiting().filter(owed.free("held_at", now=now, lease=LEASE), due_at__lte=now).exclude(person=None)


def _take_next() -> Mail | None:
    """Hold the mail that has waited longest. One that is never finished does not hold the others up for ever."""
    now = timezone.now()
    while (key := _due(now).order_by("due_at", "pk").values_list("pk", flat=True).first()) is not None:
        if not owed.take(_due(now).filter(pk=key), "held_at", now=now, lease=LEASE, tries=F("tries") + 1):
            continue
        mail = Mail.objects.select_related("person").get(pk=key)
        if mail.tries <= len(WAITS) + 1:
            return mail
        _settle(mail, Trouble(Problem.UNFINISHED, hopeless=True))
    return None


def _hand_over(mail: Mail) -> Trouble | None:
    """Send it; what was in the way, if anything."""
    try:
        _message(mail).send()
    except Exception as error:
        trouble = trouble_of(error)
        write = log.exception if trouble.problem == Problem.UNFIT else log.warning
        write("mail_not_sent", mail=str(mail.pk), problem=trouble.problem.value, reply=trouble.reply, tries=mail.tries)
        _settle(mail, trouble)
        return trouble
    # The text has done its work: what is told to one person is kept no longer than needed.
    waiting().filter(pk=mail.pk).update(
        sent_at=timezone.now(), held_at=None, problem="", reply=None, body="", way_out=""
    )
    return None


def _settle(mail: Mail, trouble: Trouble) -> None:
    now = timezone.now()
    changes: dict[str, object] = {"held_at": None, "problem": trouble.problem, "reply": trouble.reply}
    if trouble.hopeless or mail.tries > len(WAITS):
        changes["failed_at"] = now
    else:
        changes["due_at"] = now + WAITS[mail.tries - 1]
    waiting().filter(pk=mail.pk).update(**changes)


def _message(mail: Mail) -> EmailMessage:
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    headers = {"Message-ID": f"<{mail.pk}@{host}>", "Auto-Submitted": "auto-generated"}
    if mail.way_out:  # RFC 8058: the mail program shows a button of its own for it
        headers |= {"List-Unsubscribe": f"<{mail.way_out}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(mail.subject, password.filled(mail), to=[mail.address], headers=headers)
