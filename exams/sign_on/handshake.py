"""The way to the provider and back: what we send along, and what we believe of the answer.

The state is kept in the browser's session and works once (`allauth.socialaccount.internal.statekit`).
"""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import requests
import structlog
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge
from django.conf import settings
from django.http import HttpRequest

from exams.sign_on import id_token, provider_documents
from exams.sign_on.provider_documents import Away, Unreadable
from training.people import sign_on

log = structlog.get_logger(__name__)

SIGN_IN, AGAIN, CONNECT = "sign_in", "again", "connect"


class Refusal(Exception):
    """The answer is not believed. `kind` names the page that says so."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True)
class Begun:
    """What we remembered when we sent somebody to the provider."""

    purpose: str
    next: str
    nonce: str
    verifier: str
    at: float
    person: int | None


@dataclass(frozen=True)
class Answer:
    """What the provider says about the person, verified."""

    begun: Begun
    subject: str
    groups: frozenset[str]
    staff_number: str
    second_factor: bool
    fresh: bool  # whether the person signed in at the provider after we asked for it


def asks_again(purpose: str) -> bool:
    """Whether the person must sign in at the provider now. The browser could drop that from the address, and be let in
    as whoever used the computer before; so the answer must say it too (`Answer.fresh`)."""
    return purpose != SIGN_IN or not settings.SIGN_ON_ONCE


def begin(request: HttpRequest, purpose: str) -> str:
    """Remember that somebody goes to the provider, and return the address to send them to. Raises Unreadable."""
    provider = get_adapter().get_provider(request, sign_on.provider_key())
    oauth = provider.get_oauth2_adapter(request)
    pkce, nonce = generate_code_challenge(), secrets.token_urlsafe(32)
    state = {
        "purpose": purpose,
        "next": get_next_redirect_url(request) or "",
        "nonce": nonce,
        "verifier": pkce.pop("code_verifier"),
        "at": time.time(),
        "person": request.user.pk if request.user.is_authenticated else None,
    }
    address = str(oauth.authorize_url)  # before anything is remembered, in case the provider is away
    state_id = secrets.token_urlsafe(32)
    client = oauth.get_client(request, provider.app)
    client.state = statekit.stash_state(request, provider_id=provider.sub_id, state=state, state_id=state_id)
    more = {"nonce": nonce, "code_challenge": pkce["code_challenge"].decode(), "code_challenge_method": "S256"}
    if asks_again(purpose):
        more |= {"prompt": "login", "max_age": "0"}
    return str(client.get_redirect_url(address, settings.SIGN_ON_SCOPES, more))


def finish(request: HttpRequest) -> Answer:
    """Exchange the code that the browser brought back. Raises Refusal; the log says why, without any token."""
    begun = _begun(request)
    if "error" in request.GET or not request.GET.get("code"):
        raise Refusal("cancelled" if request.GET.get("error") == "access_denied" else "failed")
    if request.GET.get("iss", settings.SIGN_ON_ISSUER) != settings.SIGN_ON_ISSUER:
        raise Refusal("failed")
    try:
        tokens = _exchange(request, begun)
        claims = _verified(tokens.get("id_token"), begun)
        told = _told(claims, tokens)
    except Away as error:
        log.warning("sign_on_provider_away", why=str(error))
        raise Refusal("away") from None
    except (id_token.Forged, Unreadable) as error:
        log.warning("sign_on_refused", why=str(error))
        raise Refusal("failed") from None
    return Answer(
        begun=begun,
        subject=claims["sub"],
        groups=_groups(told),
        staff_number=_text(told, settings.SIGN_ON_STAFF_NUMBER_CLAIM),
        second_factor=id_token.second_factor(claims, settings.SIGN_ON_SECOND_FACTOR),
        fresh=id_token.signed_in_since(claims, begun.at),
    )


def _begun(request: HttpRequest) -> Begun:
    """What this browser was sent away with, once; never anything that another browser began."""
    state = statekit.unstash_state(
        request, provider_id=sign_on.provider_key(), state_id=request.GET.get("state", "")[:200]
    )
    if state is None:
        raise Refusal("not_begun")
    begun = Begun(**state)
    if begun.person != (request.user.pk if request.user.is_authenticated else None):
        raise Refusal("not_begun")
    return begun


def _exchange(request: HttpRequest, begun: Begun) -> Mapping[str, Any]:
    provider = get_adapter().get_provider(request, sign_on.provider_key())
    oauth = provider.get_oauth2_adapter(request)
    try:
        client = oauth.get_client(request, provider.app)
        tokens = client.get_access_token(request.GET["code"], pkce_code_verifier=begun.verifier)
    except (requests.ConnectionError, requests.Timeout) as error:
        raise Away(f"the code was not exchanged ({type(error).__name__})") from None
    except (OAuth2Error, requests.RequestException, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Unreadable(f"the code was not exchanged ({type(error).__name__})") from None
    if not isinstance(tokens, dict):
        raise Unreadable("the code was not exchanged")
    return tokens


def _verified(token: Any, begun: Begun) -> dict[str, Any]:
    known = {"issuer": settings.SIGN_ON_ISSUER, "client": settings.SIGN_ON_CLIENT_ID, "nonce": begun.nonce}
    try:
        return id_token.verify(token, keys=provider_documents.keys(), **known)
    except id_token.Unsigned:
        return id_token.verify(token, keys=provider_documents.keys(fresh=True), **known)


def _told(claims: dict[str, Any], tokens: Mapping[str, Any]) -> dict[str, Any]:
    """The claims, with those that only the provider's information about the person has."""
    wanted = [name for name in (settings.SIGN_ON_GROUPS_CLAIM, settings.SIGN_ON_STAFF_NUMBER_CLAIM) if name]
    if all(_at(claims, name) is not None for name in wanted):
        return claims
    info = provider_documents.user_info(str(tokens.get("access_token", "")))
    if info and info.get("sub") != claims["sub"]:
        raise id_token.Forged("the access token is somebody else's")
    return info | claims


def _at(claims: Mapping[str, Any], name: str) -> Any:
    """A claim by its name, or by a path with dots."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for step in name.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def _groups(told: Mapping[str, Any]) -> frozenset[str]:
    stated = _at(told, settings.SIGN_ON_GROUPS_CLAIM)
    listed = stated if isinstance(stated, list) else [stated]
    return frozenset(one for one in listed if isinstance(one, str) and one.isprintable() and one)


def _text(told: Mapping[str, Any], name: str) -> str:
    stated = _at(told, name) if name else None
    return stated.strip() if isinstance(stated, str) and stated.isprintable() else ""
