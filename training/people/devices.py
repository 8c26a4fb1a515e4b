"""Devices that have signed in to an account before.

Signing in sets a cookie that proves it for that account, so that wrong passwords typed elsewhere do not slow this
device down. A thief of the cookie gets a few tries and nothing else (`people.limits`). The cookie names nobody: each
proof is a day, a random mark and a signature. A proof expires after a year, when the password changes, and when all
sessions of the account are ended.
"""

import secrets
import time
from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from training.people.models import User

COOKIE = "known_device"
PATH = "/account/"  # only the pages that take a password or a code
AGE = timedelta(days=365)  # also in docs/privacy.md
MOST = 40  # people on one shared computer; keeps the cookie small enough for every browser and proxy
DAY = 24 * 60 * 60
_signer = Signer(salt="sabot known device")
NOBODY = User(pk=0)


def known_to(request: HttpRequest, user: User | None) -> str:
    """The proof that this device has signed in to the account; empty if there is none.

    Takes the same time if there is no such account.
    """
    for proof in _proofs(request):
        if _is_good(proof, user or NOBODY) and user is not None:
            return proof
    return ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Give the device a new proof for this account, and keep those of its other users."""
    others = [proof for proof in _proofs(request) if not _is_good(proof, user)]
    response.set_cookie(
        COOKIE,
        ".".join([_proof(user), *others][:MOST]),
        max_age=AGE,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _proofs(request: HttpRequest) -> list[str]:
    return request.COOKIES.get(COOKIE, "").split(".")[:MOST] if request.COOKIES.get(COOKIE) else []


def _proof(user: User) -> str:
    stamp = f"{_today()}-{secrets.token_hex(6)}"
    return f"{stamp}-{_signer.signature(_said(stamp, user))}"


def _is_good(proof: str, user: User) -> bool:
    day, _dash, rest = proof.partition("-")
    mark, _dash, signature = rest.partition("-")
    stamp = f"{day}-{mark}"
    try:
        _signer.unsign(f"{_said(stamp, user)}{_signer.sep}{signature}")
        return 0 <= _today() - int(day) < AGE.days
    except (BadSignature, ValueError):
        return False


def _said(stamp: str, user: User) -> str:
    return f"{stamp}|{user.pk}|{user.password}|{user.sessions_ended}"


def _today() -> int:
    return int(time.time() // DAY)
