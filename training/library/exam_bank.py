"""The exam bank: published scenarios that nobody practises, kept for exams.

Whether a scenario enters it is decided when it is published. It leaves it for practice once and for good: what anybody
may have practised is never put in the bank again.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

import rules_engine
from training.library import hooks
from training.library.guarded_cases import of_the_bank, same_game
from training.library.hooks import Exposure
from training.library.models import Act, Version
from training.platform.errors import Refused

MISTAKE = Version.Source.MISTAKE


def exposure(item_id: UUID) -> Exposure:
    return hooks.exposure([item_id]).get(item_id, Exposure())


def verify_enters(version: Version) -> None:
    """Whether a version in review may be published for exams alone: nobody can have met it in practice."""
    if version.moments:
        raise Refused(_("A story of several moments is for practice: exams ask single moments only."))
    # Facts that were copied into an item of one's own are the same.
    if version.source == MISTAKE or _shares_facts(version, Version.objects.filter(source=MISTAKE)):
        raise Refused(_("A trainee has met these facts in practice, so they cannot be reserved for exams."))
    if Version.objects.filter(item=version.item_id, drills__isnull=False).exists():
        raise Refused(_("This scenario was practised, so it cannot be reserved for exams."))
    if Act.objects.filter(version__item=version.item_id, kind=Act.Kind.RELEASED).exists():
        raise Refused(_("This scenario has been released for practice for good, so it cannot be reserved for exams."))
    if _in_practice(version):
        raise Refused(_("Practice has a scenario with the same facts, so it cannot be reserved for exams."))


def _in_practice(version: Version) -> bool:
    """Whether another item with the same facts is or was published for practice, under whatever topic."""
    practised = Version.objects.filter(reserved=False, published_at__isnull=False)
    return _shares_facts(version, practised)


def verify_not_kept(version: Version) -> None:
    """Whether what is given to practice is no case of the bank under another number, in none of its moments."""
    if _shares_facts(version, of_the_bank().exclude(state=Version.State.RETIRED)):
        raise Refused(_("The exam bank has a scenario with the same facts, so it cannot be used in practice."))


def let_go(version: Version) -> None:
    """What is given to practice is no secret any more: the bank gives up retired versions with the same facts."""
    retired = of_the_bank().filter(state=Version.State.RETIRED)
    Version.objects.filter(pk__in=list(_sharing(version, retired))).update(reserved=False)


def _shares_facts(version: Version, others: QuerySet[Version]) -> bool:
    return any(True for _pk in _sharing(version, others))


def _sharing(version: Version, others: QuerySet[Version]) -> Iterator[int]:
    """Those of these versions, of other items, that share the facts of a moment with a version, under any topic and any
    rulebook of the game."""
    of_game = others.filter(rulebook__in=same_game(version.rulebook)).exclude(item=version.item_id)
    own = _all_facts(version.scenario_document, version.moments)
    for pk, first, later in of_game.values_list("pk", "scenario_document", "moments").iterator():
        if any(facts in own for facts in _all_facts(first, later)):
            yield pk


def _all_facts(first: object, later: list[dict[str, Any]]) -> list[object]:
    return [_facts(first), *(_facts(moment["scenario"]) for moment in later)]


def _facts(stored: object) -> object:
    return rules_engine.present_format("scenario", stored)["situation"]


def hold_facts(version: Version) -> None:
    """Let nobody else put the facts of any moment of this version to use before this transaction is over: one person
    who gives them to practice and another who reserves them would not see each other. SQLite has one writer anyway."""
    if connection.vendor != "postgresql":
        return
    found = (json.dumps(facts, sort_keys=True) for facts in _all_facts(version.scenario_document, version.moments))
    digests = {hashlib.blake2b(facts.encode(), digest_size=8).digest() for facts in found}
    with connection.cursor() as cursor:
        for digest in sorted(digests):  # in one order, so that two stories never wait for each other
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(digest, signed=True)])


def verify_leaves(version: Version) -> None:
    """Whether a version may be in practice: no exam in use may hold its item."""
    if exposure(version.item_id).in_use:
        raise Refused(_("This scenario is in an exam that is not over. It can be released for practice after that."))
