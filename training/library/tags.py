"""Tags: labels that group scenarios."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from rules_engine.folding import folded
from training.library.acts import verify_instructor
from training.library.models import Item, Tag
from training.people.models import User
from training.platform.errors import Refused

LONGEST = 40
MOST = 10  # of one scenario


def typed(text: str) -> list[str]:
    """Tags from a comma-separated text."""
    return checked(text.split(","))


def checked(names: Iterable[object]) -> list[str]:
    """The names without duplicates, ignoring case and accents. Raises Refused if they are too long or too many."""
    kept: dict[str, str] = {}
    for name in names:
        if not isinstance(name, str) or "\x00" in name:
            raise Refused(_("A tag is a short text."))
        if plain := " ".join(name.split()):
            kept.setdefault(folded(plain), plain)
    if any(len(name) > LONGEST or len(key) > LONGEST for key, name in kept.items()):
        raise Refused(_("A tag has at most %(limit)d characters.") % {"limit": LONGEST})
    if len(kept) > MOST:
        raise _too_many()
    return list(kept.values())


def _too_many() -> Refused:
    return Refused(_("A scenario has at most %(limit)d tags.") % {"limit": MOST})


@transaction.atomic
def add(items: Iterable[Item], names: list[str], actor: User) -> None:
    verify_instructor(actor)
    found = _held({folded(name): name for name in names})
    for item in items:
        item.tags.add(*found)
        if item.tags.count() > MOST:
            raise _too_many()


@transaction.atomic
def take(items: Iterable[Item], names: list[str], actor: User) -> None:
    """Remove tags, and delete those that are no longer used."""
    verify_instructor(actor)
    found = _locked([folded(name) for name in names])
    for item in items:
        item.tags.remove(*found)
    Tag.objects.filter(pk__in=[tag.pk for tag in found], items=None).delete()


def _held(names: dict[str, str]) -> list[Tag]:
    """These tags, created if needed and locked, so that nobody deletes them as unused meanwhile."""
    found: list[Tag] = []
    while len(found) < len(names):
        for key, name in sorted(names.items()):
            Tag.objects.get_or_create(key=key, defaults={"name": name})
        found = _locked(names)
    return found


def _locked(keys: Iterable[str]) -> list[Tag]:
    return list(Tag.objects.select_for_update(no_key=True).filter(key__in=list(keys)).order_by("pk"))
