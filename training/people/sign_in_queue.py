"""A room that signs in at once waits its turn, and nobody else waits for it.

The proxy passes sign-ins on at a steady pace (`deploy/nginx/sabot.conf`). Here, all web processes but one may check
passwords at the same time. Whoever gets no turn sees the page “One moment”, which sends the same form again.
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cryptography.fernet import InvalidToken
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from training.operations.metrics import queueing
from training.platform import turns
from training.platform.sealing import sealer

LONGEST_WAIT = 0.3  # seconds for which a web process waits for a turn and answers nobody
AGAIN = (2, 5)  # seconds until the page tries again; random, so that a room does not come back all at once
KEPT_SECONDS = 120  # for how long the page can send the password again
PURPOSE = "sign-in that waits"
FULL = "X-Sign-In-Queue"  # set to "full" by the proxy


class NoTurn(Exception):
    """Too many sign-ins at once; this one must come again."""


@contextmanager
def turn() -> Iterator[None]:
    """Wait a moment for a turn to check a password. Raises NoTurn."""
    started = time.monotonic()
    try:
        with turns.signing_in.turn(within=LONGEST_WAIT):
            queueing.SIGN_IN_TURN.observe(time.monotonic() - started)
            yield
    except turns.NoneFree:
        queueing.PUT_OFF.labels("web").inc()
        raise NoTurn from None


def is_refused_by_proxy(request: HttpRequest, view_name: str) -> bool:
    """Whether the proxy says that its queue of sign-ins is full."""
    full = view_name == "account_login" and request.method == "POST" and request.headers.get(FULL) == "full"
    if full:
        queueing.PUT_OFF.labels("proxy").inc()
    return full


def one_moment(request: HttpRequest) -> HttpResponse:
    """The page that sends the form again by itself. It contains the password only sealed, and for two minutes.

    Answered with 200: nothing failed, and browsers and alarms would take 503 for an error.
    """
    again = random.randint(*AGAIN)  # noqa: S311 (no secret)
    password = with_kept_password(request.POST).get("password") or ""
    shown = {
        "seconds": again,
        "login": request.POST.get("login", ""),
        "next": request.POST.get("next") or request.GET.get("next", ""),
        "kept": sealer(PURPOSE).encrypt(password.encode()).decode(),
    }
    response = render(request, "account/one_moment.html", shown)
    response.headers["Retry-After"] = str(again)
    add_never_cache_headers(response)
    return response


def with_kept_password(data: Any) -> Any:
    """The form as typed, where the page “One moment” sent it with a sealed password."""
    if not data or "kept" not in data or data.get("password"):
        return data
    try:
        password = sealer(PURPOSE).decrypt(data["kept"].encode(), ttl=KEPT_SECONDS).decode()
    except InvalidToken:
        return data
    typed = data.copy() if isinstance(data, QueryDict) else dict(data)
    typed["password"] = password
    return typed
