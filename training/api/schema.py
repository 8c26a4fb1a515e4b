"""Adds roles, scopes and errors to the operations of the OpenAPI schema."""

from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS

from training.api import idempotency
from training.api.paging import Pages
from training.api.problems import CODES, Error
from training.api.scopes import needed
from training.people.access import PUBLIC

# "malformed": any query may contain a character that cannot be stored.
ANY_VIEW = ["malformed", "not_signed_in", "forbidden", "out_of_scope", "too_many_requests"]

PAGING = (Pages.page_query_param, Pages.page_size_query_param)
KEY = OpenApiParameter(
    idempotency.HEADER,
    str,
    OpenApiParameter.HEADER,
    description="Any text, such as a UUID. A request repeated with the same key within a day gets the same answer "
    "and is not carried out twice.",
)


class Described(AutoSchema):
    """Adds to every operation its possible errors and the roles and scopes it needs."""

    def get_description(self) -> str:  # type: ignore[override]
        access = getattr(self.view, "access", PUBLIC)
        who = ", ".join(sorted(access.roles)) if access.roles else "everyone signed in"
        scopes = " or ".join(needed(getattr(self.view, "areas", ()), writes=self._writes))
        return f"{super().get_description()}\n\nFor: {who}." + (f" Scope of a token: {scopes}." if scopes else "")

    def get_override_parameters(self) -> list[Any]:
        return [KEY] if self._writes else []

    @property
    def _writes(self) -> bool:
        return self.method not in SAFE_METHODS

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").partition("/")[0]]

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        found: dict[str, Any] = super()._get_response_bodies(direction)
        codes = [*ANY_VIEW, *getattr(self.view, "refusals", ())]
        if "{" in self.path or self._is_list_view():
            codes.append("not_found")  # for a list: a page beyond its end
        if any(part["in"] == "query" and part["name"] not in PAGING for part in self._get_parameters()):
            codes.append("invalid")
        if self._writes:
            codes += ["in_progress", "key_reused", "too_large", "unsupported_media_type", "invalid"]
        by_status: dict[int, list[str]] = {}
        for code in dict.fromkeys(codes):
            by_status.setdefault(CODES[code], []).append(code)
        for status, names in sorted(by_status.items()):
            body = self._get_response_for_code(Error, str(status), ["application/json"], direction)  # type: ignore[no-untyped-call]
            found[str(status)] = body | {"description": ", ".join(names)}
        return found
