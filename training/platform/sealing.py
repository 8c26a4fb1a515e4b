"""Secrets that must lie in the database and come back: sealed with the installation's `SECRET_KEY`.

`SECRET_KEY_FALLBACKS` still open what was sealed with an earlier one. Every purpose has a key of its own. Whoever keeps
sealed things says how they are sealed anew, so that an earlier key may go.
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
    """How many were sealed anew, and how many no key that was given opens."""

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
    """One after the other; what cannot be opened is left as it is, for the day its key is found."""
    sealed = shut = 0
    for row in rows:
        try:
            sealed += reseal(row)
        except (InvalidToken, ImproperlyConfigured):
            shut += 1
    return Resealed(sealed, shut)


def sealer(purpose: str) -> MultiFernet:
    """Seals with the key in use and opens with any; `cryptography.fernet.InvalidToken` where none fits."""
    return MultiFernet([_fernet(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
