"""What can be done to a scenario of the library. Every act is one transaction and leaves an `Act` behind.

For each act `verify_…` says by raising why it may not be done; pages offer only what would not be refused.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Ruling, Scenario
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.library import bank, margin
from training.library.acts import MAX_COMMENT, act, change, reason, record, verify_instructor
from training.library.acts import UnfitComment as UnfitComment
from training.library.models import Act, Item, Pivot, Version
from training.library.ruled import fresh as fresh
from training.library.ruled import not_accepted, ruled, still_odd
from training.library.words import checked_words, has_title, search_text
from training.people.models import User
from training.people.request import language
from training.refusal import ChangedMeanwhile
from training.refusal import Refused as Refused
from training.stored import as_stored

State = Version.State


# ---- drafts


@transaction.atomic
def create_draft(
    author: User,
    scenario: Scenario,
    *,
    source: Version.Source | str,
    words: dict[str, Any] | None = None,
    accepted: Iterable[str] = (),
) -> Version:
    """The first version of a new item. EngineError where the facts are impossible, UnfitWords where the words are."""
    verify_instructor(author)
    item = Item.objects.create()
    return _new_draft(item, 1, author, scenario, source=source, words={} if words is None else words, accepted=accepted)


def start_from_generated(author: User, scenario: Scenario) -> Version:
    return create_draft(author, scenario, source=Version.Source.GENERATED)


def start_from_mistake(author: User, scenario_document: Any) -> Version:
    """A draft with the facts on which a trainee went wrong. The caller has checked that the author may see them."""
    scenario = rules_engine.scenario_from(scenario_document)
    # The seed of a trainee's drill is a secret of that drill.
    return create_draft(author, msgspec.structs.replace(scenario, seed=""), source=Version.Source.MISTAKE)


def _new_draft(
    item: Item,
    number: int,
    author: User,
    scenario: Scenario,
    *,
    source: str,
    words: dict[str, Any],
    accepted: Iterable[str],
) -> Version:
    version = Version.objects.create(
        item=item,
        number=number,
        author=author,
        source=source,
        accepted=still_odd(scenario, accepted),
        **_words(words),
        **_facts(scenario),
    )
    record(version, Act.Kind.CREATED, author)
    return version


def _facts(scenario: Scenario) -> dict[str, Any]:
    kept = fresh(scenario)
    return {
        "rulebook": kept.rulebook,
        "topic": kept.topic,
        "difficulty": kept.difficulty,
        "scenario_document": as_stored(kept),
    }


def _words(words: dict[str, Any]) -> dict[str, Any]:
    kept = checked_words(words)
    return {"words": kept, "search_text": search_text(kept)}


def verify_save(version: Version, actor: User) -> None:
    if version.state != State.DRAFT:
        raise Refused(_("Only a draft can be changed. Make a new version of this one."))
    if version.author_id != actor.pk:
        raise Refused(_("Only its author changes a draft."))


@act
def save_draft(
    version: Version,
    actor: User,
    *,
    scenario: Scenario | None = None,
    words: dict[str, Any] | None = None,
    accepted: Iterable[str] = (),
    seen: datetime | None = None,
) -> Version:
    """Change the facts or the words of one's own draft. `seen` is the `changed_at` that the editor started from."""
    verify_save(version, actor)
    if seen is not None and seen != version.changed_at:
        raise ChangedMeanwhile(_("This draft was changed in another window after you opened it here."))
    changes: dict[str, Any] = {}
    if scenario is not None:
        changes = _facts(scenario) | {"accepted": still_odd(scenario, accepted)}
    if words is not None:
        changes |= _words(words)
    return change(version, Act.Kind.EDITED, actor, **changes)


def verify_new_version(version: Version) -> None:
    """Whether a new draft may be made from this version, the latest of its item."""
    if version.state in (State.DRAFT, State.IN_REVIEW):
        raise Refused(_("There is already a version being worked on."))


@transaction.atomic
def new_version(item: Item, actor: User) -> Version:
    """A copy of the latest version as a new draft, with the questions that the engine asks today."""
    verify_instructor(actor)
    Item.objects.select_for_update().get(pk=item.pk)
    latest = Version.objects.filter(item=item).latest("number")
    verify_new_version(latest)
    try:
        kept = {"source": latest.source, "words": latest.words, "accepted": latest.accepted}
        return _new_draft(item, latest.number + 1, actor, latest.scenario, **kept)
    except EngineError as error:
        raise Refused(_("The engine refuses these facts now: %(why)s") % {"why": refusal(error, language())}) from None


# ---- review


def verify_submit(version: Version, actor: User) -> None:
    verify_save(version, actor)


@act
def submit_for_review(version: Version, actor: User) -> Version:
    """To a second person, under a title and ruled on."""
    verify_submit(version, actor)
    if not has_title(version):
        raise Refused(_("Give it a title before you send it: the reviewer and every list call it by that."))
    scenario, _ruling = ruled(version)
    if not_accepted(scenario, version.accepted):
        raise Refused(
            _("Something about these facts is odd. Put it right, or accept each remark on the editor's page.")
        )
    return change(version, Act.Kind.SUBMITTED, actor, state=State.IN_REVIEW)


def verify_send_back(version: Version) -> None:
    if version.state != State.IN_REVIEW:
        raise Refused(_("Only what is in review can be sent back."))


@act
def send_back(version: Version, actor: User, comment: str) -> Version:
    """Back to its author as a draft, saying why; the author may take it back too, for whatever reason."""
    verify_send_back(version)
    if actor.pk == version.author_id:
        return change(version, Act.Kind.WITHDRAWN, actor, comment=comment.strip()[:MAX_COMMENT], state=State.DRAFT)
    return change(version, Act.Kind.RETURNED, actor, comment=reason(comment), state=State.DRAFT)


def verify_publish(version: Version, actor: User) -> None:
    if version.state != State.IN_REVIEW:
        raise Refused(_("Only what is in review can be published."))
    if version.author_id == actor.pk:
        raise Refused(_("A second person publishes: the author cannot."))


@act
def publish(version: Version, actor: User, comment: str = "", *, reserved: bool = False) -> Version:
    """Put it to use, in practice or reserved for exams, with the ruling that the engine gives now.

    What was published before it is retired.
    """
    verify_publish(version, actor)
    margin.verify_settled(version)
    if reserved:
        bank.verify_enters(version)
    else:
        bank.verify_leaves(version)
    scenario, ruling = ruled(version)
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
        published_by=actor,
        published_at=timezone.now(),
    )
    Pivot.objects.bulk_create(Pivot(version=version, cite=cite) for cite in ruling.pivots)
    return published


def verify_release(version: Version) -> None:
    if version.state != State.PUBLISHED or not version.reserved:
        raise Refused(_("Only what is reserved for exams can be given to practice."))
    bank.verify_leaves(version)


@act
def release(version: Version, actor: User, comment: str) -> Version:
    """Give a scenario of the exam bank to practice, for good, saying why."""
    verify_release(version)
    return change(version, Act.Kind.RELEASED, actor, comment=reason(comment), reserved=False)


def verify_retire(version: Version) -> None:
    if version.state == State.RETIRED:
        raise Refused(_("It is already retired."))


@act
def retire(version: Version, actor: User, comment: str) -> Version:
    """Take it out of use for good, saying why. Answers given to it stay."""
    verify_retire(version)
    return change(version, Act.Kind.RETIRED, actor, comment=reason(comment), state=State.RETIRED)


@transaction.atomic
def suspend(version: Version, *, ruling: Ruling | None, comment: str = "") -> Version | None:
    """Taken out of use by the platform because the engine rules otherwise now. None if it is no longer in use."""
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
        state=State.SUSPENDED,
    )


# ---- shared


def allowed_acts(version: Version, actor: User, *, latest: bool) -> list[str]:
    """What this person may do with this version now, by the name of the act."""
    checks: dict[str, Callable[[], None]] = {
        "edit": lambda: verify_save(version, actor),
        "submit": lambda: verify_submit(version, actor),
        "publish": lambda: verify_publish(version, actor),
        "send_back": lambda: verify_send_back(version),
        "release": lambda: verify_release(version),
        "retire": lambda: verify_retire(version),
    }
    if latest:
        checks["new_version"] = lambda: verify_new_version(version)
    return [name for name, verify in checks.items() if _passes(verify)]


def _passes(verify: Callable[[], None]) -> bool:
    try:
        verify()
    except Refused:
        return False
    return True
