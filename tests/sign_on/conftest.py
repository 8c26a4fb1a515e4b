"""A house that signs people in with a real provider."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from exams.sign_on.models import GroupRole
from tests import directory as directories
from tests.directory import Directory
from tests.factories import PersonFactory
from training.people import sign_on
from training.people.models import Role, User


@pytest.fixture(scope="session")
def provider() -> Iterator[Directory]:
    with directories.started() as found:
        yield found


@pytest.fixture
def directory(provider: Directory, settings: Any, db: None) -> Directory:
    settings.SIGN_ON_ISSUER = provider.issuer
    settings.SIGN_ON_CLIENT_ID = directories.CLIENT
    settings.SIGN_ON_CLIENT_SECRET = directories.SECRET
    settings.SIGN_ON_NAME = "Casino Directory"
    return provider


@pytest.fixture
def mapper(directory: Directory) -> User:
    """The administrator who made the mapping: croupiers are trainees, trainers instructors."""
    who = PersonFactory(roles=[Role.ADMINISTRATOR])
    for group, role in (
        ("croupiers", Role.TRAINEE),
        ("trainers", Role.INSTRUCTOR),
        ("admins", Role.ADMINISTRATOR),
        ("checkers", Role.AUDITOR),
    ):
        GroupRole.objects.create(group=group, role=role, made_by=who, made_at=timezone.now())
    return who


def connected(person: User, subject: str) -> User:
    SocialAccount.objects.create(user=person, provider=sign_on.provider_key(), uid=subject)
    return person
