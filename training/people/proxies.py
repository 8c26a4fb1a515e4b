"""Detects a wrong `TRUSTED_PROXIES`, with which all visitors have the proxy's address and share its limits."""

import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

log = structlog.get_logger(__name__)

SEEN = "everybody-one-address"
REMEMBERED = 24 * 60 * 60  # seconds


def forwarded(request: HttpRequest) -> list[str]:
    """The addresses in X-Forwarded-For, the nearest last."""
    return [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]


def look(request: HttpRequest) -> None:
    """Log a warning if a request shows that the setting is wrong. Only a warning: anybody can send the header."""
    through = len(forwarded(request))
    if bool(through) == bool(settings.TRUSTED_PROXIES) and through >= settings.TRUSTED_PROXIES:
        return
    if cache.add(SEEN, True, REMEMBERED):
        log.warning(
            "everybody_has_one_address",
            trusted_proxies=settings.TRUSTED_PROXIES,
            addresses_forwarded=through,
            hint="set TRUSTED_PROXIES to the number of proxies, and let each pass X-Forwarded-For",
        )


def everybody_is_one() -> bool:
    """Whether a request of the last day showed that the setting is wrong."""
    return bool(cache.get(SEEN))
