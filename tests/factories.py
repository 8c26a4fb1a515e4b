"""Makers of stored things for tests."""

from collections.abc import Iterable
from typing import Any

import factory
from allauth.account.models import EmailAddress

from training.people.accounts import grant_role
from training.people.models import Role, User

PASSWORD = "cagnotte-de-veludo"


class PersonFactory(factory.django.DjangoModelFactory[User]):
    """A signed-up person; `PersonFactory(roles=[Role.HR])` for other roles than trainee."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@casino.example")
    name = factory.Sequence(lambda n: f"Pessoa {n}")
    password = factory.django.Password(PASSWORD)

    @factory.post_generation
    def roles(self: User, create: bool, extracted: Iterable[Role] | None, **_: Any) -> None:
        for role in [Role.TRAINEE] if extracted is None else extracted:
            grant_role(self, role, granted_by=None)

    @factory.post_generation
    def verified_address(self: User, create: bool, extracted: Any, **_: Any) -> None:
        EmailAddress.objects.create(user=self, email=self.email, primary=True, verified=True)
