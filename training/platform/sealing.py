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

Row = TypeVar("Row")


class Resealed(NamedTuple):
    """How many secrets were sealed again, and how many no known key opens (`shut`)."""

    sealed: int
    shut: int


Done = Callable[[dict[str, Resealed]], None]

_kept: dict[str, Callable[[], Resealed]] = {}
# The log of acts stands higher and is not known here: it says at the start that it is to be told.
_told: list[Done] = []


def keep(what: str, reseal: Callable[[], Resealed]) -> None:
    """A room that keeps sealed things says so at the start, and how all of them are sealed with the key in use."""
    _kept[what] = reseal


def tell(done: Done) -> None:
    """Let somebody hear, by kind, what was sealed anew. For `AppConfig.ready`."""
    if done not in _told:
        _told.append(done)


def reseal_all() -> dict[str, Resealed]:
    found = {what: reseal() for what, reseal in _kept.items()}
    for done in _told:
        done(found)
    return found


def reseal_each(rows: Iterable[Row], reseal: Callable[[Row], int]) -> Resealed:
    """Reseal row by row. A secret that cannot be opened is left as it is, in case its key is found."""
    sealed = shut = 0
    for row in rows:
        try:
            sealed += reseal(row)
        except (InvalidToken, ImproperlyConfigured):
            shut += 1
    return Resealed(sealed, shut)


def sealer(purpose: str) -> MultiFernet:
    """Encrypts with the current key and decrypts with any; raises `cryptography.fernet.InvalidToken` if none fits."""
    return MultiFernet([_fernet(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
