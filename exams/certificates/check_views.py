"""The public check: anybody with a code sees what the certificate is worth today, and nothing else.

A malformed code is answered exactly like an unknown one: same status, same text, same two queries.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from exams import clock
from exams.certificates import keys, register, selectors
from exams.certificates.selectors import Checked
from training.people.access import public
from training.people.limits import times_asked
from training.people.preferences import languages_offered
from training.people.request import language

WINDOW = timedelta(minutes=1)
MAX_ASKED = 100  # characters of the name searched for
REGISTER_PAGE = 50


def readable_anywhere(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allow pages on other hosts to read the response: it is the same for everybody."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return answer


def limited(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit the requests per minute from one IP address."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if times_asked("public check", get_adapter().get_client_ip(request), WINDOW) > settings.CHECK_RATE:
            refusal = render(request, "429.html", status=429)
            refusal.headers["Retry-After"] = str(int(WINDOW.total_seconds()))
            return refusal
        return view(request, *args, **kwargs)

    return answer


@public
@never_cache
@require_safe
@limited
def ask_for_code(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("code", "")
    return _answer(request, typed) if typed else _page(request, "certificates/ask.html", {})


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
@readable_anywhere
@cache_control(max_age=300, public=True)
@require_safe
def published_keys(request: HttpRequest) -> HttpResponse:
    """Every key ever used to sign credentials."""
    return JsonResponse(keys.published())


@public
@readable_anywhere
@cache_control(max_age=300, public=True)
@require_safe
def published_key(request: HttpRequest, key_id: str) -> HttpResponse:
    """One key, at the address that credentials use as its id."""
    found = keys.published_one(key_id)
    if found is None:
        raise Http404
    return JsonResponse(found, content_type="application/jwk+json")


@public
@never_cache
@require_safe
@limited
def public_register(request: HttpRequest) -> HttpResponse:
    """The holders who chose to be listed: name, programme, standing."""
    asked = request.GET.get("name", "")[:MAX_ASKED]
    page = Paginator(register.holders(asked), REGISTER_PAGE).get_page(request.GET.get("page"))
    context = {
        "asked": asked,
        "page": page,
        "query": urlencode({"name": asked}) if asked else "",
        "lines": register.lines(page, language()),
        "today": clock.today(),
    }
    response = _page(request, "certificates/register.html", context)
    # People who leave the register must not remain in archives.
    response.headers["X-Robots-Tag"] = "noindex, noarchive"
    return response


def _wants_data(request: HttpRequest) -> bool:
    preferred = request.get_preferred_type(["text/html", "application/json"])
    return preferred == "application/json"


def _found(typed: str) -> Checked | None:
    return selectors.by_code(typed, language())


def _answer(request: HttpRequest, typed: str) -> HttpResponse:
    found = _found(typed)
    context = {"found": found, "today": clock.today()}
    return _page(request, "certificates/check.html", context, status=200 if found else 404)


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Renders without the request's context: apart from the language switch, nothing depends on the visitor."""
    switch = {"request": request} | languages_offered(request)
    if request.user.is_authenticated:
        switch["csrf_token"] = get_token(request)
    return HttpResponse(render_to_string(template, context | switch), status=status)


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
            "laws": found.laws,
            "valid_from": found.valid_from,
            "valid_until": found.valid_until,
            "issuer": found.issuer,
        }
    )
