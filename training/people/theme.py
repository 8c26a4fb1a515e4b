"""Light or dark: a choice of the device, kept in a cookie."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from training.people.access import public

COOKIE = "theme"
YEAR = 365 * 24 * 60 * 60


@dataclass(frozen=True)
class Theme:
    """`schemes` tells the browser how to draw its own controls, `media` when the dark colours apply. Paper is light."""

    chosen: str
    schemes: str
    media: str


AUTOMATIC = Theme("", "light dark", "screen and (prefers-color-scheme: dark)")
THEMES = {
    theme.chosen: theme for theme in (AUTOMATIC, Theme("light", "light", "not all"), Theme("dark", "dark", "screen"))
}


def theme(request: HttpRequest) -> dict[str, Any]:
    """Template context: the theme of this device."""
    return {"theme": THEMES.get(request.COOKIES.get(COOKIE, ""), AUTOMATIC)}


@csrf_exempt  # visitors send no token, and only the colours of one's own page could be forged
@public
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Store the theme in a cookie and return to the page. With scripts the browser does this itself (theme.js)."""
    chosen, page = THEMES.get(request.POST.get("theme", ""), AUTOMATIC).chosen, request.POST.get("next", "/")
    here = page.startswith("/") and url_has_allowed_host_and_scheme(
        page, {request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(page if here else "/")
    if chosen:
        response.set_cookie(COOKIE, chosen, max_age=YEAR, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
