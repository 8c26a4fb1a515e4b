"""Sends webhook messages, each signed and with an id that lets the receiver drop duplicates."""

import hashlib
import hmac
import http.client

import structlog

from exams import clock
from exams.webhooks import addresses, http_exchange, selectors
from exams.webhooks.models import Message
from exams.webhooks.services import secret_of, wake
from training.platform.outgoing import WAITS, Courier, Trouble

log = structlog.get_logger(__name__)
Problem = Message.Problem


def deliver() -> int:
    """Send the due messages; returns how many were accepted. A system that does not answer does not delay others."""
    return COURIER.deliver()


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
            _postpone_others(message)
    return trouble


def _postpone_others(message: Message) -> None:
    """Postpone the other messages for a system that does not answer."""
    later = clock.now() + WAITS[0]
    selectors.waiting().filter(hook=message.hook, held_at=None, due_at__lt=later).update(due_at=later)


def _trouble(message: Message) -> Trouble | None:
    """Post the message; returns what went wrong, or None. Anything but 2xx is retried; redirects are not followed."""
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
    """Signs time and body, so that neither can be changed and old messages cannot be replayed."""
    return hmac.new(secret, at.encode() + b"." + body, hashlib.sha256).hexdigest()


COURIER = Courier(
    waiting=lambda: selectors.waiting().select_related("hook"),
    hand_over=_hand_over,
    unfinished=Problem.UNFINISHED,
    now=lambda: clock.now(),  # looked up on each call, so that tests and the demo can move the clock
    wake=wake,
)
