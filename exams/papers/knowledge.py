"""What a candidate may know beforehand, so that nothing of it is put to them in an exam."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from exams import clock
from exams.audit.models import Entry
from exams.papers import hooks
from exams.programmes.rules import Line
from exams.records.models import ExamItem, FormItem
from rules_engine import Scenario, encode, present_format
from training.library.guarded_cases import same_game
from training.library.models import Act, CoAuthor, Origin, Version
from training.people.models import Role, RoleGrant
from training.platform.engine_json import document
from training.practice.models import Drill
from training.sprint.kinds import KINDS
from training.sprint.models import SprintCase

# Instructors read every scenario with its ruling, administrators whole papers.
READING = (Role.INSTRUCTOR, Role.ADMINISTRATOR)
# A drill is stored a little after the moment it is dated with.
OVERLAP = timedelta(minutes=1)
PACE = 10_000  # cases read between two signs of being at work


def until_now() -> datetime:
    """The moment up to which what is read now of somebody's practice is surely all there is."""
    return clock.now() - OVERLAP


def fingerprint_of(made: Scenario) -> str:
    """Two scenarios with one fingerprint are the same case: the same facts under the same rulebook."""
    return _fingerprint(made.rulebook, document(made.situation))


def _fingerprint(rulebook: str, situation: Any) -> str:
    # Of the facts as plain data, so that what is stored needs no reading as a scenario.
    return hashlib.sha256(rulebook.encode() + encode(situation)).hexdigest()


def fingerprints(rulebooks: Iterable[str], situation: Any) -> set[str]:
    """Of the same facts, given as plain data, under each of these rulebooks."""
    return {_fingerprint(rulebook, situation) for rulebook in rulebooks}


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


def known_to(
    people: Iterable[int], lines: Iterable[Line], *, besides: UUID, at_work: Callable[[], None] = lambda: None
) -> dict[int, Known]:
    """What each of these people may know of the blueprint's topics, apart from what session `besides` puts.

    Of thousands of people these are a million cases: `at_work` is called every second or so.
    """
    ids = list(people)
    cases: dict[int, set[str]] = {pk: set() for pk in ids}
    library: dict[int, set[UUID]] = {pk: set() for pk in ids}
    asked = _asked(lines)
    # What is generated has the topic of its kind; authors put the same facts under whichever they like.
    near = Q(topic__in={topic for topics in asked.values() for topic in topics}) | Q(version__isnull=False)
    drills = Drill.objects.filter(near, trainee__in=ids, rulebook__in=asked)
    met_in = drills.values_list("trainee_id", "rulebook", "topic", "version_id", "scenario_document")
    for pk, book, topic, version, stored in _paced(met_in, at_work):
        books = set().union(*asked[book].values()) if version else asked[book].get(topic, set())
        if books:
            cases[pk] |= fingerprints(books, present_format("scenario", stored)["situation"])
    # A sprint tells at once what was right.
    kinds = [kind.key for kind in KINDS.values() if any(topic in asked.get(book, {}) for book, topic in kind.topics)]
    run = SprintCase.objects.filter(sprint__trainee__in=ids, sprint__kind__in=kinds)
    sprinted = run.values_list("sprint__trainee_id", "scenario_document")
    for pk, stored in chain(_paced(sprinted, at_work), hooks.cases_met(ids)):
        met = present_format("scenario", stored)
        cases[pk] |= fingerprints(asked.get(met["rulebook"], {}).get(met["topic"], ()), met["situation"])
    sat = FormItem.objects.filter(form__candidate__person__in=ids).exclude(form__candidate__session=besides)
    for pk, fingerprint, item in sat.values_list(
        "form__candidate__person_id", "item__fingerprint", "item__version__item_id"
    ):
        cases[pk].add(fingerprint)
        library[pk] |= {item} - {None}
    drilled = Drill.objects.filter(trainee__in=ids, version__isnull=False).values_list("trainee_id", "version__item_id")
    written = Version.objects.filter(author__in=ids).values_list("author_id", "item_id")
    shared = CoAuthor.objects.filter(person__in=ids).values_list("person_id", "version__item_id")
    begun = Origin.objects.filter(person__in=ids).values_list("person_id", "version__item_id")
    judged = Version.objects.filter(published_by__in=ids).values_list("published_by_id", "item_id")
    # Whoever sent one back to its author has read it too.
    acted = Act.objects.filter(actor__in=ids).values_list("actor_id", "version__item_id").distinct()
    for pk, item in (*drilled, *written, *shared, *begun, *judged, *acted):
        if pk in library and item:
            library[pk].add(item)
    readers = _readers_of_the_library(ids)
    return {pk: Known(frozenset(cases[pk]), frozenset(library[pk]), pk in readers) for pk in ids}


def _paced(rows: QuerySet[Any, Any], at_work: Callable[[], None]) -> Iterator[Any]:
    for number, row in enumerate(rows.iterator(), 1):
        if number % PACE == 0:
            at_work()
        yield row


def _asked(lines: Iterable[Line]) -> dict[str, dict[str, set[str]]]:
    """For every rulebook of the games of these lines: by topic, the rulebooks that are asked about. Feedback tells how
    the others of the game rule, so what was met under one is known under all."""
    found: dict[str, dict[str, set[str]]] = {}
    for line in lines:
        for book in same_game(line.rulebook):
            found.setdefault(book, {}).setdefault(line.topic, set()).add(line.rulebook)
    return found


def _readers_of_the_library(ids: list[int]) -> set[int]:
    """Who has such a role, and who had one."""
    now = RoleGrant.objects.filter(user__in=ids, role__in=READING).values_list("user_id", flat=True)
    subjects = {f"person:{pk}": pk for pk in ids}
    taken = Entry.objects.filter(act="role.taken", subject__in=subjects).values_list("subject", "details__roles")
    return {*now, *(subjects[who] for who, roles in taken if not set(READING).isdisjoint(roles))}
