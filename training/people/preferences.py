"""Show every page in the language and the time zone of the person who looks at it."""

import zoneinfo
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bind_contextvars

from training.house.selectors import languages


def languages_offered(request: HttpRequest) -> dict[str, Any]:
    """Template context: the languages to choose from, computed only by pages that show them, and the reader's language
    if the page is in another one (`about`).

    Visitors, who check certificates, may choose any language of the platform.
    """
    return {
        "reader_language": getattr(request, "reader_language", ""),
        "languages_offered": SimpleLazyObject(
            lambda: languages(request.user.house) if request.user.is_authenticated else list(settings.LANGUAGES)
        ),
    }


class PersonPreferences:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated:
            return self.get_response(request)
        bind_contextvars(user_id=user.pk)
        translation.activate(user.language)
        request.LANGUAGE_CODE = user.language
        with timezone.override(zoneinfo.ZoneInfo(user.time_zone)):
            return self.get_response(request)
