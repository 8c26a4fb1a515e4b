"""What is read from the provider: its configuration and its keys. Kept for a few minutes."""

import hashlib
import json
import time
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.core.cache import cache

MOST_BYTES = 512 * 1024
KEPT = 300  # seconds
SECONDS = 5  # to wait for each connection, and for each part of an answer
LONGEST = 8  # seconds for all parts
AWAY = "sign-on:away"
AWAY_FOR = 15  # seconds for which nobody waits for a provider that did not answer in time
NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class Unreadable(Exception):
    """The provider did not answer, or not with what it must."""


class Away(Unreadable):
    """The provider cannot be reached, or is out of order."""


class DirectSession(requests.Session):
    """Follows no redirect, so that neither the secret nor a token goes elsewhere; reads no endless answer; and gives up
    at once while the provider does not answer, so that those who wait for it do not keep others from the house."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = 0

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None

    def request(self, *args: Any, **options: Any) -> requests.Response:
        if cache.get(AWAY):
            raise requests.ConnectionError("it did not answer a moment ago")
        begun = time.monotonic()
        try:
            answer = super().request(*args, **({"timeout": SECONDS} | options | {"stream": True}))
            answer._content = _body(answer, begun + LONGEST)
        except requests.RequestException:
            if time.monotonic() - begun >= SECONDS:
                cache.set(AWAY, True, AWAY_FOR)
            raise
        if answer.is_redirect:
            raise requests.TooManyRedirects("it leads elsewhere")
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise requests.ConnectionError("it is out of order")
        return answer


def is_protected(address: str) -> bool:
    """Whether an address is reached with TLS; the demo may use this machine without."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == "https" or (settings.DEMO and parts.scheme == "http" and parts.hostname in LOOPBACK)


def configuration() -> dict[str, Any]:
    """The provider's own description, which must be that of the issuer in the settings."""
    issuer = settings.SIGN_ON_ISSUER
    found = _kept(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if found.get("issuer") != issuer:
        raise Unreadable("the provider names another issuer")
    named = [name for name in (*NEEDED, "userinfo_endpoint") if name in found]
    if not set(NEEDED) <= set(named) or not all(is_protected(str(found[name])) for name in named):
        raise Unreadable("an address of the provider is missing or not protected")
    if not isinstance(found.get("token_endpoint_auth_methods_supported", []), list):  # the library looks into it
        raise Unreadable("the provider's ways of authenticating are no list")
    return found


def keys(*, fresh: bool = False) -> dict[str, Any]:
    """The provider's public keys; `fresh` after a token that was signed with an unknown one."""
    return _kept(str(configuration()["jwks_uri"]), fresh=fresh)


def user_info(access_token: str) -> dict[str, Any]:
    """What the provider says about the person besides the ID token. Empty if it has no such address."""
    address = configuration().get("userinfo_endpoint")
    return _read(str(address), {"Authorization": f"Bearer {access_token}"}) if address else {}


def _kept(address: str, *, fresh: bool = False) -> dict[str, Any]:
    key = f"sign-on:{hashlib.sha256(address.encode()).hexdigest()}"
    found: dict[str, Any] | None = None if fresh else cache.get(key)
    if found is None:
        found = _read(address, {})
        cache.set(key, found, KEPT)
    return found


def _read(address: str, headers: dict[str, str]) -> dict[str, Any]:
    if not is_protected(address):
        raise Unreadable("an address of the provider is not protected")
    try:
        with DirectSession() as session, session.get(address, headers=headers) as answer:
            answer.raise_for_status()
            document = json.loads(answer.content)
    except (requests.ConnectionError, requests.Timeout) as error:
        raise Away(type(error).__name__) from None
    except (requests.RequestException, OSError, ValueError, RecursionError) as error:
        raise Unreadable(type(error).__name__) from None
    if not isinstance(document, dict):
        raise Unreadable("not a JSON object")
    return document


def _body(answer: requests.Response, until: float) -> bytes:
    body = b""
    for part in answer.iter_content(64 * 1024):
        body += part
        if len(body) > MOST_BYTES:
            answer.close()
            raise requests.exceptions.ContentDecodingError("too long")
        if time.monotonic() > until:
            answer.close()
            raise requests.ReadTimeout("too slow")
    return body
