"""Tokens: what a program signs in with."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_removed
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from tests.factories import PASSWORD
from training.api import tokens
from training.api.base import ApiView
from training.api.docs import UnknownView
from training.api.models import ApiToken
from training.api.scopes import SCOPES
from training.people.models import Role, User
from training.platform.errors import Refused

ADDRESS = "/api/v1/rulebooks/"
READ = ["practice:read"]
WRITE = ["practice:read", "practice:write"]
Person = Callable[..., User]


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
def issued(person: Person) -> tuple[ApiToken, str]:
    return tokens.issue(person(), name="Escola", scopes=READ, days=30)


def status(text: str) -> int:
    return Client().get(ADDRESS, headers=bearer(text)).status_code


def test_a_token_stands_for_its_owner_and_remembers_its_use(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    assert token.last_used_at is None
    assert status(text) == 200
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_the_token_itself_is_not_kept(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    kept = " ".join(str(value) for value in ApiToken.objects.filter(pk=token.pk).values_list()[0])
    assert text not in kept
    assert text.startswith(token.hint)
    assert len(token.hint) < len(text) / 3


def test_an_unknown_token_is_refused_with_the_way_to_sign_in(db: None) -> None:
    response = Client().get(ADDRESS, headers=bearer("sabot_no-such-token"))
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response.json()["error"]["code"] == "not_signed_in"


def test_a_token_is_good_until_the_moment_it_expires(issued: tuple[ApiToken, str]) -> None:
    token, _text = issued
    assert token.good_at(token.expires_at - timedelta(microseconds=1))
    assert not token.good_at(token.expires_at)


def test_an_expired_token_is_refused(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert status(text) == 401


def test_a_revoked_token_is_refused(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    tokens.revoke(token)
    assert status(text) == 401


def test_the_token_of_somebody_who_may_no_longer_sign_in_is_refused(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    token.owner.is_active = False
    token.owner.save()
    assert status(text) == 401


def test_a_new_password_takes_the_tokens_back(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    browser = Client()
    browser.force_login(token.owner)
    new = "uma palavra bem comprida 9"
    browser.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert status(text) == 401


def test_a_second_factor_that_is_removed_takes_the_tokens_back(issued: tuple[ApiToken, str]) -> None:
    token, text = issued
    removed = Authenticator(type="totp")
    authenticator_removed.send(sender=Authenticator, request=None, user=token.owner, authenticator=removed)
    assert status(text) == 401


def test_a_token_gives_no_role_that_its_owner_lacks(person: Person) -> None:
    _token, text = tokens.issue(person(roles=[Role.HR]), name="RH", scopes=WRITE, days=30)
    assert status(text) == 403


@pytest.mark.parametrize(
    ("scopes", "expected"),
    [
        (["practice:read"], (403, "out_of_scope")),
        (["teaching:write", "certificates:write"], (403, "out_of_scope")),
        (["practice:write"], (422, "invalid")),
    ],
)
def test_only_a_token_with_the_scope_writes(person: Person, scopes: list[str], expected: tuple[int, str]) -> None:
    _token, text = tokens.issue(person(), name="Escola", scopes=scopes, days=30)
    response = Client().post("/api/v1/drills/", {}, content_type="application/json", headers=bearer(text))
    assert (response.status_code, response.json()["error"]["code"]) == expected


def test_writing_is_not_reading(person: Person) -> None:
    _token, text = tokens.issue(person(), name="Escola", scopes=["practice:write"], days=30)
    assert status(text) == 403


def test_a_token_has_scopes_that_there_are_and_at_least_one(person: Person) -> None:
    for scopes in ([], ["everything"], ["practice:read", "practice:"]):
        with pytest.raises(ValueError, match="practice:read"):
            tokens.issue(person(), name="Escola", scopes=scopes, days=30)


def views(resolver: URLResolver) -> Iterator[type]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield getattr(entry.callback, "cls", type(None))
        else:
            yield from views(entry)


def test_every_view_of_the_api_says_which_scope_it_needs() -> None:
    found = {view for view in views(get_resolver()) if issubclass(view, ApiView)} - {UnknownView}
    assert len(found) > 20
    known = {name.partition(":")[0] for name in SCOPES}
    without = [view.__name__ for view in found if not view.areas or set(view.areas) - known]
    assert without == []


def test_the_page_offers_the_scopes_of_the_persons_roles(signed_in: Callable[..., Client]) -> None:
    page = signed_in(Role.HR).get("/account/tokens/").content.decode()
    assert "roster:read" in page
    assert "practice:read" not in page


def test_answers_are_in_the_language_of_the_owner(person: Person) -> None:
    names = set()
    for language in ("pt", "en"):
        _token, text = tokens.issue(person(language=language), name="Escola", scopes=READ, days=30)
        topics = Client().get(f"{ADDRESS}pt-chemin-de-fer/topics/", headers=bearer(text)).json()["results"]
        names.add(topics[0]["name"])
    assert len(names) == 2


def test_a_session_needs_the_csrf_token_and_an_api_token_does_not(person: Person) -> None:
    who = person()
    browser, program = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    browser.force_login(who)
    _token, text = tokens.issue(who, name="Escola", scopes=WRITE, days=30)
    sent: dict[str, Any] = {"data": {}, "content_type": "application/json"}
    assert browser.post("/api/v1/drills/", **sent).status_code == 403
    assert program.post("/api/v1/drills/", headers=bearer(text), **sent).status_code == 422


def test_the_page_shows_a_new_token_once(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.HR)
    page = client.post("/account/tokens/", {"name": "Escola", "scopes": ["certificates:read"], "days": "90"})
    (token,) = ApiToken.objects.all()
    assert f'value="{token.hint}' in page.content.decode()
    assert page["Cache-Control"].find("no-store") >= 0
    again = client.get("/account/tokens/").content.decode()
    assert f"{token.hint}…" in again
    assert f'value="{token.hint}' not in again


def test_what_was_typed_comes_back_with_what_is_wrong(signed_in: Callable[..., Client]) -> None:
    sent = {"name": "Escola", "scopes": ["everything"], "days": "90"}
    page = signed_in(Role.HR).post("/account/tokens/", sent)
    assert page.status_code == 422
    assert 'value="Escola"' in page.content.decode()
    assert not ApiToken.objects.exists()


def test_who_has_nothing_to_choose_is_told_so(signed_in: Callable[..., Client]) -> None:
    page = signed_in(Role.ADMINISTRATOR).get("/account/tokens/").content.decode()
    assert "Nenhuma das suas funções" in page
    assert 'name="name"' not in page


def test_a_person_has_so_many_tokens_and_no_more(person: Person) -> None:
    who = person()
    for number in range(tokens.MOST):
        token, _text = tokens.issue(who, name=str(number), scopes=READ, days=30)
    with pytest.raises(Refused, match=str(tokens.MOST)):
        tokens.issue(who, name="one too many", scopes=READ, days=30)
    tokens.revoke(token)
    tokens.issue(who, name="in its place", scopes=READ, days=30)


def test_who_asks_too_often_must_wait(issued: tuple[ApiToken, str]) -> None:
    _token, text = issued
    now = timezone.now().timestamp()
    cache.set(f"throttle_user_{_token.owner_id}", [now] * 300, 60)
    response = Client().get(ADDRESS, headers=bearer(text))
    assert (response.status_code, response.json()["error"]["code"]) == (429, "too_many_requests")
    assert int(response["Retry-After"]) > 0
