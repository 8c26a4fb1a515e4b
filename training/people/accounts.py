"""Entering people, and giving and taking roles: every write names who did it."""

from collections.abc import Iterable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from training.people import limits, proxies
from training.people.models import Role, RoleGrant, User


class HouseAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library has no types
    """How people sign in here. Wrong passwords are counted by `limits`, not by the library."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The library raises where there are fewer addresses than proxies; then it is the proxy's own."""
        if len(proxies.forwarded(request)) < settings.TRUSTED_PROXIES:
            return str(request.META.get("REMOTE_ADDR", ""))
        return str(super().get_client_ip(request))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        proxies.look(request)
        limits.verify(self._try(request, **credentials))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            limits.succeeded(self._try(request, **credentials))
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        limits.failed(self._try(request, **credentials))

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Called by the library for who has just set a new password through their mail."""
        limits.succeeded(self._try(request, **credentials))

    def _try(self, request: HttpRequest, **credentials: Any) -> limits.Try:
        return limits.Try(account=str(credentials.get("email", "")), address=self.get_client_ip(request))


@transaction.atomic
def enter_person(
    *,
    email: str,
    name: str,
    roles: Iterable[Role],
    password: str | None = None,
    granted_by: User | None = None,
    is_demo: bool = False,
) -> User:
    """Store a person with their roles. The house vouches for the address, so it counts as verified."""
    user = User.objects.create_user(email, password, name=name, is_demo=is_demo)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    for role in roles:
        grant_role(user, role, granted_by=granted_by)
    return user


def grant_role(user: User, role: Role, *, granted_by: User | None) -> RoleGrant:
    grant, _ = RoleGrant.objects.get_or_create(user=user, role=role, defaults={"granted_by": granted_by})
    user.__dict__.pop("roles", None)
    return grant


def withdraw_role(user: User, role: Role) -> None:
    RoleGrant.objects.filter(user=user, role=role).delete()
    user.__dict__.pop("roles", None)
