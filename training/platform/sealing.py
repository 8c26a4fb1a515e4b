"""Secrets in the database, encrypted ("sealed") with a key derived from `SECRET_KEY` for each purpose.

`SECRET_KEY_FALLBACKS` can still open what was sealed with an earlier key, until everything is sealed again.
"""

import base64
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from training.platform import hooks

Row = TypeVar("Row")


class Resealed(NamedTuple):
    """How many secrets were sealed again, and how many no known key opens (`shut`)."""

    what: str
    sealed: int
    shut: int


def reseal_all() -> list[Resealed]:
    """Seal every secret with the SECRET_KEY in use, so that SECRET_KEY_FALLBACKS can be dropped."""
    found = list(hooks.reseal_secrets())
    hooks.secrets_resealed(found)
    return found


def reseal_each(what: str, rows: Iterable[Row], reseal: Callable[[Row], int]) -> Resealed:
    """Reseal row by row. A secret that cannot be opened is left as it is, in case its key is found."""
    sealed = shut = 0
    for row in rows:
        try:
            sealed += reseal(row)
        except (InvalidToken, ImproperlyConfigured):
            shut += 1
    return Resealed(what, sealed, shut)


def sealer(purpose: str) -> MultiFernet:
    """Encrypts with the current key and decrypts with any; raises `cryptography.fernet.InvalidToken` if none fits."""
    return MultiFernet([_fernet(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
