"""What an update fills from what earlier releases kept: who entered whom, who took control, who taught whom."""

from importlib import import_module

import pytest
from django.apps import apps

from exams.audit.services import record
from tests.classes.rooms import instructor
from tests.factories import PersonFactory
from training.classes.models import Enrolment, TrainingClass
from training.classes.teaching import teachers_of
from training.people import second_signature
from training.people.models import AccountAct, Role, RoleGrant, User
from training.people.second_signature import Why

pytestmark = pytest.mark.django_db


def entered_before(by: User | None, *roles: Role) -> User:
    """As an earlier release did it, which kept no acts on accounts."""
    person = User.objects.create_user(f"{User.objects.count()}@casa.example", name="Antes")
    for role in roles:
        RoleGrant.objects.create(user=person, role=role, granted_by=by)
    return person


def test_who_entered_whom_and_who_took_control() -> None:
    first = entered_before(None, Role.ADMINISTRATOR)
    second, third = entered_before(None, Role.ADMINISTRATOR), entered_before(None, Role.ADMINISTRATOR)
    granted, logged = entered_before(first, Role.TRAINEE, Role.HR), entered_before(None)
    record(first, "person.entered", f"person:{logged.pk}", roles=[])
    record(first, "second_factor.removed", f"person:{second.pk}", reason="Perdeu.")
    record(first, "person.corrected", f"person:{third.pk}", changes={"email": ["a@x.example", "b@x.example"]})
    record(second, "person.corrected", f"person:{third.pk}", changes={"name": ["A", "B"]})
    record(first, "person.corrected", "person:999999", changes={"email": ["a@x.example", "b@x.example"]})
    import_module("exams.accounts.migrations.0003_who_did_what_to_accounts").fill(apps, None)
    assert AccountAct.objects.filter(kind="entered").count() == User.objects.count()
    assert second_signature.refusals(first, [granted.pk, logged.pk, second.pk, third.pk]) == {
        granted.pk: Why.SIGNER_ENTERED,
        logged.pk: Why.SIGNER_ENTERED,
        second.pk: Why.SIGNER_CONTROLS,
        third.pk: Why.SIGNER_CONTROLS,
    }
    assert second_signature.refusals(granted, [logged.pk]) == {logged.pk: Why.ONE_BEHIND_BOTH}


def test_who_taught_whom() -> None:
    maker, teacher, trainee = instructor(), instructor(), PersonFactory()
    room = TrainingClass.objects.create(name="Turma", made_by=maker)
    room.instructors.add(teacher)
    Enrolment.objects.create(training_class=room, trainee=trainee)
    assert teachers_of([trainee.pk]) == {}
    import_module("training.classes.migrations.0005_who_taught_whom").fill(apps, None)
    assert teachers_of([trainee.pk]) == {trainee.pk: {maker.pk, teacher.pk}}
