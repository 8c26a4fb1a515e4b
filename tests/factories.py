"""Makers of stored things for tests."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from factory.declarations import Sequence
from factory.django import DjangoModelFactory, Password
from factory.helpers import post_generation

from training.people.accounts import grant_role
from training.people.models import Role, User

PASSWORD = "cagnotte-de-veludo"


class _People(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = Sequence(lambda n: f"person{n}@casino.example")
    name = Sequence(lambda n: f"Pessoa {n}")
    # Hashed once: where tests run inside an installation, with its own hasher, each time takes a fifth of a second.
    password = Password(PASSWORD, transform=cache(make_password))

    @post_generation
    def roles(self: User, create: bool, extracted: Iterable[Role] | None, **_: Any) -> None:
        for role in [Role.TRAINEE] if extracted is None else extracted:
            grant_role(self, role, granted_by=None)

    @post_generation
    def verified_address(self: User, create: bool, extracted: Any, **_: Any) -> None:
        EmailAddress.objects.create(user=self, email=self.email, primary=True, verified=True)


def PersonFactory(**facts: Any) -> User:  # noqa: N802 (it stands for a class that makes people)
    """A signed-up person; `PersonFactory(roles=[Role.HR])` for other roles than trainee."""
    person: User = _People.create(**facts)
    return person


def second_person() -> User:
    """Somebody else who may sign what takes two people."""
    return PersonFactory(roles=[Role.ADMINISTRATOR])
