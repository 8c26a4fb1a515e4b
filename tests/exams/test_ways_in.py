"""Tokens and second factors that are made, renewed or taken away are on record, and never with their secret."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client

from exams.accounts import closing
from exams.audit.models import Entry
from exams.hr.privacy import everything_about
from tests.factories import PASSWORD, PersonFactory
from training.api import tokens
from training.api.models import ApiToken
from training.people.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return PersonFactory(name="Ana Sousa", language="en")


@pytest.fixture
def browser(person: User) -> Client:
    client = Client()
    client.force_login(person)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def recorded(person: User) -> list[tuple[str, int | None, dict[str, Any]]]:
    """Acts about the ways into the account, who did them and what is said of them."""
    found = Entry.objects.filter(subject=f"person:{person.pk}").order_by("number")
    return [(entry.act, entry.actor_id, entry.details) for entry in found if entry.act != "person.closed"]


def log_of_administrator() -> str:
    client = Client()
    client.force_login(PersonFactory(roles=[Role.ADMINISTRATOR], language="en"))
    return client.get("/audit/").content.decode()


def test_a_token_made_and_revoked_by_its_owner(browser: Client, person: User) -> None:
    page = browser.post("/account/tokens/", {"name": "Escola", "scopes": ["practice:read"], "days": "30"})
    secret = page.context["text"]
    token = ApiToken.objects.get()
    browser.post(f"/account/tokens/{token.pk}/revoke/")
    assert recorded(person) == [
        ("token.made", person.pk, {"tokens": [token.pk], "scopes": ["practice:read"]}),
        ("token.revoked", person.pk, {"tokens": [token.pk]}),
    ]
    assert secret not in str(list(Entry.objects.values()))
    shown = log_of_administrator()
    assert "Ana Sousa created an API token." in shown
    assert "Ana Sousa revoked API tokens of Ana Sousa." in shown
    browser.post(f"/account/tokens/{token.pk}/revoke/")
    assert len(recorded(person)) == 2, "what is revoked already is not revoked again"


def test_tokens_that_are_revoked_with_the_account_name_who_closed_it(person: User) -> None:
    by = PersonFactory(roles=[Role.ADMINISTRATOR])
    token, _text = tokens.issue(person, name="Escola", scopes=["practice:read"], days=30)
    closing.close(person, by=by, reason="Saiu.")
    assert recorded(person)[-1] == ("token.revoked", by.pk, {"tokens": [token.pk]})


def test_the_second_factor_set_up_renewed_and_given_up(
    browser: Client, person: User, django_capture_on_commit_callbacks: Any
) -> None:
    secret = browser.get("/account/2fa/totp/activate/").context["form"].secret
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    with django_capture_on_commit_callbacks(execute=True):
        assert browser.post("/account/2fa/totp/activate/", {"code": code}).status_code == 302
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/account/2fa/recovery-codes/generate/")
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/account/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    acts = [(act, by, details["kind"]) for act, by, details in recorded(person)]
    own = person.pk
    assert sorted(acts) == [
        ("second_factor.renewed", own, "recovery_codes"),
        ("second_factor.set_up", own, "recovery_codes"),
        ("second_factor.set_up", own, "totp"),
        ("second_factor.taken_away", own, "recovery_codes"),
        ("second_factor.taken_away", own, "totp"),
    ]
    assert secret not in str(list(Entry.objects.values()))
    shown = log_of_administrator()
    assert "Ana Sousa set up an authenticator app for two-step verification." in shown
    assert "Ana Sousa created new recovery codes for two-step verification." in shown
    assert "Ana Sousa turned off the authenticator app for two-step verification." in shown


def test_the_person_reads_it_in_the_own_copy_whoever_was_in_with_the_password(person: User) -> None:
    token, _text = tokens.issue(person, name="Escola", scopes=["practice:read"], days=30)
    closing.close_leavers(User.objects.filter(pk=person.pk), by=None)
    copy = everything_about(person)
    assert [entry["act"] for entry in copy["audit.Entry"]] == ["token.made"]
    assert [token.pk] in [entry["details"].get("tokens") for entry in copy["audit.Entry about the person"]]
