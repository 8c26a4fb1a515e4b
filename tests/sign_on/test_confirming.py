"""The second factor of the provider, and confirming that it is you without a local password."""

import time
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth
from django.test import Client
from django.utils import timezone

from exams.accounts import open_exams
from tests.directory import Directory, asked, left_for, path_of, sign_in
from tests.factories import PASSWORD, PersonFactory
from tests.sign_on.conftest import connected
from tests.sign_on.test_forged_tokens import answers, own_keys, signed
from tests.sign_on.test_signing_in import roles_of, who_is
from tests.sign_on.test_staying_out import signed_in_as
from training.people import sign_on
from training.people.models import LocalPasswords, Role, User

__all__ = ["answers", "own_keys"]  # fixtures
AGAIN = "/account/directory/again/"


def without_password(**facts: Any) -> User:
    person = PersonFactory(**facts)
    person.set_unusable_password()
    person.save()
    return person


# ---- the second factor


@pytest.mark.parametrize(
    ("claims", "accepted"),
    [
        ({"amr": ["pwd", "mfa"]}, True),
        ({"acr": "mfa"}, True),
        ({}, False),
        ({"amr": ["pwd"]}, False),
        ({"amr": "mfa"}, False),
        ({"amr": ["mfa-not"], "acr": "nomfa"}, False),
    ],
)
def test_our_step_is_skipped_only_if_the_provider_asserts_one(
    directory: Directory, mapper: User, claims: dict[str, Any], accepted: bool
) -> None:
    person = connected(PersonFactory(), "s-30")
    auth.TOTP.activate(person, auth.generate_totp_secret())
    directory.says("s-30", groups=["croupiers"], **({"amr": [], "acr": ""} | claims))
    client = Client()
    answer = sign_in(client, directory, "s-30")
    assert answer["Location"] == ("/" if accepted else "/account/2fa/authenticate/")
    assert (who_is(client) == person.pk) is accepted


def test_the_code_after_the_directory_completes_the_sign_in(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(), "s-31")
    auth.TOTP.activate(person, secret := auth.generate_totp_secret())
    directory.knows("s-31", "croupiers")
    client = Client()
    sign_in(client, directory, "s-31")
    assert client.get("/practice/").status_code == 302
    code = auth.format_hotp_value(auth.hotp_value(secret, next(auth.yield_hotp_counters_from_time())))
    client.post("/account/2fa/authenticate/", {"code": code})
    assert who_is(client) == person.pk
    assert sign_on.SESSION in client.session


def test_an_assertion_does_not_outlive_its_sign_in(directory: Directory, mapper: User) -> None:
    """With the directory first and then with a password: the code is asked for."""
    person = connected(PersonFactory(), "s-32")
    auth.TOTP.activate(person, auth.generate_totp_secret())
    client = signed_in_as(directory, "s-32", "croupiers", amr=["mfa"])
    client.post("/account/logout/")
    answer = client.post("/account/login/", {"login": person.email, "password": PASSWORD})
    assert answer["Location"] == "/account/2fa/authenticate/"
    assert sign_on.SESSION not in client.session


@pytest.mark.parametrize(("amr", "status"), [(["mfa"], 200), (["pwd"], 403)])
def test_a_required_second_factor_may_be_the_providers(
    directory: Directory, mapper: User, settings: Any, amr: list[str], status: int
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    connected(PersonFactory(roles=[Role.INSTRUCTOR]), "s-33")
    client = signed_in_as(directory, "s-33", "trainers", amr=amr)
    assert client.get("/classes/").status_code == status


# ---- confirming


@pytest.fixture
def administrator(directory: Directory, mapper: User) -> Client:
    """An administrator without a local password, signed in with the directory."""
    person = connected(without_password(roles=[Role.ADMINISTRATOR]), "s-admin")
    client = signed_in_as(directory, "s-admin", "admins")
    client.person = person  # type: ignore[attr-defined]
    return client


def asks(client: Client, about: User) -> Any:
    """A staff role for somebody: it needs confirmation."""
    return client.post(f"/people/{about.pk}/roles/", {"give": "hr"})


def test_confirmation_is_asked_of_people_without_a_password(administrator: Client) -> None:
    """django-allauth takes people without a password for confirmed."""
    about = PersonFactory()
    answer = asks(administrator, about)
    assert answer.status_code == 302
    assert roles_of(about) == {"trainee"}
    assert answer["Location"].startswith(AGAIN)
    assert administrator.get(answer["Location"]).status_code == 200
    assert administrator.get("/account/reauthenticate/")["Location"] == AGAIN


def test_what_is_asked_for_a_confirmation(administrator: Client, directory: Directory) -> None:
    sent = asked(left_for(administrator.post(AGAIN)))
    assert (sent["prompt"], sent["max_age"]) == ("login", "0")


def resumed(client: Client, directory: Directory, about: User, subject: str = "s-admin") -> Any:
    asks(client, about)
    address = left_for(client.post(AGAIN, {"next": f"/people/{about.pk}/roles/"}))
    return client.get(path_of(directory.comes_back(address, subject)))


def fresh(answers: Any, **changes: Any) -> None:
    """The provider's answer with the time at which the person signed in there."""
    answers(signed(**({"auth_time": int(time.time())} | changes)))


def test_the_act_goes_on_after_the_confirmation(
    administrator: Client, directory: Directory, answers: Any, own_keys: None
) -> None:
    fresh(answers)
    about = PersonFactory()
    answer = resumed(administrator, directory, about)
    assert answer.status_code == 302
    assert roles_of(about) == {"trainee", "hr"}


@pytest.mark.parametrize("when", [None, -3600, 3600])
def test_an_old_sign_in_at_the_provider_confirms_nothing(
    administrator: Client, directory: Directory, answers: Any, own_keys: None, when: int | None
) -> None:
    """A provider that ignores `prompt=login`, or says nothing about when."""
    answers(signed(auth_time=None if when is None else int(time.time()) + when))
    about = PersonFactory()
    assert resumed(administrator, directory, about).status_code == 403
    assert roles_of(about) == {"trainee"}
    assert asks(administrator, about)["Location"].startswith(AGAIN)


def test_somebody_else_at_the_provider_confirms_nothing(
    administrator: Client, directory: Directory, answers: Any, own_keys: None
) -> None:
    connected(PersonFactory(), "s-colleague")
    directory.knows("s-colleague", "admins")
    fresh(answers)
    about = PersonFactory()
    assert resumed(administrator, directory, about, "s-colleague").status_code == 403
    assert roles_of(about) == {"trainee"}
    assert who_is(administrator) == administrator.person.pk  # type: ignore[attr-defined]


def test_a_plain_sign_in_does_not_count_as_a_confirmation(administrator: Client, directory: Directory) -> None:
    about = PersonFactory()
    asks(administrator, about)
    assert roles_of(about) == {"trainee"}


def test_who_lost_the_group_meanwhile_confirms_nothing(
    administrator: Client, directory: Directory, answers: Any, own_keys: None
) -> None:
    fresh(answers, groups=["chess club"])
    about = PersonFactory()
    assert resumed(administrator, directory, about).status_code == 403
    assert roles_of(about) == {"trainee"}
    assert who_is(administrator) is None


def test_a_role_lost_meanwhile_stops_the_act(directory: Directory, mapper: User, answers: Any, own_keys: None) -> None:
    """The administrator's role came from the directory and is gone at the confirmation."""
    connected(without_password(roles=[]), "s-gone")
    fresh(answers, groups=["admins", "croupiers"])
    client = signed_in_as(directory, "s-gone", "admins")
    fresh(answers, groups=["croupiers"])
    about = PersonFactory()
    assert resumed(client, directory, about, "s-gone").status_code == 302
    assert roles_of(about) == {"trainee"}


def test_a_password_does_not_confirm_while_passwords_are_off(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(roles=[Role.ADMINISTRATOR]), "s-40")
    client = signed_in_as(directory, "s-40", "admins")
    LocalPasswords.objects.create(off=True, break_glass=PersonFactory(roles=[Role.ADMINISTRATOR]))
    about = PersonFactory()
    page = client.get(asks(client, about)["Location"])
    assert page.wsgi_request.path == AGAIN
    assert "/account/reauthenticate/" not in page.content.decode()
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert roles_of(about) == {"trainee"}
    assert asks(client, about).status_code == 302
    assert roles_of(about) == {"trainee"}


# ---- connecting one's own account


def test_one_connects_ones_own_account_after_confirming(
    directory: Directory, mapper: User, answers: Any, own_keys: None
) -> None:
    person = PersonFactory()
    client = Client()
    client.post("/account/login/", {"login": person.email, "password": PASSWORD})
    assert client.post("/account/directory/own/")["Location"].startswith("/account/reauthenticate/")
    fresh(answers)
    page = client.post("/account/reauthenticate/?next=/account/directory/own/", {"password": PASSWORD})
    directory.knows("s-own", "croupiers")
    assert client.get(path_of(directory.comes_back(left_for(page), "s-own")))["Location"] == "/account/directory/own/"
    other = Client()
    assert sign_in(other, directory, "s-own").status_code == 302
    assert who_is(other) == person.pk


def test_a_subject_belongs_to_one_account(directory: Directory, mapper: User, answers: Any, own_keys: None) -> None:
    connected(PersonFactory(), "s-taken")
    directory.knows("s-taken", "croupiers")
    person, client = PersonFactory(), Client()
    client.post("/account/login/", {"login": person.email, "password": PASSWORD})
    client.post("/account/directory/own/")
    fresh(answers)
    page = client.post("/account/reauthenticate/?next=/account/directory/own/", {"password": PASSWORD})
    assert client.get(path_of(directory.comes_back(left_for(page), "s-taken"))).status_code == 409
    assert sign_on.binding_of(person) is None


def test_the_answer_of_one_purpose_serves_no_other(directory: Directory, mapper: User) -> None:
    """Begun as a sign-in by a visitor, brought back in a session: nothing is connected."""
    person, client = PersonFactory(), Client()
    directory.knows("s-purpose", "croupiers")
    back = path_of(directory.comes_back(left_for(client.post("/account/directory/")), "s-purpose"))
    client.post("/account/login/", {"login": person.email, "password": PASSWORD})
    assert client.get(back).status_code == 400
    assert sign_on.binding_of(person) is None


def test_what_was_begun_before_an_exam_does_not_go_on_in_it(
    administrator: Client, directory: Directory, answers: Any, own_keys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh(answers)
    about = PersonFactory()
    asks(administrator, about)
    address = left_for(administrator.post(AGAIN, {"next": f"/people/{about.pk}/roles/"}))
    monkeypatch.setattr(open_exams, "until", lambda _person: timezone.now())
    assert administrator.get(path_of(directory.comes_back(address, "s-admin")))["Location"] == "/"
    assert roles_of(about) == {"trainee"}
