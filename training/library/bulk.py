"""One act on several scenarios: each as if it were done alone, and what is refused of it said by name."""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from training.library import services, tags
from training.library.author_texts import title
from training.library.models import Version
from training.people.models import User
from training.platform.errors import Refused

MOST = 100


@dataclass
class Outcome:
    done: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)  # title and reason


def act_on(
    name: str, versions: list[Version], actor: User, *, comment: str = "", tagged: str = "", language: str = ""
) -> Outcome:
    if not versions:
        raise Refused(_("Choose at least one scenario."))
    if name in ("tag", "untag"):
        names = tags.typed(tagged)
        if not names:
            raise Refused(_("Write at least one tag."))
        (tags.add if name == "tag" else tags.take)([version.item for version in versions], names, actor)
        return Outcome(done=len(versions))
    acts: dict[str, Callable[[Version], object]] = {
        "submit": lambda version: services.submit_for_review(version, actor),
        "publish": lambda version: services.publish(version, actor, comment),
        "retire": lambda version: services.retire(version, actor, comment),
    }
    if name not in acts:
        raise Refused(_("There is no such action."))
    outcome = Outcome()
    for version in versions:
        try:
            acts[name](version)
            outcome.done += 1
        except Refused as refusal:
            outcome.refused.append((title(version, language), str(refusal)))
    return outcome
