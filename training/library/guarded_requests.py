"""Who asked for the ruling on guarded facts: noted while a request is answered, and recorded before the answer leaves.

A refusal rolls back what the request has written, so the record is written after it, in a transaction of its own.
"""

import hashlib
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

import rules_engine
from rules_engine import Scenario
from training.library import hooks
from training.library.hooks import Asked, Guarded

_noted: ContextVar[list[Asked] | None] = ContextVar("asked about guarded facts", default=None)


def note(case: Guarded, scenario: Scenario) -> None:
    """Note that the current request asked for the ruling on these facts."""
    noted = _noted.get()
    if noted is not None:
        noted.append(Asked(case, hashlib.sha256(rules_engine.encode(scenario.situation)).hexdigest()))


class RecordAsked:
    """Records what was noted while a request was answered. Each case once for each request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        noted: list[Asked] = []
        token = _noted.set(noted)
        try:
            response = self.get_response(request)
        finally:
            _noted.reset(token)
        if noted and request.user.is_authenticated:
            route = request.resolver_match.view_name if request.resolver_match else ""
            for one in {asked.case.about: asked for asked in noted}.values():
                hooks.ruling_asked(request.user, route, one)
        return response
