"""What the pages of a sitting read from a request: who it is, in which browser, and what is told."""

import math
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from exams.sittings.events import AT_ONCE, Told
from exams.sittings.sitting import Change
from rules_engine.errors import EngineError
from training.practice.answer_form import typed

# Which browser it is: known by nothing but this, and for the length of an exam.
DEVICE_COOKIE = "exam_browser"
DEVICE_AGE = 24 * 60 * 60
DEVICE_LENGTH = 64
LARGEST = 2**53  # what a browser can count to


def on_own_device(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the browser's mark as `device`, made at the first visit."""

    @wraps(view)
    def marked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
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

    return marked


def change_from(data: QueryDict, *, numbered: bool) -> Change:
    """What the form says. With `numbered` it must bring its number; a plain form is simply the newest."""
    sequence = _whole(data.get("sequence", "")) if numbered else None
    if numbered and sequence is None:
        raise EngineError("a whole number is missing", fact="sequence")
    return Change(
        parts=typed(data), marked="marked" in data, sequence=sequence, seconds=_whole(data.get("seconds", "")) or 0
    )


def _whole(given: str) -> int | None:
    number = int(given) if given.isdecimal() and len(given) <= 16 else -1
    return number if 0 <= number <= LARGEST else None


def told_events(given: str) -> list[Told]:
    try:
        found = msgspec.json.decode(given or "[]", type=list[Told])
    except (msgspec.DecodeError, ValueError):
        return []  # what a browser tells of itself is never worth an error
    return [one for one in found[:AT_ONCE] if math.isfinite(one.seconds_ago)]
