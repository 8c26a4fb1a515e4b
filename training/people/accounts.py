"""Entering people, and giving and taking roles: every write names who did it."""

from collections.abc import Iterable

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpRequest

from training.people.models import Role, RoleGrant, User


class HouseAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library has no types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


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
