"""People who change names and issue certificates, for tests."""

from django.test import Client

from exams.certificates import name_correction
from exams.records.models import NameCorrection
from tests.exams.staff_lists import confirm, send
from tests.factories import PersonFactory
from training.people.models import Role, User

TITLES = "nome;número;departamento\n"


def clerk(**facts: object) -> User:
    return PersonFactory(roles=[Role.HR], **facts)


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def import_list(hr: Client, rows: str) -> str:
    """Check and confirm a staff list; what the page says then."""
    send(hr, TITLES + rows)
    return str(confirm(hr).content.decode())


def ask(person: User, name: str, by: User | None = None) -> NameCorrection:
    return name_correction.ask(person, by=by or clerk(), name=name, reason="Cartão de cidadão.")


def rename(person: User, name: str) -> NameCorrection:
    """Two people change a name."""
    asked = ask(person, name)
    name_correction.confirm(asked, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    asked.refresh_from_db()
    return asked
