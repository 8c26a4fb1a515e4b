"""What a service refuses: one small tree. Each carries words fit to show and the status that a page answers with.

A page that can show itself again with the words catches the refusal; whatever no page catches is answered by the
middleware here, and for programs by `training.api.problems`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise


class Refused(Exception):
    """What may not be done, or not now. `code` is what a program is told, `field` what was filled in wrongly."""

    status = 409
    code = "refused"
    field = ""

    def __init__(self, reason: str | Promise = "") -> None:
        self.reason = reason
        super().__init__(str(reason))


def why_not(verify: Callable[..., None], *about: Any) -> str:
    """What a check refuses, in words; empty where it passes."""
    try:
        verify(*about)
    except Refused as refusal:
        return str(refusal)
    return ""


class ChangedMeanwhile(Refused):
    """It was changed after the page that sends this was opened."""


class Unfit(Refused):
    """What was given cannot be taken: it is missing, too short, too long or does not fit."""

    status = 422
    code = "invalid"


@dataclass(frozen=True)
class RowError:
    """What is wrong in one row of a list. Row 0 is the list itself; `name` is what the reader calls the field."""

    row: int
    field: str
    reason: str
    name: str = ""


class UnfitList(Unfit):
    """A list that cannot be taken, with everything that is wrong in it."""

    def __init__(self, errors: list[RowError]) -> None:
        self.errors = errors
        super().__init__(f"{len(errors)} errors")


class RefusalMiddleware:
    """A refusal that no page shows in its own place gets a page of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused):
            return None
        return render(request, "refused.html", {"reason": str(error)}, status=error.status)
