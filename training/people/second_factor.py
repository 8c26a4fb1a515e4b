"""The second factor: who needs it, its sealed secrets, and the limit on wrong codes."""

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from cryptography.fernet import InvalidToken
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.utils.translation import gettext_lazy as _

from training.house.selectors import second_factor_demanded
from training.people import limits, sign_in_checks, sign_on
from training.people.models import STAFF_ROLES, User
from training.platform.sealing import Resealed, reseal_each, sealer

PURPOSE = "sabot second factor"


def is_missing(user: User) -> bool:
    """Whether this person needs a second factor and has not set it up."""
    if STAFF_ROLES.isdisjoint(user.roles):
        return False
    if not second_factor_demanded(user.house) and not sign_on.is_break_glass(user):
        return False
    return not asserted(user) and not is_set_up(user)


def asserted(user: User) -> bool:
    """Whether the directory asserted a second factor when this session, or the use of this token, began."""
    return bool(getattr(user, "directory_second_factor", False))


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


def reseal() -> list[Resealed]:
    """Seal all secrets with the current key, so that an earlier one can be removed."""
    held = apps.get_model("mfa", "Authenticator").objects
    with_secrets = held.filter(type__in=["totp", "recovery_codes"]).iterator()
    return [reseal_each("second factors", with_secrets, lambda row: _reseal(held, row))]


def _reseal(authenticators: Any, row: Any) -> int:
    data = dict(row.data)
    for name in ("secret", "seed"):
        if name in data:
            data[name] = seal(unseal(data[name]))
    if "migrated_codes" in data:
        data["migrated_codes"] = [seal(unseal(code)) for code in data["migrated_codes"]]
    # Skipped if a recovery code was used meanwhile, which changes the same column; the next run catches it.
    return int(authenticators.filter(pk=row.pk, data=row.data).update(data=data))


class SealingAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # the library has no types
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": _("Whoever keeps a password for emergencies needs two-step verification."),
        "cannot_generate_recovery_codes": _("Recovery codes need two-step verification to be on."),
    }

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        return not sign_on.is_break_glass(authenticator.user)

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text)


class _Counted:
    """Counts wrong codes like wrong passwords."""

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
    """Confirmation by a signed-in person before a sensitive action."""
