"""Secrets that must lie in the database and come back: sealed with the installation's `SECRET_KEY`.

`SECRET_KEY_FALLBACKS` still open what was sealed with an earlier one. Every purpose has a key of its own.
"""

import base64

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def sealer(purpose: str) -> MultiFernet:
    """Seals with the key in use and opens with any; `cryptography.fernet.InvalidToken` where none fits."""
    return MultiFernet([_fernet(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str, purpose: str) -> Fernet:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
