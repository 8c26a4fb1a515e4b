"""Errors of the API, all in one shape: {"error": {"code", "message", "fields"}}."""

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from training.platform.errors import Refused

# Every error code with its status; the schema lists them.
CODES = {
    "malformed": 400,
    "not_signed_in": 401,
    "forbidden": 403,
    "out_of_scope": 403,
    "in_exam": 403,
    "second_factor_missing": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "refused": 409,
    "already_answered": 409,
    "nothing_to_try": 409,
    "already_flagged": 409,
    "nothing_left": 409,
    "in_progress": 409,
    "kept_for_exams": 409,
    "too_large": 413,
    "unsupported_media_type": 415,
    "invalid": 422,
    "bad_answer": 422,
    "impossible_facts": 422,
    "not_regulated": 422,
    "key_reused": 422,
    "too_many_requests": 429,
}
NAMED: dict[type[Exception], str] = {
    exceptions.ParseError: "malformed",
    exceptions.AuthenticationFailed: "not_signed_in",
    exceptions.NotAuthenticated: "not_signed_in",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "too_many_requests",
}


class Problem(exceptions.APIException):
    """A request cannot be carried out. `fields` holds the errors by field."""

    def __init__(self, code: str, message: object, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__(str(message))
        self.status_code = CODES[code]
        self.problem = {"code": code, "message": str(message), "fields": fields or {}}


def invalid(fields: dict[str, list[str]]) -> Problem:
    return Problem("invalid", _("Some of what was sent cannot be used."), fields)


class ErrorBody(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=sorted(CODES))
    message = serializers.CharField()
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))  # type: ignore[assignment]


class Error(serializers.Serializer[Any]):
    error = ErrorBody()


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Convert an exception to an error response; None for an unexpected one."""
    from rest_framework.views import exception_handler  # it imports what the settings name

    if isinstance(error, exceptions.ValidationError):
        error = invalid(_flat(error.detail))
    elif isinstance(error, Refused):
        error = _refusal(error)
    elif isinstance(error, RequestDataTooBig):
        limit = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) // 1024
        error = Problem("too_large", _("At most %(limit)d KB can be sent at once.") % {"limit": limit})
    elif isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    response = exception_handler(error, context)
    if response is None:
        return None
    response.data = {"error": error.problem if isinstance(error, Problem) else _problem(error)}
    return response


def _refusal(refused: Refused) -> Problem:
    """The problem for a refusal of a service, under its field if it has one."""
    if refused.field:
        return invalid({refused.field: [str(refused)]})
    return Problem(refused.code, refused)


def _problem(error: Exception) -> dict[str, Any]:
    code = next((code for kind, code in NAMED.items() if isinstance(error, kind)), "refused")
    told = {
        "not_signed_in": _("Sign in, or send a token."),
        "forbidden": _("Your role does not allow this, or the request came without its CSRF token."),
        "not_found": _("There is nothing at this address."),
        "method_not_allowed": _("This address does not accept this method."),
        "not_acceptable": _("Only JSON is available here."),
        "unsupported_media_type": _("Send JSON, as application/json."),
        "too_many_requests": _("Too many requests. Wait a moment and ask again."),
    }
    own = isinstance(error, exceptions.AuthenticationFailed | exceptions.ParseError)
    return {"code": code, "message": str(getattr(error, "detail", error)) if own else told.get(code, ""), "fields": {}}


def _flat(detail: Any, where: str = "") -> dict[str, list[str]]:
    """Flatten errors of nested fields under their paths: `fresh.0.topic`."""
    if isinstance(detail, dict):
        parts = [(f"{where}.{name}".lstrip("."), inner) for name, inner in detail.items()]
    elif any(isinstance(inner, dict | list) for inner in detail):
        parts = [(f"{where}.{number}".lstrip("."), inner) for number, inner in enumerate(detail) if inner]
    else:
        return {where: [str(reason) for reason in detail]}
    found: dict[str, list[str]] = {}
    for place, inner in parts:
        found |= _flat(inner, place)
    return found
