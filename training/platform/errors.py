"""The exceptions with which services refuse something. Each has a reason to show and an HTTP status.

A page that can show the reason itself catches the exception; the middleware here handles the rest, and
`training.api.problems` does for the API.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise


class Refused(Exception):
    """Something may not be done, or not now. `code` is for programs, `field` is the form field that is wrong."""

    status = 409
    code = "refused"
    field = ""

    def __init__(self, reason: str | Promise = "") -> None:
        self.reason = reason
        super().__init__(str(reason))


def why_not(verify: Callable[..., None], *about: Any) -> str:
    """The reason why a check refuses; empty if it passes."""
    try:
        verify(*about)
    except Refused as refusal:
        return str(refusal)
    return ""


def passes(verify: Callable[..., None], *about: Any) -> bool:
    """Whether a check refuses nothing. Unlike an empty `why_not`, it also counts a refusal without a reason."""
    try:
        verify(*about)
    except Refused:
        return False
    return True


class ChangedMeanwhile(Refused):
    """The object was changed after the page was opened."""


class Unfit(Refused):
    """The input is invalid: missing, too short, too long or of the wrong kind."""

    status = 422
    code = "invalid"


@dataclass(frozen=True)
class RowError:
    """An error in one row of a list. Row 0 means the list itself; `name` is the visible name of the field."""

    row: int
    field: str
    reason: str
    name: str = ""


class UnfitList(Unfit):
    """A list is invalid; `errors` holds everything that is wrong with it."""

    def __init__(self, errors: list[RowError]) -> None:
        self.errors = errors
        super().__init__(f"{len(errors)} errors")


class RefusalMiddleware:
    """Shows an error page for a refusal that no view handled."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused):
            return None
        return render(request, "refused.html", {"reason": str(error)}, status=error.status)
