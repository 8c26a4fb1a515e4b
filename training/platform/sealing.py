"""Secrets that must lie in the database and come back: sealed with the installation's `SECRET_KEY`.

`SECRET_KEY_FALLBACKS` still open what was sealed with an earlier one. Every purpose has a key of its own.
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
    """How many secrets of one kind were sealed anew, and how many no key opens."""

    what: str
    sealed: int
    shut: int


def reseal_all() -> list[Resealed]:
    """Seal every secret with the SECRET_KEY in use, so that SECRET_KEY_FALLBACKS can be dropped."""
    found = list(hooks.reseal_secrets())
    hooks.secrets_resealed(found)
    return found


def reseal_each(what: str, rows: Iterable[Row], reseal: Callable[[Row], int]) -> Resealed:
    """Reseal one row after the other; one that no key opens is left as it is, for the day its key is found."""
    sealed = shut = 0
    for row in rows:
        try:
            sealed += reseal(row)
        except (InvalidToken, ImproperlyConfigured):
            shut += 1
    return Resealed(what, sealed, shut)


def sealer(purpose: str) -> MultiFernet:
    """Seals with the key in use and opens with any; `cryptography.fernet.InvalidToken` where none fits."""
    return MultiFernet([_fernet(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
