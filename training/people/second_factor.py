"""The second factor: of whom it is demanded, its secrets, sealed while they lie in the database, and how often its
codes may be guessed."""

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from cryptography.fernet import InvalidToken
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured, ValidationError

from training.house.selectors import second_factor_demanded
from training.people import limits, sign_in_checks
from training.people.models import STAFF_ROLES, User
from training.platform.sealing import Resealed, reseal_each, sealer

PURPOSE = "sabot second factor"


def is_missing(user: User) -> bool:
    """Whether the house demands one of this person, who has not set it up."""
    if STAFF_ROLES.isdisjoint(user.roles) or not second_factor_demanded(user.house):
        return False
    return not is_set_up(user)


def is_set_up(user: User) -> bool:
    found: bool = apps.get_model("mfa", "Authenticator").objects.filter(user=user, type="totp").exists()
    return found


def seal(secret: str) -> str:
    return sealer(PURPOSE).encrypt(secret.encode()).decode()


def unseal(stored: str) -> str:
    try:
        return sealer(PURPOSE).decrypt(stored.encode()).decode()
    except InvalidToken:
        raise ImproperlyConfigured(
            "The secrets of the second factor were sealed with another SECRET_KEY. "
            "Put that one back, or into SECRET_KEY_FALLBACKS."
        ) from None


def reseal() -> Resealed:
    """Seal with the key in use what an earlier one sealed, so that the earlier one may go."""
    held = apps.get_model("mfa", "Authenticator").objects
    with_secrets = held.filter(type__in=["totp", "recovery_codes"]).iterator()
    return reseal_each(with_secrets, lambda row: _reseal(held, row))


def _reseal(authenticators: Any, row: Any) -> int:
    data = dict(row.data)
    for name in ("secret", "seed"):
        if name in data:
            data[name] = seal(unseal(data[name]))
    if "migrated_codes" in data:
        data["migrated_codes"] = [seal(unseal(code)) for code in data["migrated_codes"]]
    # Unless somebody used a recovery code meanwhile, which is written there too: the next time then.
    return int(authenticators.filter(pk=row.pk, data=row.data).update(data=data))


class SealingAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # the library has no types
    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text)


class _Counted:
    """Wrong codes are counted like wrong passwords: in rows, over all processes."""

    user: Any

    def clean_code(self) -> str:
        request = context.request
        tried = sign_in_checks.code_try_of(request, self.user)
        with sign_in_checks.telling(request):
            limits.verify_code(tried)
        try:
            code: str = super().clean_code()  # type: ignore[misc]
        except ValidationError:
            limits.failed(tried)
            raise
        limits.succeeded(tried)
        return code


class CodeForm(_Counted, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class CodeAgainForm(_Counted, ReauthenticateForm):  # type: ignore[misc]
    """Before something that matters, by somebody who is signed in."""
