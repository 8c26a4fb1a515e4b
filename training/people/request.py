"""Helpers for views: the signed-in person, the language, and whether htmx requests a fragment."""

from django.http import HttpRequest
from django.utils.translation import get_language, get_language_info, pgettext
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from training.people.models import User

DEFAULT_LANGUAGE = "en"  # of the source texts, if no language is active


def person(request: HttpRequest) -> User:
    """The signed-in person. For views with `@signed_in` or `@allow`, which the middleware protects."""
    assert request.user.is_authenticated  # noqa: S101 (checked by the middleware)
    return request.user


def language() -> str:
    """The active language."""
    return get_language() or DEFAULT_LANGUAGE


def language_name(code: str) -> str:
    """The name of a language in the active one."""
    return pgettext("language", get_language_info(code)["name"])


def quoted(name: str) -> str:
    """A name in the quotation marks of the active language."""
    return _("“%(name)s”") % {"name": name}


def by_htmx(request: HttpRequest) -> bool:
    """Whether htmx requests a fragment. To restore its history, htmx requests the whole page."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.history_restore_request
