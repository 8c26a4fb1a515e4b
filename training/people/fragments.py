"""Keeps parts of pages out of every cache. An address that answers htmx with a part of its page must show the whole
page to everybody else, and to whoever returns with the browser's Back button."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

ASKED_BY_HTMX = "HX-Request"


class FragmentsAreNotPages:
    """Marks what was asked for by htmx so that no cache stores it, and pages so that none gives them to htmx.

    A browser that goes back shows what it stored last under the address, however old; of what is not stored it asks
    the page anew. The whole page may be stored: otherwise browsers would not keep it in memory for Back either.
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
