"""The exam bank: published scenarios that nobody practises, kept for exams.

A scenario enters the bank when it is published. It can be released to practice once; after that it never returns,
because somebody may have practised it.
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
from training.library.ruled import ruled
from training.platform.errors import Refused

MISTAKE = Version.Source.MISTAKE


def exposure(item_id: UUID) -> Exposure:
    return hooks.exposure([item_id])[item_id]


def verify_enters(version: Version) -> None:
    """Raises Refused if somebody may have met this version in practice, so that it cannot be reserved for exams."""
    if version.moments:
        raise Refused(_("A story of several moments is for practice: exams ask single moments only."))
    if rules_engine.practice_only(ruled(version)[0]):
        raise Refused(
            _("The questions left out keep this scenario from exams. Ask them all, or publish it for practice.")
        )
    # The facts of a trainee's mistake may have been copied into another item.
    if version.source == MISTAKE or _shares_facts(version, Version.objects.filter(source=MISTAKE)):
        raise Refused(_("A trainee has met these facts in practice, so they cannot be reserved for exams."))
    if Version.objects.filter(item=version.item_id, drills__isnull=False).exists():
        raise Refused(_("This scenario was practised, so it cannot be reserved for exams."))
    if Act.objects.filter(version__item=version.item_id, kind=Act.Kind.RELEASED).exists():
        raise Refused(_("This scenario has been released for practice for good, so it cannot be reserved for exams."))
    if _shares_facts(version, Version.objects.filter(reserved=False, published_at__isnull=False)):
        raise Refused(_("Practice has a scenario with the same facts, so it cannot be reserved for exams."))


def verify_not_kept(version: Version) -> None:
    """Raises Refused if a scenario of the bank has the same facts as any moment of this version."""
    if _shares_facts(version, of_the_bank().exclude(state=Version.State.RETIRED)):
        raise Refused(_("The exam bank has a scenario with the same facts, so it cannot be used in practice."))


def let_go(version: Version) -> None:
    """Un-reserve retired versions with the same facts: once in practice, they are no longer secret."""
    retired = of_the_bank().filter(state=Version.State.RETIRED)
    Version.objects.filter(pk__in=list(_sharing(version, retired))).update(reserved=False)


def _shares_facts(version: Version, others: QuerySet[Version]) -> bool:
    return any(True for _pk in _sharing(version, others))


def _sharing(version: Version, others: QuerySet[Version]) -> Iterator[int]:
    """The ids of those versions of other items that share the facts of any moment, under any topic and any rulebook of
    the game."""
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
    """Lock the facts of all moments of this version until the transaction ends.

    Otherwise one person could give them to practice while another reserves them. SQLite has only one writer anyway."""
    if connection.vendor != "postgresql":
        return
    found = (json.dumps(facts, sort_keys=True) for facts in _all_facts(version.scenario_document, version.moments))
    digests = {hashlib.blake2b(facts.encode(), digest_size=8).digest() for facts in found}
    with connection.cursor() as cursor:
        for digest in sorted(digests):  # always in the same order, to avoid deadlocks
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(digest, signed=True)])


def verify_leaves(version: Version) -> None:
    """Raises Refused if an exam that is not over uses the version's item."""
    if exposure(version.item_id).in_use:
        raise Refused(_("This scenario is in an exam that is not over. It can be released for practice after that."))
