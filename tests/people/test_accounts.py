"""Entering people and giving roles."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.management import CommandError, ManagementUtility, call_command
from django.db import IntegrityError, transaction

from exams.audit.models import Entry
from tests.factories import PASSWORD, PersonFactory
from training.mail import password
from training.mail.models import Mail
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


def test_the_command_line_refuses_a_weak_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("1234\n"))
    with pytest.raises(CommandError, match="This password is too short"):
        call_command("add_person", "ana@casino.example", "Ana", "--role=hr", "--password-stdin")
    assert not User.objects.exists()


def test_who_is_here_gets_another_role_from_the_command_line_and_it_is_on_record() -> None:
    user = PersonFactory(email="ana@casino.example", name="Ana Gil", roles=[Role.HR], password=PASSWORD)
    out = StringIO()
    for _ in range(2):  # a second time changes nothing
        call_command("add_person", "ANA@casino.example", "--role=administrator", "--role=hr", stdout=out)
    user = User.objects.get(pk=user.pk)
    assert (user.name, user.roles) == ("Ana Gil", {Role.HR, Role.ADMINISTRATOR})
    assert user.check_password(PASSWORD)
    [entry] = Entry.objects.all()
    assert (entry.act, entry.subject, entry.details) == (
        "role.given",
        f"person:{user.pk}",
        {"roles": ["administrator"], "changes": {"roles": [["hr"], ["administrator", "hr"]]}},
    )
    assert "Granted now: administrator." in out.getvalue() and "Granted now: nothing." in out.getvalue()


def test_the_command_line_changes_no_password_and_enters_nobody_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("outra palavra de passe\n"))
    user = PersonFactory(email="ana@casino.example")
    with pytest.raises(CommandError, match="already exists"):
        call_command("add_person", "ana@casino.example", "--role=hr", "--password-stdin")
    with pytest.raises(CommandError, match="give their name"):
        call_command("add_person", "rui@casino.example", "--role=hr")
    assert (User.objects.get().pk, User.objects.get().roles) == (user.pk, {Role.TRAINEE})


def test_who_is_entered_from_the_command_line_is_on_record() -> None:
    call_command("add_person", "ana@casino.example", "Ana", "--role=administrator", stdout=StringIO())
    [entry] = Entry.objects.all()
    assert (entry.act, entry.details) == ("person.entered", {"roles": ["administrator"]})


def test_who_is_entered_without_a_password_is_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("add_person", "rita@casino.example", "Rita Sá", "--role", "administrator")
    (mail,) = Mail.objects.all()
    assert (mail.address, password.LINK in mail.body) == ("rita@casino.example", True)
    monkeypatch.setattr("sys.stdin", StringIO("cagnotte-de-veludo\n"))
    call_command("add_person", "zoe@casino.example", "Zoe", "--role", "trainee", "--password-stdin")
    assert Mail.objects.count() == 1


def test_createsuperuser_says_what_to_do_instead() -> None:
    with pytest.raises(CommandError, match="add_person EMAIL NAME --role administrator"):
        call_command("createsuperuser")
    given = ["manage.py", "createsuperuser", "--email", "a@b.example", "--noinput"]
    with pytest.raises(SystemExit) as end:
        ManagementUtility(given).execute()
    assert end.value.code == 1
