"""Signing in with the directory: who gets in, who does not, and as whom."""

from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from exams.audit.models import Entry
from exams.hr.models import StaffRecord
from tests.directory import Directory, asked, left_for, path_of, sign_in
from tests.factories import PASSWORD, PersonFactory
from tests.sign_on.conftest import connected
from training.people.models import Role, RoleGrant, User

BEGIN = "/account/directory/"


def who_is(client: Client) -> int | None:
    found = client.session.get("_auth_user_id")
    return int(found) if found else None


def roles_of(person: User) -> set[str]:
    return set(RoleGrant.objects.filter(user=person).values_list("role", flat=True))


def test_without_settings_there_is_no_such_page(db: None) -> None:
    client = Client()
    assert client.post(BEGIN).status_code == 404
    assert client.get("/account/directory/callback/?code=a&state=b").status_code == 404
    assert "directory" not in client.get("/account/login/").content.decode()


def test_a_connected_person_signs_in_and_gets_the_roles_of_their_groups(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(), "s-ana")
    directory.knows("s-ana", "croupiers", "trainers", "chess club")
    client = Client()
    answer = sign_in(client, directory, "s-ana")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert who_is(client) == person.pk
    assert roles_of(person) == {"trainee", "instructor"}
    assert client.get("/classes/").status_code == 200
    given = Entry.objects.get(act="role.given")
    assert (given.actor, given.details["roles"]) == (None, ["instructor"])


def test_what_is_sent_to_the_provider(directory: Directory) -> None:
    sent = asked(left_for(Client().post(BEGIN)))
    assert {"state", "nonce", "code_challenge"} <= sent.keys()
    assert (sent["code_challenge_method"], sent["response_type"], sent["prompt"]) == ("S256", "code", "login")
    assert sent["redirect_uri"].endswith("/account/directory/callback/")


def test_the_request_cannot_change_what_is_asked_of_the_provider(directory: Directory) -> None:
    page = Client().post(f"{BEGIN}?auth_params=prompt%3Dnone&scope=offline_access&process=connect&action=rerequest")
    sent = asked(left_for(page))
    assert (sent["prompt"], sent["scope"]) == ("login", "openid")


def test_an_address_never_makes_the_connection(directory: Directory, mapper: User) -> None:
    person = PersonFactory()
    directory.knows("s-stranger", "croupiers", email=person.email, email_verified=True)
    client = Client()
    assert sign_in(client, directory, "s-stranger").status_code == 403
    assert who_is(client) is None
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 2


def test_a_subject_of_another_issuer_is_somebody_else(directory: Directory, mapper: User, settings: Any) -> None:
    person = PersonFactory()
    SocialAccount.objects.create(user=person, provider="directory-of-before", uid="s-ana")
    directory.knows("s-ana", "croupiers")
    assert sign_in(Client(), directory, "s-ana").status_code == 403


def test_a_closed_account_stays_closed(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(is_active=False), "s-closed")
    directory.knows("s-closed", "croupiers")
    client = Client()
    assert sign_in(client, directory, "s-closed").status_code == 403
    assert who_is(client) is None


@pytest.mark.parametrize(
    ("posted", "goes_to"),
    [
        ({"next": "/practice/"}, "/practice/"),
        ({"next": "https://evil.example/"}, "/"),
        ({"next": "//evil.example/"}, "/"),
        ({"next": "/\\evil.example/"}, "/"),
        ({"next": "javascript:alert(1)"}, "/"),
    ],
)
def test_where_it_goes_on(directory: Directory, mapper: User, posted: dict[str, str], goes_to: str) -> None:
    connected(PersonFactory(), "s-next")
    directory.knows("s-next", "croupiers")
    assert sign_in(Client(), directory, "s-next", **posted)["Location"] == goes_to


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt", "Sessão não iniciada"),
        ("en", "Not signed in"),
        ("it", "Accesso non effettuato"),
        ("es", "No has iniciado"),
    ],
)
def test_the_refusal_is_in_the_readers_language(directory: Directory, mapper: User, language: str, words: str) -> None:
    client = Client(headers={"Accept-Language": language})
    directory.knows("s-nobody", "croupiers")
    answer = sign_in(client, directory, "s-nobody")
    assert f'lang="{language}"' in answer.content.decode()
    assert words in answer.content.decode()


# ---- the state


def test_an_answer_works_once(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-once")
    directory.knows("s-once", "croupiers")
    client = Client()
    back = path_of(directory.comes_back(left_for(client.post(BEGIN)), "s-once"))
    assert client.get(back).status_code == 302
    client.logout()
    assert client.get(back).status_code == 400
    assert who_is(client) is None


def test_a_code_works_once_even_with_a_new_state(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-code")
    directory.knows("s-code", "croupiers")
    client = Client()
    used = asked(directory.comes_back(left_for(client.post(BEGIN)), "s-code"))
    client.get(f"/account/directory/callback/?code={used['code']}&state={used['state']}")
    client.logout()
    state = asked(left_for(client.post(BEGIN)))["state"]
    assert client.get(f"/account/directory/callback/?code={used['code']}&state={state}").status_code == 403
    assert who_is(client) is None


def test_an_answer_of_another_browser_is_refused(directory: Directory, mapper: User) -> None:
    """Login CSRF and a fixed state: the attacker's answer in the victim's browser."""
    connected(PersonFactory(), "s-attacker")
    directory.knows("s-attacker", "croupiers")
    attacker, victim = Client(), Client()
    back = path_of(directory.comes_back(left_for(attacker.post(BEGIN)), "s-attacker"))
    victim.post(BEGIN)
    assert victim.get(back).status_code == 400
    assert who_is(victim) is None


def test_a_code_of_another_sign_in_is_refused(directory: Directory, mapper: User) -> None:
    """An injected code: the nonce is that of the browser where it was begun."""
    connected(PersonFactory(), "s-inject")
    directory.knows("s-inject", "croupiers")
    code = asked(directory.comes_back(left_for(Client().post(BEGIN)), "s-inject"))["code"]
    other = Client()
    state = asked(left_for(other.post(BEGIN)))["state"]
    assert other.get(f"/account/directory/callback/?code={code}&state={state}").status_code == 403
    assert who_is(other) is None


def test_another_issuer_in_the_answer_is_refused(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-mixed")
    directory.knows("s-mixed", "croupiers")
    client = Client()
    back = path_of(directory.comes_back(left_for(client.post(BEGIN)), "s-mixed"))
    assert client.get(f"{back}&iss=https://evil.example").status_code == 403


def test_begin_needs_the_token_of_a_form(directory: Directory) -> None:
    assert Client(enforce_csrf_checks=True).post(BEGIN).status_code == 403
    assert Client().get(BEGIN).status_code == 405


def test_a_signed_in_person_is_not_replaced(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-other")
    directory.knows("s-other", "croupiers")
    client, mine = Client(), PersonFactory()
    back = path_of(directory.comes_back(left_for(client.post(BEGIN)), "s-other"))
    client.post("/account/login/", {"login": mine.email, "password": PASSWORD})
    assert client.get(back).status_code == 400
    assert who_is(client) == mine.pk


# ---- people whom the staff list entered


def entered(number: str, **facts: object) -> User:
    person = User.objects.create_user(f"{number}@casino.example", None, name="Novo", **facts)
    RoleGrant.objects.create(user=person, role=Role.TRAINEE)
    StaffRecord.objects.create(person=person, staff_number=number)
    return person


def test_the_staff_number_connects_an_account_that_nobody_used(
    directory: Directory, mapper: User, settings: Any
) -> None:
    settings.SIGN_ON_STAFF_NUMBER_CLAIM = "employee_number"
    person = entered("4711")
    directory.knows("s-new", "croupiers", employee_number="4711")
    client = Client()
    assert sign_in(client, directory, "s-new").status_code == 302
    assert who_is(client) == person.pk
    assert Entry.objects.filter(act="sign_on.connected", subject=f"person:{person.pk}").exists()


def test_the_staff_number_counts_only_if_the_settings_say_so(directory: Directory, mapper: User) -> None:
    entered("4712")
    directory.knows("s-new2", "croupiers", employee_number="4712", staff_number="4712")
    assert sign_in(Client(), directory, "s-new2").status_code == 403


@pytest.mark.parametrize("kind", ["has a password", "is staff", "is connected", "is closed"])
def test_the_staff_number_never_opens_an_account_that_matters(
    directory: Directory, mapper: User, settings: Any, kind: str
) -> None:
    settings.SIGN_ON_STAFF_NUMBER_CLAIM = "employee_number"
    person = entered("4713", is_active=kind != "is closed")
    if kind == "has a password":
        person.set_password(PASSWORD)
        person.save()
    elif kind == "is staff":
        RoleGrant.objects.create(user=person, role=Role.HR)
    elif kind == "is connected":
        connected(person, "s-already")
    directory.knows("s-thief", "croupiers", employee_number="4713")
    client = Client()
    assert sign_in(client, directory, "s-thief").status_code == 403
    assert who_is(client) is None
