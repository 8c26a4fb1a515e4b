"""Reads from a request which browser sent it, the answer it saves and the events it reports."""

import math
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from exams.sittings.events import AT_ONCE, BrowserEvent
from exams.sittings.sitting import Change
from rules_engine.errors import EngineError
from training.practice.answer_form import typed

# Identifies the browser, for the length of an exam.
DEVICE_COOKIE = "exam_browser"
DEVICE_AGE = 24 * 60 * 60
DEVICE_LENGTH = 64
LARGEST = 2**53  # the largest integer JavaScript represents exactly


def on_own_device(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the browser's id to the view as `device`, setting the cookie on the first visit."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        known = request.COOKIES.get(DEVICE_COOKIE, "")[:DEVICE_LENGTH]
        device = known or secrets.token_urlsafe(24)
        response = view(request, *args, device=device, **kwargs)
        if not known:
            response.set_cookie(
                DEVICE_COOKIE,
                device,
                max_age=DEVICE_AGE,
                path=reverse("own_exams"),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return wrapper


def change_from(data: QueryDict, *, numbered: bool) -> Change:
    """Reads a change from form data. With `numbered`, raises EngineError if `sequence` is missing; a plain form counts
    as the newest."""
    sequence = _whole_number(data.get("sequence", "")) if numbered else None
    if numbered and sequence is None:
        raise EngineError("a whole number is missing", fact="sequence")
    return Change(
        parts=typed(data),
        marked="marked" in data,
        sequence=sequence,
        seconds=_whole_number(data.get("seconds", "")) or 0,
    )


def _whole_number(given: str) -> int | None:
    number = int(given) if given.isdecimal() and len(given) <= 16 else -1
    return number if 0 <= number <= LARGEST else None


def browser_events(given: str) -> list[BrowserEvent]:
    try:
        found = msgspec.json.decode(given or "[]", type=list[BrowserEvent])
    except (msgspec.DecodeError, ValueError):
        return []  # a malformed report is not worth an error
    return [one for one in found[:AT_ONCE] if math.isfinite(one.seconds_ago)]
