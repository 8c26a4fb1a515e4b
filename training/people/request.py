"""What every page asks of a request: who it is, in which language, and whether htmx wants a part of the page only."""

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from training.people.models import User

DEFAULT_LANGUAGE = "en"  # of the catalogue's own sentences, where no language was chosen


def person(request: HttpRequest) -> User:
    """Who is signed in. For views that say `@signed_in` or `@allow`: the middleware lets nobody else in."""
    assert request.user.is_authenticated  # noqa: S101 (the access declaration saw to it)
    return request.user


def language() -> str:
    """The language in force, of the request or of whoever a task writes to."""
    return get_language() or DEFAULT_LANGUAGE


def quoted(name: str) -> str:
    """A name between the marks of quotation of the language in force."""
    return _("“%(name)s”") % {"name": name}


def by_htmx(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page. To restore its history, htmx asks for the whole page."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.history_restore_request
