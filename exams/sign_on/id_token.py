"""Checks an ID token as OpenID Connect Core 3.1.3.7 demands.

django-allauth does not verify the signature of a token that it fetched itself, sends no nonce, and looks neither at
`azp` nor at `auth_time`; so we check everything here.
"""

import secrets
import time
from collections.abc import Mapping
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet, RSAKey
from joserfc.jws import JWSRegistry

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
SKEW = 60  # seconds between the clocks
OLDEST = 600  # seconds since a token was issued
LONGEST = 32 * 1024  # characters
MAX_SUBJECT = 191  # what allauth stores


class Forged(Exception):
    """The token is not one that this provider made for this sign-in. Says why, without anything of the token."""


class Unsigned(Forged):
    """No key of the provider that we know signed the token; it may have a new one."""


def verify(token: Any, *, keys: Mapping[str, Any], issuer: str, client: str, nonce: str) -> dict[str, Any]:
    """The claims of a token. Raises Forged."""
    if not isinstance(token, str) or not 0 < len(token) <= LONGEST:
        raise Forged("there is no ID token")
    claims = _signed(token, keys)
    now = time.time()
    if claims.get("iss") != issuer:
        raise Forged("another issuer")
    _verify_audience(claims, client)
    if _moment(claims, "exp") <= now - SKEW:
        raise Forged("expired")
    if not now - OLDEST <= _moment(claims, "iat") <= now + SKEW:
        raise Forged("issued at another time")
    if "nbf" in claims and _moment(claims, "nbf") > now + SKEW:
        raise Forged("not valid yet")
    given = claims.get("nonce")
    if not isinstance(given, str) or not secrets.compare_digest(given.encode(), nonce.encode()):
        raise Forged("made for another sign-in")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT or not subject.isprintable():
        raise Forged("no usable subject")
    return claims


def _signed(token: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    registry = JWSRegistry(algorithms=ALGORITHMS)
    try:
        decoded = jwt.decode(token, lambda obj: _key(obj.headers(), keys), algorithms=ALGORITHMS, registry=registry)
    except (JoseError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unsigned(f"not signed by the provider ({type(error).__name__})") from None
    return decoded.claims


def _key(header: Mapping[str, Any], keys: Mapping[str, Any]) -> KeySet | RSAKey | ECKey:
    """The one key that the token names; without a name, the only one there is."""
    usable = [one for one in keys.get("keys", ()) if isinstance(one, dict) and one.get("kty") in ("RSA", "EC")]
    usable = [one for one in usable if one.get("use", "sig") == "sig"]
    named = [one for one in usable if one.get("kid") == header["kid"]] if "kid" in header else usable
    if len(named) != 1:
        raise Unsigned("no such key")
    [found] = named
    return RSAKey.import_key(found) if found["kty"] == "RSA" else ECKey.import_key(found)


def _verify_audience(claims: Mapping[str, Any], client: str) -> None:
    stated = claims.get("aud")
    audience = stated if isinstance(stated, list) else [stated]
    if client not in audience:
        raise Forged("made for another client")
    if (len(audience) > 1 or "azp" in claims) and claims.get("azp") != client:
        raise Forged("requested by another client")


def _moment(claims: Mapping[str, Any], name: str) -> float:
    stated = claims.get(name)
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        raise Forged(f"{name} is missing")
    return float(stated)


def signed_in_since(claims: Mapping[str, Any], since: float) -> bool:
    """Whether the provider says that the person signed in there after that moment."""
    stated = claims.get("auth_time")
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return False
    return since - SKEW <= stated <= time.time() + SKEW


def second_factor(claims: Mapping[str, Any], accepted: list[str]) -> bool:
    """Whether the provider asserts a second factor, in `amr` or as the whole of `acr`."""
    methods = claims.get("amr")
    stated = [one for one in methods if isinstance(one, str)] if isinstance(methods, list) else []
    if isinstance(level := claims.get("acr"), str):
        stated.append(level)
    return not set(accepted).isdisjoint(stated)
