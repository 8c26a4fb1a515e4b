"""Helpers for views: the signed-in person, the language, and whether htmx requests a fragment."""

from collections.abc import Iterable

from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import get_language, get_language_info, pgettext
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from rules_engine import RULEBOOKS
from rules_engine.narration import languages_of
from rules_engine.words import FALLBACK
from training.people.models import User


def person(request: HttpRequest) -> User:
    """The signed-in person. For views with `@signed_in` or `@allow`, which the middleware protects."""
    assert request.user.is_authenticated  # noqa: S101 (checked by the middleware)
    return request.user


def language() -> str:
    """The active language."""
    return get_language() or FALLBACK


def language_for(reader: str, books: Iterable[str]) -> str:
    """The language of a text about these rulebooks: the reader's, or English if a game is not translated."""
    known = [RULEBOOKS[book] for book in books if book in RULEBOOKS]
    return reader if all(reader in languages_of(book) for book in known) else FALLBACK


def about(request: HttpRequest, *books: str) -> None:
    """Show the whole page in English, with a line that says why, if a game of these rulebooks has no full translation
    into the reader's language. A view that shows texts of a game calls this first. Lists of several games need only
    their names, which exist in all languages."""
    reader = language()
    if language_for(reader, books) != reader:
        request.reader_language = reader  # type: ignore[attr-defined]  # for base.html
        translation.activate(FALLBACK)


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
