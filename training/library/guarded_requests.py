"""Who asked for the ruling on guarded facts: noted while a request is answered, and recorded before the answer leaves.

A refusal rolls back what the request has written, so the record is written after it, in a transaction of its own.
"""

import hashlib
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse

import rules_engine
from rules_engine import Scenario
from training.people.models import User

if TYPE_CHECKING:
    from training.library.guarded_cases import Guarded


@dataclass(frozen=True)
class Asked:
    """The guarded case that was asked about, and a digest of the facts that were sent."""

    case: "Guarded"
    digest: str


Record = Callable[[User, str, Asked], None]
# Exams keep the record. The library does not import them: they register themselves at start.
_records: list[Record] = []
_noted: ContextVar[list[Asked] | None] = ContextVar("asked about guarded facts", default=None)


def record_with(record: Record) -> None:
    """Register what records who asked, by which route, and about what. For `AppConfig.ready`."""
    if record not in _records:
        _records.append(record)


def note(case: "Guarded", scenario: Scenario) -> None:
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
                for record in _records:
                    record(request.user, route, one)
        return response
