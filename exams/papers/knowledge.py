"""What a candidate may know beforehand, so that nothing of it is put to them in an exam."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from exams import clock
from exams.audit.models import Entry
from exams.programmes.rules import Line
from exams.records.models import ExamItem, FormItem
from rules_engine import Scenario, encode, present_format
from training.library.models import Act, Version
from training.people.models import Role, RoleGrant
from training.practice.models import Drill
from training.stored import document

# A drill is stored a little after the moment it is dated with.
OVERLAP = timedelta(minutes=1)


def until_now() -> datetime:
    """The moment up to which what is read now of somebody's practice is surely all there is."""
    return clock.now() - OVERLAP


def fingerprint_of(made: Scenario) -> str:
    """Two scenarios with one fingerprint are the same case: the same facts under the same rulebook."""
    return _fingerprint(made.rulebook, document(made.situation))


def _fingerprint(rulebook: str, situation: Any) -> str:
    # Of the facts as plain data, so that what is stored needs no reading as a scenario.
    return hashlib.sha256(rulebook.encode() + encode(situation)).hexdigest()


@dataclass(frozen=True)
class Known:
    """Cases a person met in practice or in an earlier exam, and scenarios of the library that they met or worked on."""

    cases: frozenset[str] = frozenset()
    library: frozenset[UUID] = frozenset()
    reads_library: bool = False

    def has(self, item: ExamItem) -> bool:
        if item.fingerprint in self.cases:
            return True
        return item.version is not None and (self.reads_library or item.version.item_id in self.library)


def known_to(people: Iterable[int], lines: Iterable[Line], *, besides: UUID) -> dict[int, Known]:
    """What each of these people may know of the blueprint's topics, apart from what session `besides` puts."""
    ids = list(people)
    cases: dict[int, set[str]] = {pk: set() for pk in ids}
    library: dict[int, set[UUID]] = {pk: set() for pk in ids}
    topics = {(line.rulebook, line.topic) for line in lines}
    drills = Drill.objects.filter(trainee__in=ids, topic__in={topic for _book, topic in topics})
    for pk, book, topic, stored in drills.values_list(
        "trainee_id", "rulebook", "topic", "scenario_document"
    ).iterator():
        if (book, topic) in topics:
            cases[pk].add(_fingerprint(book, present_format("scenario", stored)["situation"]))
    sat = FormItem.objects.filter(form__candidate__person__in=ids).exclude(form__candidate__session=besides)
    for pk, fingerprint, item in sat.values_list(
        "form__candidate__person_id", "item__fingerprint", "item__version__item_id"
    ):
        cases[pk].add(fingerprint)
        library[pk] |= {item} - {None}
    drilled = Drill.objects.filter(trainee__in=ids, version__isnull=False).values_list("trainee_id", "version__item_id")
    written = Version.objects.filter(author__in=ids).values_list("author_id", "item_id")
    judged = Version.objects.filter(published_by__in=ids).values_list("published_by_id", "item_id")
    # Whoever sent one back to its author has read it too.
    acted = Act.objects.filter(actor__in=ids).values_list("actor_id", "version__item_id").distinct()
    for pk, item in (*drilled, *written, *judged, *acted):
        if pk in library and item:
            library[pk].add(item)
    readers = _readers_of_the_library(ids)
    return {pk: Known(frozenset(cases[pk]), frozenset(library[pk]), pk in readers) for pk in ids}


def _readers_of_the_library(ids: list[int]) -> set[int]:
    """Instructors read every scenario with its ruling, administrators whole papers; so did who was either."""
    reading = (Role.INSTRUCTOR, Role.ADMINISTRATOR)
    now = RoleGrant.objects.filter(user__in=ids, role__in=reading).values_list("user_id", flat=True)
    subjects = {f"person:{pk}": pk for pk in ids}
    taken = Entry.objects.filter(act="role.taken", subject__in=subjects).values_list("subject", "details__roles")
    return {*now, *(subjects[who] for who, roles in taken if not set(reading).isdisjoint(roles))}
