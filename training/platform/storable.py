"""Rejects data that cannot be stored: text with NUL (PostgreSQL has no such character) or lone surrogates, numbers
beyond 64 bits, and deep nesting."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls.converters import IntConverter
from django.utils.translation import gettext as _

DEEPEST = 64
LARGEST = 2**63 - 1
# The API has its own check; the public certificate check answers a malformed code like an unknown one.
UNTOUCHED = ("/api/", "/c/")


class NumberConverter(IntConverter):
    """A number in a URL that fits into every integer column."""

    regex = "[0-9]{1,9}"


def share(number: object) -> str:
    """A percentage in the reader's language: 80% or 80 %."""
    return _("%(share)s%%") % {"share": number}


def is_plain(text: str) -> bool:
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def unplain(data: Any) -> str:
    """Why parsed JSON cannot be stored, in the reader's language; empty if it can."""
    waiting = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            return too_deep()
        if isinstance(value, str) and not is_plain(value):
            return _("There is a character in it that cannot be stored.")
        if (isinstance(value, float) and not math.isfinite(value)) or (isinstance(value, int) and abs(value) > LARGEST):
            return _("There is a number in it that is too large.")
        inner: Iterable[Any] = value if isinstance(value, list) else ()
        if isinstance(value, dict):
            inner = (*value.keys(), *value.values())
        waiting.extend((one, depth + 1) for one in inner)
    return ""


def too_deep() -> str:
    return _("It is nested more than %(deepest)d deep.") % {"deepest": DEEPEST}


class PlainCookies:
    """Drops cookies that cannot be stored. They are not ours, and sessions are looked up by cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if is_plain(name + value)}
        return self.get_response(request)


class PlainText:
    """Refuses requests to pages with text that cannot be stored. No keyboard produces it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        if request.path_info.startswith(UNTOUCHED):
            return None
        if not is_plain(request.path_info):
            raise Http404
        sent = [*request.GET.lists(), *request.POST.lists()]
        if all(is_plain(text) for name, texts in sent for text in (name, *texts)):
            return None
        reason = _("There is a character in it that cannot be stored.")
        return render(request, "refused.html", {"reason": reason}, status=400)
