"""The public check: anybody with a code learns what the certificate is worth today, and nothing else.

A malformed code is answered like an unknown one: same status, same words, same single query.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from exams import clock
from exams.certificates import keys, selectors
from exams.certificates.selectors import Checked
from training.people.access import public
from training.people.request import language

# Counted in each web process: a code cannot be guessed anyway, and a shared count would cost more than the answer.
_asked = LocMemCache("public checks", {"OPTIONS": {"MAX_ENTRIES": 10_000}})
WINDOW = 60  # seconds


def limited(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """No more than so many answers a minute to one address."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        window = int(clock.now().timestamp()) // WINDOW
        name = f"{get_adapter().get_client_ip(request)}/{window}"
        _asked.add(name, 0, WINDOW)
        if _asked.incr(name) > settings.CHECK_RATE:
            refusal = render(request, "429.html", status=429)
            refusal.headers["Retry-After"] = str(WINDOW)
            return refusal
        return view(request, *args, **kwargs)

    return answer


@public
@never_cache
@require_safe
@limited
def ask_for_code(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("code", "")
    return _answer(request, typed) if typed else render(request, "certificates/ask.html")


@public
@never_cache
@require_safe
@limited
def check_code(request: HttpRequest, code: str) -> HttpResponse:
    response = _as_data(code) if _wants_data(request) else _answer(request, code)
    patch_vary_headers(response, ["Accept"])
    return response


@public
@never_cache
@require_safe
@limited
def check_as_data(request: HttpRequest, code: str) -> HttpResponse:
    return _as_data(code)


@public
@cache_control(max_age=300, public=True)
@require_safe
def published_keys(request: HttpRequest) -> HttpResponse:
    """Every key that credentials were ever signed with."""
    return JsonResponse(keys.published())


def _wants_data(request: HttpRequest) -> bool:
    preferred = request.get_preferred_type(["text/html", "application/json"])
    return preferred == "application/json"


def _found(typed: str) -> Checked | None:
    return selectors.by_code(typed, language())


def _answer(request: HttpRequest, typed: str) -> HttpResponse:
    found = _found(typed)
    context = {"found": found, "today": clock.today(), "issuer": settings.ISSUER_NAME}
    # Without the request: nothing on this page depends on who asks.
    page = render_to_string("certificates/check.html", context)
    return HttpResponse(page, status=200 if found else 404)


def _as_data(typed: str) -> HttpResponse:
    found = _found(typed)
    if found is None:
        return JsonResponse({"standing": "unknown"}, status=404)
    return JsonResponse(
        {
            "standing": found.standing.value,
            "on": clock.today(),
            "number": found.number,
            "name": found.name,
            "programme": found.programme,
            "rulebooks": found.books,
            "valid_from": found.valid_from,
            "valid_until": found.valid_until,
            "issuer": settings.ISSUER_NAME,
        }
    )
