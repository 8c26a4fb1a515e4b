"""The keys that sign credentials. One is in use; all public keys stay published."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from cryptography.fernet import InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, transaction
from joserfc.jwk import RSAKey

from exams import clock
from exams.audit.services import record
from exams.certificates.models import SigningKey
from training.operations.health import NotReadyError
from training.people.models import User
from training.platform.sealing import Resealed, reseal_each, sealer

BITS = 2048


def key_in_use() -> tuple[str, RSAKey]:
    """The id and private key to sign with. Creates the first key on first use."""
    row = SigningKey.objects.filter(retired_at=None).first() or _first()
    return address(row.kid), _unsealed(row.private_sealed)


def address(thumbprint: str) -> str:
    """The public id of a key: the address where it is published, as Open Badges 3.0 requires."""
    return f"{settings.PUBLIC_URL}/.well-known/keys/{thumbprint}"


def rotate(actor: User | None = None) -> SigningKey:
    """Sign with a new key from now on. Existing signatures stay valid; the old private key is deleted."""
    fresh = RSAKey.generate_key(BITS)
    with transaction.atomic():
        now = clock.now()
        SigningKey.objects.filter(retired_at=None).update(retired_at=now, private_sealed="")
        row = SigningKey.objects.create(
            kid=fresh.thumbprint(),
            public_jwk=fresh.as_dict(private=False),
            private_sealed=_fernet().encrypt(fresh.as_pem(private=True)).decode(),
            made_at=now,
        )
        record(actor, "signing_key.made", f"signing_key:{row.kid}")
    return row


def published() -> dict[str, Any]:
    """The public key set; `iat` and `exp` say when a key was in use.

    Includes the issuer, so that this file is all that is needed to check a credential.
    """
    return {"issuer": settings.PUBLIC_URL, "keys": [_jwk(row) for row in SigningKey.objects.order_by("made_at", "pk")]}


def published_one(thumbprint: str) -> dict[str, Any] | None:
    """One key, as published at its own address."""
    row = SigningKey.objects.filter(kid=thumbprint).first()
    return _jwk(row) if row else None


def _jwk(row: SigningKey) -> dict[str, Any]:
    return {
        **row.public_jwk,
        "kid": address(row.kid),
        "use": "sig",
        "alg": "RS256",
        "iat": int(row.made_at.timestamp()),
        **({"exp": int(row.retired_at.timestamp())} if row.retired_at else {}),
    }


def _first() -> SigningKey:
    try:
        with transaction.atomic():
            return rotate()
    except IntegrityError:  # another process created it first
        return SigningKey.objects.get(retired_at=None)


@lru_cache(maxsize=4)
def _unsealed(sealed: str) -> RSAKey:
    try:
        return RSAKey.import_key(_fernet().decrypt(sealed.encode()))
    except InvalidToken:
        raise ImproperlyConfigured(
            "The signing key was sealed with another SECRET_KEY. Put that one back, or into SECRET_KEY_FALLBACKS, "
            "or run `manage.py rotate_signing_key` to sign with a new key from now on."
        ) from None


def reseal() -> list[Resealed]:
    """Encrypt the private key in use with the current SECRET_KEY."""
    rows = SigningKey.objects.filter(retired_at=None)

    def reseal_row(row: SigningKey) -> int:
        return rows.filter(pk=row.pk).update(private_sealed=_fernet().rotate(row.private_sealed.encode()).decode())

    return [reseal_each("signing keys", rows, reseal_row)]


def readiness_checks() -> list[tuple[str, Callable[[], None]]]:
    return [("keys", check_seal)]


def check_seal() -> None:
    """Readiness check: raises NotReadyError if the signing key cannot be decrypted with this SECRET_KEY."""
    row = SigningKey.objects.filter(retired_at=None).first()
    try:
        if row is not None:
            _unsealed(row.private_sealed)
    except ImproperlyConfigured:
        raise NotReadyError("the signing key cannot be opened with this SECRET_KEY") from None


def _fernet() -> MultiFernet:
    return sealer("sabot credential signing key")
