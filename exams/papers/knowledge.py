"""What a candidate may already know, so that an exam does not ask it."""

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
# A drill is stored slightly later than its timestamp.
OVERLAP = timedelta(minutes=1)
PACE = 10_000  # cases read between two progress reports


def until_now() -> datetime:
    """The time up to which all practice is surely stored and visible."""
    return clock.now() - OVERLAP


def fingerprint_of(made: Scenario) -> str:
    """Hash of the rulebook and the facts: scenarios with the same fingerprint are the same case."""
    return _fingerprint(made.rulebook, document(made.situation))


def _fingerprint(rulebook: str, situation: Any) -> str:
    # Hashes plain data, so stored scenarios need not be decoded.
    return hashlib.sha256(rulebook.encode() + encode(situation)).hexdigest()


def fingerprints(rulebooks: Iterable[str], situation: Any) -> set[str]:
    """Fingerprints of the same facts, given as plain data, under each of these rulebooks."""
    return {_fingerprint(rulebook, situation) for rulebook in rulebooks}


@dataclass(frozen=True)
class Known:
    """Cases a person has met in practice or an earlier exam, and library scenarios they have met or worked on."""

    cases: frozenset[str] = frozenset()
    library: frozenset[UUID] = frozenset()
    reads_library: bool = False

    def has(self, item: ExamItem) -> bool:
        return self.has_case(item.fingerprint, item.version.item_id if item.version else None)

    def has_case(self, fingerprint: str, library_item: UUID | None) -> bool:
        if fingerprint in self.cases:
            return True
        return library_item is not None and (self.reads_library or library_item in self.library)


def known_to(
    people: Iterable[int], lines: Iterable[Line], *, besides: UUID, at_work: Callable[[], None] = lambda: None
) -> dict[int, Known]:
    """Maps each person to what they may know of the blueprint's topics, not counting session `besides`.

    For thousands of people this reads about a million cases; `at_work` is called every second or so.
    """
    ids = list(people)
    cases: dict[int, set[str]] = {pk: set() for pk in ids}
    library: dict[int, set[UUID]] = {pk: set() for pk in ids}
    for pk, fingerprint in _practised(ids, _asked(lines), at_work):
        cases[pk].add(fingerprint)
    sat = FormItem.objects.filter(form__candidate__person__in=ids).exclude(form__candidate__session=besides)
    for pk, fingerprint, item in sat.values_list(
        "form__candidate__person_id", "item__fingerprint", "item__version__item_id"
    ):
        cases[pk].add(fingerprint)
        library[pk] |= {item} - {None}
    for person, known in _library_items(ids):
        if person in library and known:
            library[person].add(known)
    readers = _library_readers(ids)
    return {pk: Known(frozenset(cases[pk]), frozenset(library[pk]), pk in readers) for pk in ids}


def _practised(
    ids: list[int], asked: dict[str, dict[str, set[str]]], at_work: Callable[[], None]
) -> Iterator[tuple[int, str]]:
    """Yields each person with the fingerprint of every case they met in drills, sprints and mock exams."""
    # Generated cases have a fixed topic; authors may file the same facts under any topic.
    near = Q(topic__in={topic for topics in asked.values() for topic in topics}) | Q(version__isnull=False)
    drills = Drill.objects.filter(near, trainee__in=ids, rulebook__in=asked)
    met_in = drills.values_list("trainee_id", "rulebook", "topic", "version_id", "scenario_document")
    for pk, book, topic, version, stored in _paced(met_in, at_work):
        books = set().union(*asked[book].values()) if version else asked[book].get(topic, set())
        if books:
            yield from ((pk, case) for case in fingerprints(books, present_format("scenario", stored)["situation"]))
    # Sprints show the right answer at once.
    kinds = [kind.key for kind in KINDS.values() if any(topic in asked.get(book, {}) for book, topic in kind.topics)]
    run = SprintCase.objects.filter(sprint__trainee__in=ids, sprint__kind__in=kinds)
    sprinted = run.values_list("sprint__trainee_id", "scenario_document")
    for pk, stored in chain(_paced(sprinted, at_work), hooks.cases_met(ids)):
        met = present_format("scenario", stored)
        books = asked.get(met["rulebook"], {}).get(met["topic"], set())
        yield from ((pk, case) for case in fingerprints(books, met["situation"]))


def _library_items(ids: list[int]) -> Iterator[tuple[int | None, UUID | None]]:
    """Yields each person with every library item they drilled, wrote, reviewed or published."""
    drilled = Drill.objects.filter(trainee__in=ids, version__isnull=False).values_list("trainee_id", "version__item_id")
    written = Version.objects.filter(author__in=ids).values_list("author_id", "item_id")
    shared = CoAuthor.objects.filter(person__in=ids).values_list("person_id", "version__item_id")
    begun = Origin.objects.filter(person__in=ids).values_list("person_id", "version__item_id")
    judged = Version.objects.filter(published_by__in=ids).values_list("published_by_id", "item_id")
    # Reviewers who sent an item back have read it too.
    acted = Act.objects.filter(actor__in=ids).order_by().values_list("actor_id", "version__item_id").distinct()
    return chain(drilled, written, shared, begun, judged, acted)


def _paced(rows: QuerySet[Any, Any], at_work: Callable[[], None]) -> Iterator[Any]:
    for number, row in enumerate(rows.iterator(), 1):
        if number % PACE == 0:
            at_work()
        yield row


def _asked(lines: Iterable[Line]) -> dict[str, dict[str, set[str]]]:
    """Maps each rulebook of the blueprint's games to its topics, and each topic to the rulebooks asked about. Feedback
    mentions how the other rulebooks of a game rule, so a case met under one is known under all."""
    found: dict[str, dict[str, set[str]]] = {}
    for line in lines:
        for book in same_game(line.rulebook):
            found.setdefault(book, {}).setdefault(line.topic, set()).add(line.rulebook)
    return found


def _library_readers(ids: list[int]) -> set[int]:
    """The people who have, or had, a role that reads the whole library."""
    now = RoleGrant.objects.filter(user__in=ids, role__in=READING).values_list("user_id", flat=True)
    subjects = {f"person:{pk}": pk for pk in ids}
    taken = Entry.objects.filter(act="role.taken", subject__in=subjects).values_list("subject", "details__roles")
    return {*now, *(subjects[who] for who, roles in taken if not set(READING).isdisjoint(roles))}
