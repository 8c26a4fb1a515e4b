"""Sittings that are annulled or whose try is given back, and the people it takes."""

from typing import Any

from django.test import Client

from exams.records.models import Sitting
from exams.results import annulment, grading
from exams.results.models import Annulment
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import Role, User

WHY = "Alarme de incêndio às 10h20: a sala foi evacuada."
Remedy = Annulment.Remedy


def examiner(*roles: Role) -> User:
    return PersonFactory(roles=roles or [Role.INSTRUCTOR])


def sat(right: int = 0, *, graded: bool = True, person: User | None = None, **rules: Any) -> Sitting:
    """A closed sitting, graded unless told otherwise."""
    session = making.make_session(making.make_version(making.make_rules(**rules)))
    sitting = making.start(making.enter(session, person))
    making.answer(sitting, right=right)
    making.close(sitting)
    if graded:
        grading.grade_sitting(sitting.pk)
    sitting.refresh_from_db()
    return sitting


def asked(sitting: Sitting, remedy: str = Remedy.ANNULLED, by: User | None = None) -> Annulment:
    return annulment.ask(sitting, by=by or sitting.candidate.session.created_by, remedy=remedy, reason=WHY)


def annulled(sitting: Sitting, remedy: str = Remedy.ANNULLED) -> Sitting:
    annulment.confirm(asked(sitting, remedy), by=examiner())
    sitting.refresh_from_db()
    return sitting


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client
