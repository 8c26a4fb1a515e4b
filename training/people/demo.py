"""The invented people of the demo, whose password everybody knows, and what keeps them out of production."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connections, transaction

from training.people.accounts import enter_person
from training.people.models import Role, User

PASSWORD = "carta-aviso"  # noqa: S105 (published on purpose; production refuses to start with it)
REFUSAL = (
    "the demo people can still sign in with the published password; "
    "run “manage.py demo_data --retire” before production"
)


@dataclass(frozen=True)
class DemoPerson:
    email: str
    name: str
    roles: tuple[Role, ...]


PEOPLE: tuple[DemoPerson, ...] = (
    DemoPerson("ines@sabot.example", "Inês Varela", (Role.TRAINEE,)),
    DemoPerson("duarte@sabot.example", "Duarte Salema", (Role.TRAINEE,)),
    DemoPerson("marta@sabot.example", "Marta Quintão", (Role.TRAINEE,)),
    DemoPerson("helena@sabot.example", "Helena Brandim", (Role.INSTRUCTOR,)),
    DemoPerson("rui@sabot.example", "Rui Castanhal", (Role.INSTRUCTOR, Role.TRAINEE)),
    DemoPerson("teresa@sabot.example", "Teresa Alvim", (Role.HR,)),
    DemoPerson("paulo@sabot.example", "Paulo Serrano", (Role.ADMINISTRATOR,)),
)


@transaction.atomic
def enter_demo_people() -> list[User]:
    """Enter those not there yet; the ones already there keep what was changed in them."""
    known = set(User.objects.filter(email__in=[person.email for person in PEOPLE]).values_list("email", flat=True))
    return [
        enter_person(email=person.email, name=person.name, roles=person.roles, password=PASSWORD, is_demo=True)
        for person in PEOPLE
        if person.email not in known
    ]


def retire_demo_people() -> int:
    """Close their accounts and keep their work."""
    retired = 0
    for user in User.objects.filter(is_demo=True, is_active=True):
        user.is_active = False
        user.set_unusable_password()
        user.save(update_fields=["is_active", "password"])
        retired += 1
    return retired


def demo_people_can_sign_in() -> bool:
    connection = connections["default"]
    if User._meta.db_table not in connection.introspection.table_names():
        return False  # before the first migration there is nobody
    return User.objects.filter(is_demo=True, is_active=True).exists()


def refuse_in_production() -> None:
    """Called when a web process, a worker or beat starts."""
    if not settings.DEMO and demo_people_can_sign_in():
        raise ImproperlyConfigured(f"Refusing to start: {REFUSAL}.")


@checks.register(checks.Tags.database)
def check_no_demo_people(databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """For `manage.py check --database default`; a warning, since migrating must stay possible."""
    if settings.DEMO or not databases or "default" not in databases or not demo_people_can_sign_in():
        return []
    return [checks.Warning(REFUSAL.capitalize() + ".", id="training.W001")]
