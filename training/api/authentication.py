"""Authentication by token, permissions as declared by the views, and parsing of JSON bodies."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from training.api import tokens
from training.api.models import ApiToken
from training.api.problems import Problem
from training.api.scopes import needed
from training.people.access import Access, permits, verify_no_exam, verify_second_factor
from training.people.models import User
from training.platform import storable


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer sabot_…`"""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, text = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        token = tokens.known(text.strip().decode("ascii", "replace"))
        if token is None:
            raise exceptions.AuthenticationFailed(_("This token is unknown, expired or revoked."))
        return token.owner, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Sabot"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from the account menu, “API tokens”."}


class AsDeclared(BasePermission):
    """Checks the declared roles, closes the API during an exam as pages do, and checks the scope of the token."""

    def has_permission(self, request: Request, view: Any) -> bool:
        access: Access = view.access
        if not permits(access, request.user, request.method):
            return False
        verify_no_exam(access, request.user)
        verify_second_factor(access, request.user)
        token = request.auth
        areas: tuple[str, ...] = getattr(view, "areas", ())
        if isinstance(token, ApiToken) and areas:
            wanted = needed(areas, writes=request.method not in SAFE_METHODS)
            if set(wanted).isdisjoint(token.scopes):
                raise Problem(
                    "out_of_scope", _("This token lacks the scope: %(scopes)s") % {"scopes": " / ".join(wanted)}
                )
        return True


class StorableJson(JSONParser):
    """JSON that can be stored: not nested too deeply, with storable text and numbers.

    `DATA_UPLOAD_MAX_MEMORY_SIZE` limits its size.
    """

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise exceptions.ParseError(storable.too_deep()) from None
        if reason := storable.unplain(data):
            raise exceptions.ParseError(reason)
        return data
