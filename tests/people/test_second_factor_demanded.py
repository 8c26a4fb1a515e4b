"""Where the house demands a second factor, and what an administrator does about a lost one."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from exams.accounts import second_factor
from exams.audit.models import Entry
from tests.exams import making
from tests.factories import PASSWORD, PersonFactory
from training.api import tokens
from training.mail.models import Mail
from training.people.models import Role, User
from training.people.second_factor import seal
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
STAFF = [Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR]


@pytest.fixture
def demanded(settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True


def set_up(person: User) -> None:
    Authenticator.objects.create(user=person, type="totp", data={"secret": seal("x")})
    Authenticator.objects.create(user=person, type="recovery_codes", data={"seed": seal("y"), "used_mask": 0})


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.mark.usefixtures("demanded")
@pytest.mark.parametrize("role", STAFF)
def test_who_lacks_it_sees_nothing_but_the_way_to_it(role: Role) -> None:
    person = PersonFactory(roles=[Role.TRAINEE, role])
    client = signed_in(person)
    for address in ("/", "/practice/", reverse("own_copy"), reverse("own_tokens")):
        answer = client.get(address)
        assert answer.status_code == 403
        assert reverse("mfa_activate_totp") in answer.content.decode()
    for address in ("mfa_index", "account_logout", "account_reauthenticate", "account_change_password"):
        assert client.get(reverse(address)).status_code == 200, address
    assert client.get(reverse("mfa_activate_totp")).status_code == 302  # to give the password again
    set_up(person)
    assert client.get("/").status_code == 200


@pytest.mark.usefixtures("demanded")
def test_recovery_codes_alone_are_no_second_factor() -> None:
    person = PersonFactory(roles=[Role.HR])
    Authenticator.objects.create(user=person, type="recovery_codes", data={"seed": seal("y"), "used_mask": 0})
    assert signed_in(person).get("/").status_code == 403


@pytest.mark.usefixtures("demanded")
def test_trainees_are_not_asked_for_it() -> None:
    assert signed_in(PersonFactory(roles=[Role.TRAINEE])).get("/").status_code == 200


@pytest.mark.parametrize("role", STAFF)
def test_nobody_is_where_the_house_does_not_say_so(role: Role) -> None:
    assert signed_in(PersonFactory(roles=[role])).get("/").status_code == 200


@pytest.mark.usefixtures("demanded")
def test_a_part_of_a_page_leads_back_to_the_page() -> None:
    client = signed_in(PersonFactory(roles=[Role.HR]))
    answer = client.get("/hr/", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/hr/"})
    assert answer["HX-Redirect"] == "/hr/"


@pytest.mark.usefixtures("demanded")
def test_a_program_is_refused_with_a_code_until_its_owner_has_it() -> None:
    person = PersonFactory(roles=[Role.HR])
    _token, text = tokens.issue(person, name="Escala", scopes=["roster:read"], days=30)
    bearer = {"Authorization": f"Bearer {text}"}
    answer = Client().get("/api/v1/roster/", headers=bearer)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "second_factor_missing")
    set_up(person)
    assert Client().get("/api/v1/roster/", headers=bearer).status_code == 200


@pytest.mark.usefixtures("demanded")
def test_an_exam_that_is_open_goes_on() -> None:
    person = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    sitting = making.start(making.enter(making.make_session(), person))
    assert signed_in(person).get(reverse("sitting", args=[sitting.pk])).status_code == 302


# ---- a lost one


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR], name="Zé Chefe")


def test_an_administrator_removes_a_lost_one_and_the_person_is_told(administrator: User) -> None:
    person = PersonFactory(roles=[Role.HR])
    set_up(person)
    theirs, client = signed_in(person), signed_in(administrator)
    assert reverse("remove_second_factor", args=[person.pk]) in client.get(f"/people/{person.pk}/").content.decode()
    sent = client.post(reverse("remove_second_factor", args=[person.pk]), {"reason": "Perdeu o telemóvel."})
    assert sent.status_code == 302
    assert not Authenticator.objects.filter(user=person).exists()
    assert theirs.get("/").status_code == 302  # signed out
    mail = Mail.objects.get(person=person)
    assert (mail.address, "Zé Chefe" in mail.body) == (person.email, True)
    entry = Entry.objects.get(act="second_factor.removed")
    assert (entry.actor, entry.subject) == (administrator, f"person:{person.pk}")
    in_again = Client()
    in_again.post("/account/login/", {"login": person.email, "password": PASSWORD})
    assert "_auth_user_id" in in_again.session


def test_nobody_removes_their_own_here_nor_what_is_not_there(administrator: User) -> None:
    set_up(administrator)
    with pytest.raises(Refused, match="própria"):
        second_factor.remove(administrator, by=administrator, reason="Perdi.")
    assert Authenticator.objects.filter(user=administrator).count() == 2
    other = PersonFactory(roles=[Role.ADMINISTRATOR])
    with pytest.raises(Refused):
        second_factor.remove(other, by=administrator, reason="Perdeu.")
    with pytest.raises(Refused):
        second_factor.remove(administrator, by=PersonFactory(roles=[Role.HR]), reason="Perdeu.")
    assert not Mail.objects.exists()
    assert not Entry.objects.exists()


def test_without_a_reason_nothing_is_removed_and_the_page_comes_back(administrator: User) -> None:
    person = PersonFactory()
    set_up(person)
    answer = signed_in(administrator).post(reverse("remove_second_factor", args=[person.pk]), {"reason": " "})
    assert answer.status_code == 422
    assert Authenticator.objects.filter(user=person).exists()
