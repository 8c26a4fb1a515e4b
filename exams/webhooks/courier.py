"""Sending messages. Each is held while it is sent and sent again until it is taken: rather twice than never, under one
id by which the other system knows it again."""

import hashlib
import hmac
import http.client
import time
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog
from django.db.models import F, QuerySet

from exams import clock
from exams.webhooks import places
from exams.webhooks.models import Message
from exams.webhooks.selectors import waiting
from exams.webhooks.services import secret_of, wake
from training import owed

log = structlog.get_logger(__name__)
Problem = Message.Problem
LEASE = timedelta(minutes=3)
ROUND = 45.0  # seconds; then other work of the worker has its turn
WAITS = [timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60, 120, 240, 480, 720, 1440)]


def deliver() -> int:
    """Send what is due; how many were taken. A system that does not answer keeps no other waiting."""
    taken, end = 0, time.monotonic() + ROUND
    while (message := _take_next()) is not None:
        taken += _send(message)
        if time.monotonic() > end:
            wake()
            break
    return taken


def _due(now: datetime) -> QuerySet[Message]:
    return waiting().filter(owed.free("held_at", now=now, lease=LEASE), due_at__lte=now)


def _take_next() -> Message | None:
    now = clock.now()
    while (key := _due(now).order_by("due_at", "written_at").values_list("pk", flat=True).first()) is not None:
        if owed.take(_due(now).filter(pk=key), "held_at", now=now, lease=LEASE, tries=F("tries") + 1):
            return Message.objects.select_related("hook").get(pk=key)
    return None


def _send(message: Message) -> bool:
    """Post it. Anything but a yes is tried again; where the other system leads us on to is not followed."""
    problem, reply = "", None
    try:
        reply = _post(message)
        if not 200 <= reply < 300:
            problem = Problem.REFUSED
    except places.Forbidden:
        problem = Problem.ADDRESS
    except (OSError, http.client.HTTPException):
        problem = Problem.AWAY
    now = clock.now()
    changes: dict[str, object] = {"held_at": None, "problem": problem, "reply": reply}
    if not problem:
        changes["sent_at"] = now
    elif message.tries > len(WAITS):
        changes["failed_at"] = now
    else:
        changes["due_at"] = now + WAITS[message.tries - 1]
    waiting().filter(pk=message.pk).update(**changes)
    if problem:
        log.warning("webhook_not_taken", message=str(message.pk), problem=problem, reply=reply, tries=message.tries)
    return not problem


def _post(message: Message) -> int:
    parts = urlsplit(message.hook.address)
    body, at = message.body.encode(), str(int(clock.now().timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sabot",
        "Sabot-Message": str(message.pk),
        "Sabot-Signature": f"t={at},v1={signature(secret_of(message.hook), at, body)}",
    }
    connection = places.connection(parts)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def signature(secret: bytes, at: str, body: bytes) -> str:
    """Over the moment and the body, so that neither can be changed nor an old message be sent again later."""
    return hmac.new(secret, at.encode() + b"." + body, hashlib.sha256).hexdigest()
