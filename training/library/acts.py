"""How an act is done to a version: in one transaction, with its item locked against others, leaving an `Act` behind."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.db import transaction
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Ruling
from training.library.models import Act, Item, Version
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused, Unfit

P = ParamSpec("P")
MAX_COMMENT = 2000


class UnfitComment(Unfit):
    """The comment that an act needs is missing or too long."""

    field = "comment"


def act(
    service: Callable[Concatenate[Version, User, P], Version],
) -> Callable[Concatenate[Version, User, P], Version]:
    """Run a service in a transaction on the version as it is now, with its item locked against other acts."""

    @wraps(service)
    def run(version: Version, actor: User, /, *args: P.args, **kwargs: P.kwargs) -> Version:
        with transaction.atomic():
            Item.objects.select_for_update().get(pk=version.item_id)
            current = Version.objects.select_related("author", "item").get(pk=version.pk)
            verify_instructor(actor)
            return service(current, actor, *args, **kwargs)

    return run


def verify_instructor(actor: User) -> None:
    if Role.INSTRUCTOR not in actor.roles:
        raise Refused(_("Only instructors can work in the library."))


def reason(comment: str) -> str:
    comment = comment.strip()
    if not comment:
        raise UnfitComment(_("Say why, in a sentence."))
    if len(comment) > MAX_COMMENT:
        raise UnfitComment(_("The comment is longer than %(limit)d characters.") % {"limit": MAX_COMMENT})
    return comment


def change(
    version: Version,
    kind: Act.Kind,
    actor: User | None,
    *,
    comment: str = "",
    ruling: Ruling | None = None,
    engine: str = "",
    moment: int = 1,
    **changes: Any,
) -> Version:
    for name, value in changes.items():
        setattr(version, name, value)
    version.save(update_fields=[*changes, "changed_at"])
    record(version, kind, actor, comment=comment, ruling=ruling, engine=engine, moment=moment)
    return version


def record(
    version: Version,
    kind: Act.Kind,
    actor: User | None,
    *,
    comment: str = "",
    ruling: Ruling | None = None,
    engine: str = "",
    moment: int = 1,
    person: User | None = None,
) -> None:
    Act.objects.create(
        version=version,
        kind=kind,
        actor=actor,
        comment=comment,
        engine=engine or (rules_engine.rulebook(version.rulebook).game.version if ruling else ""),
        ruling_document=None if ruling is None else as_stored(ruling),
        moment=moment,
        person=person,
    )
