"""The second factor's secrets are sealed at rest, and open under an earlier key of the house."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.conf import settings as house
from django.core.exceptions import ImproperlyConfigured

from exams.certificates import keys
from tests.factories import PersonFactory
from training.people import second_factor

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXP"


def code() -> str:
    return format_hotp_value(hotp_value(SECRET, next(iter(yield_hotp_counters_from_time()))))


def in_database() -> str:
    return str(list(Authenticator.objects.values_list("data", flat=True)))


def test_nothing_in_the_database_lets_anybody_make_a_code() -> None:
    person = PersonFactory()
    assert TOTP.activate(person, SECRET).validate_code(code())
    codes = RecoveryCodes.activate(person)
    seed = Authenticator.objects.get(type="recovery_codes").data["seed"]
    assert SECRET not in in_database()
    assert second_factor.unseal(seed) != seed and len(codes.get_unused_codes()) == 10


def test_after_prepare_the_earlier_secret_key_may_go(settings: Any) -> None:
    totp = TOTP.activate(PersonFactory(), SECRET)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new one", [house.SECRET_KEY]
    second_factor.reseal()
    settings.SECRET_KEY_FALLBACKS = []
    totp.instance.refresh_from_db()
    assert totp.validate_code(code())


def test_an_earlier_secret_key_still_opens_and_a_foreign_one_says_what_to_do(settings: Any) -> None:
    totp = TOTP.activate(PersonFactory(), SECRET)
    kid, _key = keys.key_in_use()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new one", [house.SECRET_KEY]
    assert totp.validate_code(code())
    keys._unsealed.cache_clear()
    assert keys.key_in_use()[0] == kid
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY_FALLBACKS"):
        totp.validate_code(code())
    keys._unsealed.cache_clear()
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY_FALLBACKS"):
        keys.key_in_use()
