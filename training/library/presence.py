"""Who has the editor of a draft open. Kept in the cache for a short time only."""

from django.core.cache import cache

from training.library import authors
from training.library.models import Version
from training.people.models import User

SECONDS = 90  # the page tells every half minute that it is still open


def _key(version: Version, person_id: int) -> str:
    return f"editing:{version.pk}:{person_id}"


def note(version: Version, person: User) -> None:
    cache.set(_key(version, person.pk), person.name, SECONDS)


def others(version: Version, person: User) -> list[str]:
    """The names of the other authors who have the editor open."""
    team = {version.author_id, *(one.pk for one in authors.co_authors(version))} - {person.pk}
    keys = sorted(_key(version, one) for one in team)
    return sorted(cache.get_many(keys).values()) if keys else []
