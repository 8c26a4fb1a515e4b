"""Entering people and giving roles."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from tests.factories import PASSWORD, PersonFactory
from training.people.accounts import enter_person, grant_role, withdraw_role
from training.people.models import Role, RoleGrant, User

pytestmark = pytest.mark.django_db


def test_a_person_is_entered_with_roles_and_a_verified_address() -> None:
    boss = PersonFactory(roles=[Role.ADMINISTRATOR])
    user = enter_person(
        email=" Ana@Casino.Example ", name="Ana", roles=[Role.TRAINEE, Role.HR], password=PASSWORD, granted_by=boss
    )
    user = User.objects.get(pk=user.pk)
    assert user.email == "ana@casino.example"
    assert user.roles == {"trainee", "hr"}
    assert user.check_password(PASSWORD)
    assert {grant.granted_by for grant in user.role_grants.all()} == {boss}
    assert EmailAddress.objects.get(user=user).verified


@pytest.mark.parametrize(
    ("email", "name", "field"), [("not an address", "Ana", "email"), ("", "Ana", "email"), ("a@b.example", "", "name")]
)
def test_what_makes_no_sense_is_refused_and_nothing_is_stored(email: str, name: str, field: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        enter_person(email=email, name=name, roles=[Role.TRAINEE])
    assert set(refusal.value.message_dict) == {field}
    assert not User.objects.exists()


def test_an_address_belongs_to_one_person_in_any_case() -> None:
    PersonFactory(email="ana@casino.example")
    with pytest.raises(ValidationError) as refusal:
        enter_person(email="ANA@casino.example", name="Other", roles=[])
    assert "email" in refusal.value.message_dict
    with pytest.raises(IntegrityError, match="UNIQUE constraint failed: index"), transaction.atomic():
        User.objects.create(email="Ana@casino.example", name="Other")


def test_a_time_zone_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValidationError, match="Europe/Estoril"):
        User.objects.create_user("ana@casino.example", name="Ana", time_zone="Europe/Estoril")


def test_a_role_is_given_once_and_the_first_giver_stays_on_record() -> None:
    first, second = PersonFactory(), PersonFactory()
    user = PersonFactory(roles=[])
    assert user.roles == frozenset()
    grant_role(user, Role.HR, granted_by=first)
    grant_role(user, Role.HR, granted_by=second)
    assert user.roles == {Role.HR}
    assert RoleGrant.objects.get(user=user).granted_by == first
    with pytest.raises(IntegrityError, match="UNIQUE constraint failed:"), transaction.atomic():
        RoleGrant.objects.create(user=user, role=Role.HR)


def test_a_withdrawn_role_is_gone_at_once() -> None:
    user = PersonFactory(roles=[Role.HR, Role.TRAINEE])
    withdraw_role(user, Role.HR)
    assert user.roles == {Role.TRAINEE}


def test_an_unknown_role_cannot_be_stored() -> None:
    with pytest.raises(IntegrityError, match="CHECK constraint failed: role_is_known"), transaction.atomic():
        RoleGrant.objects.create(user=PersonFactory(roles=[]), role="pit boss")


def test_the_first_administrator_is_entered_from_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("sapato de seis baralhos\n"))
    call_command(
        "add_person", "ana@casino.example", "Ana", "--role=administrator", "--password-stdin", stdout=StringIO()
    )
    user = User.objects.get()
    assert user.roles == {Role.ADMINISTRATOR}
    assert user.check_password("sapato de seis baralhos")


def test_the_command_line_refuses_a_weak_password_and_a_taken_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("1234\n"))
    with pytest.raises(CommandError, match="A palavra-passe é demasiado curta: precisa de,"):
        call_command("add_person", "ana@casino.example", "Ana", "--role=hr", "--password-stdin")
    assert not User.objects.exists()
    PersonFactory(email="ana@casino.example")
    with pytest.raises(CommandError, match=r"Pessoa com este E-mail já existe\."):
        call_command("add_person", "ana@casino.example", "Ana", "--role=hr")
