"""Keeps fragments out of caches. An address that returns a fragment to htmx must show the whole page to everyone else,
and after the Back button."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

ASKED_BY_HTMX = "HX-Request"


class FragmentsAreNotPages:
    """Forbids caches to store answers to htmx, and to answer htmx with a stored page.

    On Back a browser shows whatever it last stored under the address; otherwise it loads the page again. Whole pages
    may be stored, or browsers would not keep them in memory for Back either.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        by_htmx = ASKED_BY_HTMX in request.headers
        if by_htmx:
            patch_cache_control(response, no_store=True)
        if by_htmx or response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, [ASKED_BY_HTMX])
        return response
