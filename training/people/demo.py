"""The fictional people of the demo, whose password is public, and the checks that keep them out of production."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from training.people.accounts import enter_person
from training.people.models import Role, User

log = structlog.get_logger(__name__)

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
    DemoPerson("vera@sabot.example", "Vera Lucena", (Role.AUDITOR,)),
)


@transaction.atomic
def enter_demo_people() -> list[User]:
    """Add the demo people that do not exist yet; existing ones are not changed."""
    known = set(User.objects.filter(email__in=[person.email for person in PEOPLE]).values_list("email", flat=True))
    return [
        enter_person(email=person.email, name=person.name, roles=person.roles, password=PASSWORD, is_demo=True)
        for person in PEOPLE
        if person.email not in known
    ]


def retire_demo_people() -> int:
    """Close the demo accounts and keep their work. Returns how many were closed."""
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
        return False  # before the first migration
    return User.objects.filter(is_demo=True, is_active=True).exists()


def refuse_in_production() -> None:
    """Refuse to start a web process, worker or beat in production while demo people can sign in.

    If the database is down the process starts, so that `/readyz` can report it, and checks on the first connection.
    """
    if settings.DEMO:
        return
    try:
        refused = demo_people_can_sign_in()
    except OperationalError as error:
        log.warning("started_without_database", error=str(error).strip())
        connections["default"].close()  # a half-open connection would not trigger the later check
        connection_created.connect(_refuse_late)
        return
    if refused:
        raise ImproperlyConfigured(f"Refusing to start: {REFUSAL}.")


def _refuse_late(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Check on a new connection, and close it unless the demo people are known to be retired."""
    try:
        refused = demo_people_can_sign_in()
    except Exception:
        connection.close()
        raise
    if refused:
        connection.close()
        raise ImproperlyConfigured(f"Refusing to go on: {REFUSAL}.")
    connection_created.disconnect(_refuse_late)


@checks.register(checks.Tags.database)
def check_no_demo_people(databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """For `manage.py check --database default`. Only a warning, because migrating must stay possible."""
    if settings.DEMO or not databases or "default" not in databases or not demo_people_can_sign_in():
        return []
    return [checks.Warning(REFUSAL.capitalize() + ".", id="training.W001")]
