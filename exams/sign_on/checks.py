"""Whether the settings of the sign-on fit together."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core import checks

from exams.sign_on.provider_documents import is_protected


@checks.register()
def settings_fit(app_configs: Sequence[Any] | None, **_: Any) -> list[checks.CheckMessage]:
    """An issuer needs a client and must be reached with TLS."""
    if not settings.SIGN_ON_ISSUER:
        return []
    found: list[checks.CheckMessage] = []
    if not is_protected(settings.SIGN_ON_ISSUER):
        found.append(checks.Error("SIGN_ON_ISSUER must be an https:// address.", id="sabot.E030"))
    found += [
        checks.Error(f"{name} is missing, but SIGN_ON_ISSUER is set.", id="sabot.E031")
        for name in ("SIGN_ON_CLIENT_ID", "SIGN_ON_CLIENT_SECRET")
        if not getattr(settings, name)
    ]
    if settings.SIGN_ON_TOKEN_DAYS < 1:
        found.append(checks.Error("SIGN_ON_TOKEN_DAYS must be at least 1.", id="sabot.E032"))
    return found
