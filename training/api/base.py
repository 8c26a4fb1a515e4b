"""The base class of API views: access, pagination and input."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils import translation
from rest_framework.exceptions import ParseError
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from structlog.contextvars import bind_contextvars

from training.api import idempotency
from training.api.authentication import AsDeclared
from training.api.models import ApiToken
from training.api.paging import Pages
from training.people.models import User
from training.platform.storable import unplain


class ApiView(GenericAPIView[Any]):
    """A view of the API. Subclasses declare access with the decorators of `people.access`."""

    enforces_access = True
    # A token needs a scope of one of these areas (see `scopes.py`).
    areas: tuple[str, ...] = ()
    pagination_class = Pages
    permission_classes = [AsDeclared]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if reason := unplain(dict(request.query_params)):
            raise ParseError(reason)
        if isinstance(request.auth, ApiToken):
            bind_contextvars(user_id=self.person.pk, api_token=request.auth.pk)
            translation.activate(self.person.language)
        if request.method not in SAFE_METHODS:
            idempotency.once(self, request)

    def check_permissions(self, request: Request) -> None:
        """Check the rate first, so that requests without permission are limited too."""
        super().check_throttles(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Does nothing: `check_permissions` has checked the rate."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, idempotency.Again):
            return exc.response  # type: ignore[return-value]
        return super().handle_exception(exc)

    @property
    def person(self) -> User:
        user = self.request.user
        assert user.is_authenticated  # noqa: S101 (checked by the permissions)
        return user

    def sent(self, kind: type[BaseSerializer[Any]]) -> dict[str, Any]:
        """The validated body. Raises a ValidationError that names every invalid field."""
        body = kind(data=self.request.data)
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def asked(self, kind: type[BaseSerializer[Any]]) -> dict[str, Any]:
        """The validated query parameters."""
        query = kind(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)

    def listed(self, items: Any, write: Callable[[list[Any]], Iterable[Any]]) -> Response:
        """One page of a list; `write` turns the items of the page into plain data."""
        page = self.paginate_queryset(items) or []
        return self.get_paginated_response(list(write(list(page))))
