"""Answers of the provider that somebody tampered with between it and us."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from django.test import Client
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from exams.sign_on import id_token, provider_documents
from tests.directory import CLIENT, SECRET, Directory, claims_of, forged, now, sign_in, unsigned
from tests.factories import PersonFactory
from tests.sign_on.conftest import connected
from training.people.models import User

MINE = RSAKey.generate_key(2048, {"kid": "the-providers", "use": "sig", "alg": "RS256"})
Change = Callable[[dict[str, Any]], Any]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Replace the ID token that the real provider gave by another, made of its claims."""
    library = OAuth2Client.get_access_token

    def tamper(change: Change) -> None:
        def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
            tokens = library(self, *args, **kwargs)
            return tokens | {"id_token": change(claims_of(tokens["id_token"]))}

        monkeypatch.setattr(OAuth2Client, "get_access_token", changed)

    return tamper


@pytest.fixture
def own_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the provider's key one that the test has, so that a wrong claim is the only thing wrong."""
    monkeypatch.setattr(provider_documents, "keys", lambda fresh=False: {"keys": [MINE.as_dict(private=False)]})


def signed(**changes: Any) -> Change:
    """The claims with these changes, signed with the provider's key; None leaves one out."""

    def change(claims: dict[str, Any]) -> str:
        kept = {name: value for name, value in (claims | changes).items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": "the-providers"}, kept, MINE)

    return change


def enter(directory: Directory) -> tuple[int, bool]:
    connected(PersonFactory(), "s-victim")
    directory.knows("s-victim", "croupiers")
    client = Client()
    status = sign_in(client, directory, "s-victim").status_code
    return status, "_auth_user_id" in client.session


def test_the_right_claims_get_in(directory: Directory, mapper: User, answers: Any, own_keys: None) -> None:
    answers(signed())
    assert enter(directory) == (302, True)


WRONG: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://evil.example"},
    "another client": {"aud": "another-client"},
    "another client among several": {"aud": ["another-client", "a-third"]},
    "several clients without the one that asked": {"aud": [CLIENT, "another-client"]},
    "asked by another client": {"aud": [CLIENT, "another-client"], "azp": "another-client"},
    "asked by another client, for this one": {"azp": "another-client"},
    "no audience": {"aud": None},
    "expired": {"exp": now(-3600)},
    "no end": {"exp": None},
    "an end in words": {"exp": "tomorrow"},
    "an end that is true": {"exp": True},
    "issued long ago": {"iat": now(-86400)},
    "issued in the future": {"iat": now(86400)},
    "no time of issue": {"iat": None},
    "not valid yet": {"nbf": now(86400)},
    "another nonce": {"nonce": "of-another-sign-in"},
    "no nonce": {"nonce": None},
    "a nonce in a list": {"nonce": ["x"]},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a number for a subject": {"sub": 7},
    "a subject that is too long": {"sub": "s" * 192},
    "a subject with a line break": {"sub": "s-victim\n"},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_claim_is_refused(directory: Directory, mapper: User, answers: Any, own_keys: None, what: str) -> None:
    answers(signed(**WRONG[what]))
    assert enter(directory) == (403, False)


def hmac_with_the_public_key(claims: dict[str, Any]) -> str:
    key = OctKey.import_key(MINE.as_pem(private=False))
    return jwt.encode({"alg": "HS256", "kid": "the-providers"}, claims, key)


def hmac_with_the_secret(claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET))


def key_in_the_header(claims: dict[str, Any]) -> str:
    own = RSAKey.generate_key(2048)
    return jwt.encode({"alg": "RS256", "kid": "the-providers", "jwk": own.as_dict(private=False)}, claims, own)


SIGNATURES: dict[str, Change] = {
    "another key": forged,
    "another key under the provider's name": lambda claims: forged(claims, kid="the-providers"),
    "none": unsigned,
    "the public key as a secret": hmac_with_the_public_key,
    "the client's secret": hmac_with_the_secret,
    "a key that it brings itself": key_in_the_header,
    "a cut signature": lambda claims: signed()(claims)[:-8],
    "claims changed after signing": lambda claims: _swapped(signed()(claims), claims | {"sub": "s-else"}),
    "nothing": lambda _claims: None,
    "a number": lambda _claims: 7,
    "no token": lambda _claims: "not a token",
    "far too long": lambda _claims: "a." * 100_000,
}


def _swapped(token: str, claims: dict[str, Any]) -> str:
    head, _body, seal = token.split(".")
    return f"{head}.{unsigned(claims).split('.')[1]}.{seal}"


@pytest.mark.parametrize("what", SIGNATURES)
@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_a_wrong_signature_is_refused(
    directory: Directory, mapper: User, answers: Any, own_keys: None, what: str
) -> None:
    answers(SIGNATURES[what])
    assert enter(directory) == (403, False)


def test_the_signature_is_checked_with_the_providers_real_keys(
    directory: Directory, mapper: User, answers: Any
) -> None:
    answers(signed())
    assert enter(directory) == (403, False)


def test_a_new_key_of_the_provider_is_fetched(
    directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = RSAKey.generate_key(2048, {"kid": "old"})
    address = provider_documents.configuration()["jwks_uri"]
    real, asked_before = provider_documents._read, []

    def read(asked: str, headers: dict[str, str]) -> dict[str, Any]:
        asked_before.append(asked)
        return (
            {"keys": [stale.as_dict(private=False)]}
            if asked_before.count(address) == 1 and asked == address
            else (real(asked, headers))
        )

    monkeypatch.setattr(provider_documents, "_read", read)
    assert enter(directory) == (302, True)
    assert asked_before.count(address) == 2


def test_groups_of_somebody_elses_access_token_are_refused(
    directory: Directory, mapper: User, answers: Any, own_keys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(signed(groups=None))
    other = {"sub": "s-boss", "groups": ["admins"]}
    monkeypatch.setattr(provider_documents, "user_info", lambda _token: other)
    assert enter(directory) == (403, False)


def test_groups_may_come_with_the_information_about_the_person(
    directory: Directory, mapper: User, answers: Any, own_keys: None
) -> None:
    answers(signed(groups=None))
    assert enter(directory) == (302, True)


@pytest.mark.parametrize(
    "change", [{"issuer": "https://evil.example"}, {"jwks_uri": "http://evil.example/jwks"}, {"token_endpoint": None}]
)
def test_a_configuration_that_is_not_of_the_issuer_is_refused(
    directory: Directory, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    real = provider_documents._read
    monkeypatch.setattr(
        provider_documents,
        "_read",
        lambda *about: {name: value for name, value in (real(*about) | change).items() if value},
    )
    assert Client().post("/account/directory/").status_code == 503


def test_no_redirect_is_followed(directory: Directory) -> None:
    """Otherwise the client's secret or a token would go elsewhere."""
    with pytest.raises(provider_documents.Unreadable):
        provider_documents._read(f"{directory.issuer}/oauth2/end_session/confirm", {})
    assert provider_documents.DirectSession().max_redirects == 0


def test_neither_codes_nor_tokens_nor_secrets_are_logged(
    directory: Directory, mapper: User, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # urllib3 writes addresses at DEBUG, which the platform does not log.
    caplog.set_level(logging.INFO)
    seen: list[str] = []
    library = OAuth2Client.get_access_token

    def watched(self: Any, code: str, **kwargs: Any) -> Any:
        tokens = library(self, code, **kwargs)
        seen.extend([code, tokens["access_token"], tokens["id_token"], *kwargs.values()])
        return tokens

    monkeypatch.setattr(OAuth2Client, "get_access_token", watched)
    assert enter(directory) == (302, True)
    Client().get("/account/directory/callback/?code=a-secret-code&state=a-secret-state")
    assert len(seen) == 4
    for secret in [*seen, SECRET, "s-victim", "a-secret-code", "a-secret-state"]:
        assert secret not in caplog.text


def test_the_limits_of_the_token_are_those_of_the_clock() -> None:
    assert id_token.signed_in_since({"auth_time": now()}, now(-5))
    for claims in ({}, {"auth_time": True}, {"auth_time": "now"}, {"auth_time": now(-600)}, {"auth_time": now(600)}):
        assert not id_token.signed_in_since(claims, now(-5))
