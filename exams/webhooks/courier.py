"""Sending messages, each signed and under one id by which the other system knows it again."""

import hashlib
import hmac
import http.client

import structlog
from django.db.models import QuerySet

from exams import clock
from exams.webhooks import addresses, http_exchange, selectors
from exams.webhooks.models import Message
from exams.webhooks.services import secret_of, wake
from training.platform.outgoing import WAITS, Courier, Trouble

log = structlog.get_logger(__name__)
Problem = Message.Problem


def deliver() -> int:
    """Send what is due; how many were taken. A system that does not answer keeps no other waiting."""
    return COURIER.deliver()


def _waiting() -> QuerySet[Message]:
    return selectors.waiting().select_related("hook")


def _hand_over(message: Message) -> Trouble | None:
    trouble = _trouble(message)
    if trouble:
        log.warning(
            "webhook_not_taken",
            message=str(message.pk),
            problem=trouble.problem,
            reply=trouble.reply,
            tries=message.tries,
        )
        if trouble.problem == Problem.AWAY:
            _let_others_wait(message)
    return trouble


def _let_others_wait(message: Message) -> None:
    """A system that does not answer is not asked again for each message that waits for it."""
    later = clock.now() + WAITS[0]
    selectors.waiting().filter(hook=message.hook, held_at=None, due_at__lt=later).update(due_at=later)


def _trouble(message: Message) -> Trouble | None:
    """Post it; what was in the way. Anything but a yes is tried again, and where the other system leads us on to is
    not followed."""
    try:
        reply = _post(message)
    except addresses.Forbidden:
        return Trouble(Problem.ADDRESS)
    except (OSError, UnicodeError, http.client.HTTPException):
        return Trouble(Problem.AWAY)
    return None if 200 <= reply < 300 else Trouble(Problem.REFUSED, reply)


def _post(message: Message) -> int:
    body, at = message.body.encode(), str(int(clock.now().timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sabot",
        "Sabot-Message": str(message.pk),
        "Sabot-Signature": f"t={at},v1={signature(secret_of(message.hook), at, body)}",
    }
    return http_exchange.post(message.hook.address, body, headers)


def signature(secret: bytes, at: str, body: bytes) -> str:
    """Over the moment and the body, so that neither can be changed nor an old message be sent again later."""
    return hmac.new(secret, at.encode() + b"." + body, hashlib.sha256).hexdigest()


COURIER = Courier(
    waiting=_waiting,
    hand_over=_hand_over,
    unfinished=Problem.UNFINISHED,
    now=lambda: clock.now(),  # asked anew each time, as everything in exams does
    wake=wake,
)
