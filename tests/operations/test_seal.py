"""A new SECRET_KEY, as `docs/operating.md` describes it: who stays signed in, and what opens without the old one."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from exams.audit.models import Entry
from exams.audit.words import describe
from exams.certificates import keys
from exams.webhooks import services as webhooks
from exams.webhooks.models import Hook
from tests.factories import PersonFactory
from tests.people.test_second_factor import SECRET, code
from training.people.models import Role

pytestmark = pytest.mark.django_db
INSIDE = "/account/2fa/"


def sealed_things(settings: Any) -> tuple[TOTP, str, bytes]:
    """A second factor, the id of the signing key and the secret of a system, all sealed with the key in use."""
    settings.WEBHOOKS_INSIDE = True
    factor = TOTP.activate(PersonFactory(), SECRET)
    _hook, secret = webhooks.add("http://127.0.0.1:9/told", by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    return factor, keys.key_in_use()[0], secret.encode()


def rotated(settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new one", [settings.SECRET_KEY]
    keys._unsealed.cache_clear()


def without_fallback(settings: Any) -> None:
    settings.SECRET_KEY_FALLBACKS = []
    keys._unsealed.cache_clear()


def test_what_was_resealed_opens_when_the_fallback_is_gone(settings: Any) -> None:
    factor, kid, secret = sealed_things(settings)
    rotated(settings)
    out = StringIO()
    call_command("reseal", stdout=out)
    assert "second factors: 1 sealed" in out.getvalue()
    without_fallback(settings)
    factor.instance.refresh_from_db()
    assert factor.validate_code(code())
    assert keys.key_in_use()[0] == kid
    assert webhooks.secret_of(Hook.objects.get()) == secret


def test_it_is_on_record_what_was_sealed_and_what_no_key_opens(settings: Any) -> None:
    sealed_things(settings)
    rotated(settings)
    call_command("reseal", stdout=StringIO())
    without_fallback(settings)
    Authenticator.objects.update(data={"secret": "sealed:of another house"})
    with pytest.raises(CommandError):
        call_command("reseal", stdout=StringIO())
    entries = Entry.objects.filter(act="secrets.resealed").order_by("number")
    assert [entry.details for entry in entries] == [{"sealed": 3, "shut": 0}, {"sealed": 2, "shut": 1}]
    spoken = []
    for language in ("en", "pt"):
        with translation.override(language):
            (line,) = describe([entries[1]])
            spoken.append((line.sentence, [str(each) for each in line.lines]))
    english, portuguese = spoken
    assert english[0].startswith("Whoever operates Sabot resealed the stored secrets, by command")
    assert english[1] == ["Resealed: 2", "Not opened by any of the keys given: 1"]
    assert portuguese[0].startswith("Por comando, quem opera o Sabot mandou selar os segredos")


def test_without_resealing_a_second_factor_does_not_survive_and_the_command_says_so(settings: Any) -> None:
    factor, *_ = sealed_things(settings)
    before = Authenticator.objects.get().data
    rotated(settings)
    without_fallback(settings)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY_FALLBACKS"):
        factor.validate_code(code())
    with pytest.raises(CommandError, match=r"second factors: 1; .*Add the key"):
        call_command("reseal", stdout=StringIO())
    assert Authenticator.objects.get().data == before


def test_who_came_by_meanwhile_stays_signed_in_and_who_did_not_signs_in_again(
    signed_in: Callable[..., Client], settings: Any
) -> None:
    came, stayed_away = signed_in(Role.TRAINEE), signed_in(Role.TRAINEE)
    rotated(settings)
    assert came.get(INSIDE).status_code == 200
    without_fallback(settings)
    assert came.get(INSIDE).status_code == 200
    assert stayed_away.get(INSIDE).status_code == 302
