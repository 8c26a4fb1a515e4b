"""Writing scenarios of the library: drafts, the moments of a story, new versions. `services` has the acts after that.

Every act is one transaction, recorded as an `Act`. Each `verify_…` raises Refused with the reason.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Scenario
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.library import authors, moments
from training.library.acts import act, change, record, verify_instructor
from training.library.author_texts import checked_words, search_text
from training.library.models import Act, Item, Version
from training.library.ruled import fresh, still_odd
from training.people.models import User
from training.people.request import language
from training.platform.engine_json import as_stored
from training.platform.errors import ChangedMeanwhile, Refused

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
    later: Iterable[dict[str, Any]] = (),
    copied: Iterable[Version] = (),
    noted: bool = True,
) -> Version:
    """Make the first version of a new item. Raises EngineError for impossible facts and UnfitWords for invalid texts.

    `later` are the later moments of a story, as `moments.kept_moment` makes them; `copied` are the versions that the
    facts come from. With `noted`, also records who wrote the same facts before (`authors.note_facts`).
    """
    verify_instructor(author)
    item, given = Item.objects.create(), {} if words is None else words
    made = _new_draft(item, 1, author, scenario, source=source, words=given, accepted=accepted, later=list(later))
    authors.note_origins(made, copied)
    if noted:
        authors.note_facts([(made, moments.situations(made.scenario_document, made.moments))])
    return made


def start_from_mistake(author: User, scenario_document: Any) -> Version:
    """A draft with the facts of a trainee's mistake. The caller has checked that the author may see them."""
    scenario = rules_engine.scenario_from(scenario_document)
    # The seed of a trainee's drill stays secret.
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
    later: list[dict[str, Any]],
) -> Version:
    verify_length(later)
    version = Version.objects.create(
        item=item,
        number=number,
        author=author,
        source=source,
        accepted=still_odd(scenario, accepted),
        moments=later,
        **_words(words, later),
        **_facts(scenario),
    )
    record(version, Act.Kind.CREATED, author)
    return version


def verify_length(later: Collection[Any]) -> None:
    if len(later) >= moments.MOST:
        raise Refused(_("A story has at most %(limit)d moments.") % {"limit": moments.MOST})


def _facts(scenario: Scenario) -> dict[str, Any]:
    kept = fresh(scenario)
    return {
        "rulebook": kept.rulebook,
        "topic": kept.topic,
        "difficulty": kept.difficulty,
        "scenario_document": as_stored(kept),
    }


def _words(words: dict[str, Any], later: Iterable[dict[str, Any]]) -> dict[str, Any]:
    kept = checked_words(words)
    return {"words": kept, "search_text": search_text(kept, *(one["words"] for one in later))}


def verify_save(version: Version, actor: User) -> None:
    if version.state != State.DRAFT:
        raise Refused(_("Only a draft can be changed. Make a new version of this one."))
    if not authors.writes(version, actor):
        raise Refused(_("Only its authors can change a draft."))


@act
def save_draft(
    version: Version,
    actor: User,
    *,
    scenario: Scenario | None = None,
    words: dict[str, Any] | None = None,
    accepted: Iterable[str] = (),
    later: list[dict[str, Any]] | None = None,
    seen: datetime | None = None,
) -> Version:
    """Change the facts, the texts or all `later` moments (`moments.kept_moment`) of one's own draft.

    `seen` is the `changed_at` that the editor started from. Raises ChangedMeanwhile if it is no longer current.
    """
    verify_save(version, actor)
    verify_seen(version, seen)
    changes: dict[str, Any] = {}
    if scenario is not None:
        changes = _facts(scenario) | {"accepted": still_odd(scenario, accepted), "unfinished": without(version, 1)}
    if later is not None:
        verify_length(later)
        changes["moments"] = later
    if words is not None or later is not None:
        changes |= _words(version.words if words is None else words, version.moments if later is None else later)
    return _changed_facts(version, actor, **changes)


def _changed_facts(version: Version, actor: User, **changes: Any) -> Version:
    """Save the changes and record who wrote the new facts before."""
    former = moments.situations(version.scenario_document, version.moments)
    changed = change(version, Act.Kind.EDITED, actor, **changes)
    now = moments.situations(changed.scenario_document, changed.moments)
    authors.note_facts([(changed, [facts for facts in now if facts not in former])])
    return changed


def verify_seen(version: Version, seen: datetime | None) -> None:
    """Raises ChangedMeanwhile, which says who changed the version, if it is not as somebody saw it."""
    if seen is None or seen == version.changed_at:
        return
    last = version.acts.filter(kind__in=authors.WRITING).select_related("actor").order_by("at", "pk").last()
    if last is None or last.actor is None:
        raise ChangedMeanwhile(_("This draft was changed in another window after you opened it here."))
    told = {"name": last.actor.name, "at": time_format(localtime(version.changed_at), "TIME_FORMAT")}
    raise ChangedMeanwhile(_("%(name)s changed this draft at %(at)s, after you opened it here.") % told)


def without(version: Version, number: int, *, gone: bool = False) -> dict[str, Any]:
    """What is typed for unfinished moments but this one. If the moment is `gone`, later ones move up."""
    kept = {int(at): typed for at, typed in version.unfinished.items() if int(at) != number}
    return {str(at - 1 if gone and at > number else at): typed for at, typed in kept.items()}


# ---- the moments of a story


def verify_next_moment(version: Version, actor: User) -> None:
    verify_save(version, actor)
    if moments.count(version) >= moments.MOST:
        raise Refused(_("A story has at most %(limit)d moments.") % {"limit": moments.MOST})


@act
def save_moment(
    version: Version,
    actor: User,
    number: int,
    *,
    scenario: Scenario,
    words: dict[str, Any],
    accepted: Iterable[str] = (),
    seen: datetime | None = None,
) -> Version:
    """Change a later moment of one's own draft; the number after the last adds one."""
    adds = number == moments.count(version) + 1
    if adds:
        verify_next_moment(version, actor)
    else:
        verify_save(version, actor)
    verify_seen(version, seen)
    if not adds and not 2 <= number <= moments.count(version):
        raise Refused(_("The story has no such moment."))
    if scenario.rulebook != version.rulebook:
        raise Refused(_("All moments of a story are ruled on by one rulebook."))
    later = list(version.moments)
    later[number - 2 : number - 1] = [moments.kept_moment(scenario, words, accepted)]
    return _change_later(version, actor, later, without(version, number))


@act
def remove_moment(version: Version, actor: User, number: int) -> Version:
    """Remove a later moment from one's own draft. Those after it move up."""
    verify_save(version, actor)
    if not 2 <= number <= moments.count(version):
        raise Refused(_("The story has no such moment."))
    left = [*version.moments[: number - 2], *version.moments[number - 1 :]]
    return _change_later(version, actor, left, without(version, number, gone=True))


def _change_later(version: Version, actor: User, later: list[dict[str, Any]], unfinished: dict[str, Any]) -> Version:
    return _changed_facts(version, actor, moments=later, unfinished=unfinished, **_words(version.words, later))


# ---- new versions


@act
def fork(version: Version, actor: User) -> Version:
    """A new version of a draft for one of its authors, who goes on with what they typed while others changed it."""
    verify_save(version, actor)
    latest = Version.objects.filter(item=version.item_id).latest("number")
    copy: dict[str, Any] = {"source": version.source, "words": version.words, "accepted": version.accepted}
    made = _new_draft(version.item, latest.number + 1, actor, version.scenario, later=version.moments, **copy)
    authors.carry_on(version, made)
    return made


def verify_new_version(version: Version) -> None:
    """Raises Refused if this version, the latest of its item, is still being worked on."""
    if version.state in (State.DRAFT, State.IN_REVIEW):
        raise Refused(_("There is already a version being worked on."))


@transaction.atomic
def new_version(item: Item, actor: User) -> Version:
    """Copy the latest version into a new draft, with the engine's current questions."""
    verify_instructor(actor)
    Item.objects.select_for_update().get(pk=item.pk)
    latest = Version.objects.filter(item=item).latest("number")
    verify_new_version(latest)
    try:
        kept: dict[str, Any] = {"source": latest.source, "words": latest.words, "accepted": latest.accepted}
        later = [
            moments.kept_moment(one.scenario, stored["words"], one.accepted)
            for one, stored in zip(moments.moments(latest)[1:], latest.moments, strict=True)
        ]
        made = _new_draft(item, latest.number + 1, actor, latest.scenario, later=later, **kept)
        authors.carry_on(latest, made)
        return made
    except EngineError as error:
        raise Refused(_("The engine now refuses these facts: %(why)s") % {"why": refusal(error, language())}) from None
