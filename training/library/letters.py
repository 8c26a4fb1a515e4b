"""The library's mails."""

from collections.abc import Iterable

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from training.library.author_texts import title
from training.library.models import Version
from training.mail.outbox import Envelope, link_to, post
from training.people.models import User

# What somebody did to scenarios of others.
DONE: dict[str, Promise | str] = {
    "publish": gettext_lazy("%(name)s published some of your scenarios"),
    "retire": gettext_lazy("%(name)s retired some of your scenarios"),
    "tag": gettext_lazy("%(name)s added tags to some of your scenarios"),
    "untag": gettext_lazy("%(name)s removed tags from some of your scenarios"),
}


def tell_owners(done: str, versions: Iterable[Version], actor: User, comment: str = "") -> None:
    """Tell the authors of these versions what was done to them: one mail for each author but the actor."""
    theirs: dict[User, list[Version]] = {}
    for version in versions:
        for owner in (version.author, *(row.person for row in version.co_authorships.select_related("person"))):
            if owner != actor:
                theirs.setdefault(owner, []).append(version)
    post([_letter(done, owner, found, actor, comment) for owner, found in theirs.items()])


def _letter(done: str, owner: User, versions: list[Version], actor: User, comment: str) -> Envelope:
    with translation.override(owner.language):
        listed = [(title(version, owner.language), link_to("version", version.pk)) for version in versions]
        subject = str(DONE[done]) % {"name": actor.name}
        told = {"person": owner, "what": subject, "listed": listed, "comment": comment.strip()}
        return Envelope(owner, subject, render_to_string("library/letters/done.txt", told).strip())
