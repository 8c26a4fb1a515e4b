"""What is done to a scenario of the library after it is written (`drafts`): review, publication, retirement. Every act
is one transaction, recorded as an `Act`.

For each act there is a `verify_…`, which raises Refused with the reason; pages offer only what passes it.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Ruling
from training.library import authors, drafts, exam_bank, letters, margin_remarks, moments
from training.library.acts import MAX_COMMENT, act, change, reason
from training.library.acts import UnfitComment as UnfitComment
from training.library.author_texts import has_title
from training.library.models import Act, Item, Pivot, Version
from training.library.ruled import not_accepted, ruled
from training.people.models import User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused as Refused
from training.platform.errors import passes

State = Version.State


# ---- review


@act
def submit_for_review(version: Version, actor: User) -> Version:
    """Send a draft to review. It needs a title, a ruling, and every remark of the engine accepted."""
    drafts.verify_save(version, actor)
    if version.unfinished:
        raise Refused(_("Its facts do not fit together yet. Open it in the editor and put them right."))
    if not has_title(version):
        raise Refused(_("Give it a title before you send it: the reviewer and every list identify it by that."))
    for moment in moments.moments(version):
        scenario, _ruling = ruled(moment)
        if not_accepted(scenario, moment.accepted):
            raise Refused(_("There are remarks on these facts. Put them right, or accept each remark in the editor."))
    return change(version, Act.Kind.SUBMITTED, actor, state=State.IN_REVIEW)


def verify_send_back(version: Version, actor: User) -> None:
    if version.state != State.IN_REVIEW:
        raise Refused(_("Only what is in review can be sent back."))
    if not authors.writes(version, actor):
        authors.verify_reviews(version, actor)


@act
def send_back(version: Version, actor: User, comment: str) -> Version:
    """Make it a draft again. A reviewer must say why; an author who takes it back need not."""
    verify_send_back(version, actor)
    if authors.writes(version, actor):
        return change(version, Act.Kind.WITHDRAWN, actor, comment=comment.strip()[:MAX_COMMENT], state=State.DRAFT)
    return change(version, Act.Kind.RETURNED, actor, comment=reason(comment), state=State.DRAFT)


def verify_publish(version: Version, actor: User) -> None:
    if version.state != State.IN_REVIEW:
        raise Refused(_("Only what is in review can be published."))
    authors.verify_reviews(version, actor)


@act
def publish(version: Version, actor: User, comment: str = "", *, reserved: bool = False) -> Version:
    """Publish it for practice, or reserved for exams, with the engine's current ruling.

    Retires the version that was published before.
    """
    verify_publish(version, actor)
    if version.item.versions.filter(number__gt=version.number, published_at__isnull=False).exists():
        raise Refused(_("A later version of this scenario has been published already."))
    margin_remarks.verify_settled(version)
    exam_bank.hold_facts(version)
    if reserved:
        exam_bank.verify_enters(version)
    else:
        exam_bank.verify_leaves(version)
        exam_bank.verify_not_kept(version)
        exam_bank.let_go(version)
    (scenario, ruling), *later = map(ruled, moments.moments(version))
    former = Version.objects.filter(item=version.item, state__in=[State.PUBLISHED, State.SUSPENDED])
    for old in former.exclude(pk=version.pk):
        change(old, Act.Kind.RETIRED, actor, state=State.RETIRED)
    published = change(
        version,
        Act.Kind.PUBLISHED,
        actor,
        comment=comment.strip()[:MAX_COMMENT],
        ruling=ruling,
        state=State.PUBLISHED,
        reserved=reserved,
        scenario_document=as_stored(scenario),
        ruling_document=as_stored(ruling),
        moments=[
            stored | {"scenario": as_stored(one), "ruling": as_stored(decided)}
            for stored, (one, decided) in zip(version.moments, later, strict=True)
        ],
        published_by=actor,
        published_at=timezone.now(),
    )
    Pivot.objects.bulk_create(Pivot(version=version, cite=cite) for cite in ruling.pivots)
    return published


def verify_release(version: Version) -> None:
    if version.state != State.PUBLISHED or not version.reserved:
        raise Refused(_("Only what is reserved for exams can be released for practice."))
    exam_bank.verify_leaves(version)


@act
def release(version: Version, actor: User, comment: str) -> Version:
    """Give a scenario of the exam bank to practice, for good. Needs a reason."""
    verify_release(version)
    exam_bank.hold_facts(version)
    exam_bank.verify_not_kept(version)
    exam_bank.let_go(version)
    return change(version, Act.Kind.RELEASED, actor, comment=reason(comment), reserved=False)


def verify_retire(version: Version) -> None:
    if version.state == State.RETIRED:
        raise Refused(_("It has already been retired."))


@act
def retire(version: Version, actor: User, comment: str, *, tell: bool = True) -> Version:
    """Take it out of use for good. Needs a reason. Answers given to it stay. Its authors are told, unless the caller
    does that."""
    verify_retire(version)
    retired = change(version, Act.Kind.RETIRED, actor, comment=reason(comment), state=State.RETIRED)
    if tell:
        letters.tell_owners("retire", [retired], actor, comment)
    return retired


@transaction.atomic
def suspend(version: Version, *, ruling: Ruling | None, comment: str = "", moment: int = 1) -> Version | None:
    """Suspend a version because its ruling changed; `moment` is the first moment whose ruling did.

    Returns None if the version is no longer published."""
    Item.objects.select_for_update().get(pk=version.item_id)
    current = Version.objects.get(pk=version.pk)
    if current.state != State.PUBLISHED:
        return None
    return change(
        current,
        Act.Kind.SUSPENDED,
        None,
        comment=comment,
        engine=rules_engine.rulebook(version.rulebook).game.version,
        ruling=ruling,
        moment=moment,
        state=State.SUSPENDED,
    )


# ---- what is offered


def allowed_acts(version: Version, actor: User, *, latest: bool) -> list[str]:
    """The names of the acts that this person may do on this version now."""
    checks: dict[str, Callable[[], None]] = {
        "edit": lambda: drafts.verify_save(version, actor),
        "next_moment": lambda: drafts.verify_next_moment(version, actor),
        "add_author": lambda: authors.verify_names(version, actor),
        "submit": lambda: drafts.verify_save(version, actor),
        "publish": lambda: verify_publish(version, actor),
        "send_back": lambda: verify_send_back(version, actor),
        "release": lambda: verify_release(version),
        "retire": lambda: verify_retire(version),
    }
    if latest:
        checks["new_version"] = lambda: drafts.verify_new_version(version)
    return [name for name, verify in checks.items() if passes(verify)]
