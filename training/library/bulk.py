"""One act on several scenarios: each is done on its own, and refusals are listed by title.

A draft is changed only by its authors. The authors of other scenarios get a mail about what was changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from training.library import authors, letters, services, tags
from training.library.author_texts import title
from training.library.models import Version
from training.people.models import User
from training.platform.errors import Refused

MOST = 100


@dataclass
class Outcome:
    done: list[Version] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)  # title and reason


@transaction.atomic
def act_on(
    name: str,
    versions: list[Version],
    actor: User,
    *,
    comment: str = "",
    tagged: str = "",
    seen: Mapping[int, str] | None = None,
    language: str = "",
) -> Outcome:
    """Do the act on each version. Raises Refused if nothing is chosen or there is no such act.

    `seen`: for each version to publish, the `changed_at` that the actor looked at. One that was changed since, or that
    was not looked at, is refused.
    """
    if not versions:
        raise Refused(_("Choose at least one scenario."))
    chosen = _act(name, actor, comment=comment, tagged=tagged, seen=seen or {})
    outcome = Outcome()
    for version in sorted(versions, key=lambda one: one.item_id):  # always locked in the same order
        try:
            with transaction.atomic():
                _verify_own(version, actor)
                chosen(version)
        except Refused as refusal:
            outcome.refused.append((title(version, language), str(refusal)))
        else:
            outcome.done.append(version)
    if name in letters.DONE:
        letters.tell_owners(name, outcome.done, actor, comment)
    return outcome


def _act(name: str, actor: User, *, comment: str, tagged: str, seen: Mapping[int, str]) -> Callable[[Version], object]:
    """What is done to each version. Raises Refused if there is no such act, or no tag for it."""
    names = tags.typed(tagged) if name in ("tag", "untag") else []
    if name in ("tag", "untag") and not names:
        raise Refused(_("Write at least one tag."))
    acts: dict[str, Callable[[Version], object]] = {
        "tag": lambda version: tags.add([version.item], names, actor),
        "untag": lambda version: tags.take([version.item], names, actor),
        "submit": lambda version: services.submit_for_review(version, actor),
        "publish": lambda version: services.publish(_looked_at(version, seen), actor, comment),
        "retire": lambda version: services.retire(version, actor, comment, tell=False),
    }
    if name not in acts:
        raise Refused(_("There is no such action."))
    return acts[name]


def _verify_own(version: Version, actor: User) -> None:
    if version.state == Version.State.DRAFT and not authors.writes(version, actor):
        raise Refused(_("This draft belongs to %(names)s. Open it to do this.") % {"names": authors.names(version)})


def _looked_at(version: Version, seen: Mapping[int, str]) -> Version:
    """The version, if it is as it was shown."""
    if seen.get(version.pk) != version.changed_at.isoformat():
        raise Refused(_("It was changed after it was shown to you. Look at it again."))
    return version
