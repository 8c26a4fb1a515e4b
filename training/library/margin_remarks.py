"""Remarks in the margin of a case, between its authors and its reviewers: made, answered, settled.

Remarks stay with the item through its versions. Each is recorded as an `Act`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import BigIntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from training.library import authors
from training.library.acts import act, reason, record
from training.library.models import Act, Remark, Version
from training.people.models import User
from training.platform.errors import Refused, passes


def verify_remark(version: Version) -> None:
    if version.state == Version.State.RETIRED:
        raise Refused(_("It has been retired: there is nothing left to remark on."))


@act
def remark(version: Version, actor: User, part: str, text: str) -> Version:
    """Add a remark about the facts, the words or the ruling."""
    verify_remark(version)
    if part not in Remark.Part.values:
        raise Refused(_("Say what it is about: the facts, the words or the ruling."))
    kept = Remark.objects.create(version=version, part=part, author=actor, text=reason(text))
    record(version, Act.Kind.REMARKED, actor, comment=kept.text)
    return version


@act
def answer(version: Version, actor: User, about: int, text: str) -> Version:
    """Answer an open remark. Any instructor may."""
    found = _open(version, about)
    kept = Remark.objects.create(version=version, part=found.part, author=actor, about=found, text=reason(text))
    record(version, Act.Kind.ANSWERED, actor, comment=kept.text)
    return version


def verify_settle(found: Remark, actor: User, *, wrote: bool) -> None:
    if wrote and actor.pk != found.author_id:
        raise Refused(_("The author answers a remark; only whoever made it, or another reviewer, can settle it."))


@act
def settle(version: Version, actor: User, about: int) -> Version:
    found = _open(version, about)
    verify_settle(found, actor, wrote=authors.wrote(version, actor))
    found.settled_by, found.settled_at = actor, timezone.now()
    found.save(update_fields=["settled_by", "settled_at"])
    record(version, Act.Kind.SETTLED, actor, comment=found.text)
    return version


def verify_settled(version: Version) -> None:
    """Raises Refused while a remark is open."""
    if _of_item(version).filter(settled_at=None).exists():
        raise Refused(_("A remark in the margin is open. Settle it, or send the scenario back."))


def remarks(version: Version) -> list[Remark]:
    """All remarks on the item up to this version, with their answers, oldest first."""
    found = _of_item(version).filter(version__number__lte=version.number)
    return list(found.select_related("author", "settled_by", "version").prefetch_related("answers__author"))


def open_remarks() -> QuerySet[Remark]:
    return Remark.objects.filter(about=None, settled_at=None)


def to_answer(person: User) -> QuerySet[Remark]:
    """Open remarks on this person's cases where somebody else wrote last."""
    last = Remark.objects.filter(about=OuterRef("pk")).order_by("-at", "-pk").values("author")[:1]
    written = Version.objects.filter(authors.written_by(person.pk)).exclude(state=Version.State.RETIRED)
    found = open_remarks().filter(version__in=written)
    found = found.annotate(last=Coalesce(Subquery(last), "author_id", output_field=BigIntegerField()))
    return found.exclude(last=person.pk)


def settled_by(version: Version, actor: User) -> Callable[[Remark], bool]:
    """A function that says whether this person may settle a remark."""
    wrote = authors.wrote(version, actor)

    def may(found: Remark) -> bool:
        return not found.settled_at and passes(partial(verify_settle, found, actor, wrote=wrote))

    return may


def _of_item(version: Version) -> QuerySet[Remark]:
    return Remark.objects.filter(version__item=version.item_id, about=None)


def _open(version: Version, id: int) -> Remark:
    """An open remark on this item. Raises Refused if there is none."""
    found = _of_item(version).filter(pk=id, settled_at=None).first()
    if found is None:
        raise Refused(_("There is no such open remark."))
    return found


def context(found: Version, actor: User) -> dict[str, Any]:
    """The remarks in the margin by part, each with whether this person may settle it."""
    may = settled_by(found, actor)
    made = [(one, may(one)) for one in remarks(found)]
    return {
        "margin": [(part, label, [one for one in made if one[0].part == part]) for part, label in Remark.Part.choices],
        "open_remarks": sum(one.settled_at is None for one, _may in made),
    }
