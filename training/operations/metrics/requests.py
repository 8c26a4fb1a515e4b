"""Request metrics, counted by each web process. The library shares the counts in files (the directory is set in
`training.operations.web_server`), so that any process can answer for all."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.urls import URLResolver, get_resolver
from prometheus_client import Counter, Histogram

from training.operations.metrics import queueing

SECONDS = (0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
REQUESTS = Counter("sabot_requests_total", "Requests answered, by page and status.", ["view", "status"])
LATENCY = Histogram("sabot_request_seconds", "From request to answer, by page.", ["view"], buckets=SECONDS)
ERRORS = Counter("sabot_errors_total", "Unhandled errors, by page.", ["view"])
ERROR_KINDS = Counter("sabot_error_kinds_total", "Unhandled errors, by page and type.", ["view", "error"])
COUNTED = (REQUESTS, LATENCY, ERRORS, ERROR_KINDS)


class CountRequests:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        begin()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        queueing.observe(request)
        response = self.get_response(request)
        view = name_of(request)
        LATENCY.labels(view).observe(time.perf_counter() - started)
        REQUESTS.labels(view, response.status_code).inc()
        return response


def begin() -> None:
    """Count from nought on every page: `increase()` does not see a first error that creates its counter."""
    for view in {"none", *_names(get_resolver())}:
        ERRORS.labels(view)


def _names(resolver: URLResolver, spaces: tuple[str, ...] = ()) -> Iterator[str]:
    """The names of all routes, as `name_of` tells them."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _names(one, (*spaces, one.namespace) if one.namespace else spaces)
        elif one.name:
            yield ":".join((*spaces, one.name))


def name_of(request: HttpRequest | None) -> str:
    """The name of the route. Never the path, which may contain a secret."""
    match = request.resolver_match if request else None
    return match.view_name if match and match.view_name else "none"


def count_error(request: HttpRequest | None = None, **_: Any) -> None:
    kind = sys.exc_info()[0]
    ERRORS.labels(name_of(request)).inc()
    ERROR_KINDS.labels(name_of(request), kind.__name__ if kind else "unknown").inc()


got_request_exception.connect(count_error, dispatch_uid="count errors")
