"""Queries for the audit log."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from exams.audit import facts
from exams.audit.models import Entry, Head
from exams.audit.services import GENESIS, HEAD
from rules_engine.folding import folded
from training.people.models import User

MOST_PEOPLE = 50  # people matched by the words of a name


@dataclass(frozen=True)
class Filters:
    """Filters for days, an act, words of a person's name or email, and one subject."""

    since: date | None = None
    until: date | None = None
    person: str = ""
    act: str = ""
    subject: str = ""


def entries(filters: Filters) -> QuerySet[Entry]:
    """Matching entries, newest first, with the actor. A person matches by what they did and what was done to them."""
    found = Entry.objects.select_related("actor").order_by("-number")
    if filters.since:
        found = found.filter(at__gte=_midnight(filters.since))
    if filters.until:
        found = found.filter(at__lt=_midnight(filters.until + timedelta(days=1)))
    if filters.act:
        found = found.filter(act=filters.act)
    if filters.person:
        people = people_called(filters.person)
        found = found.filter(Q(actor__in=people) | facts.about(people))
    if filters.subject:
        found = found.filter(subject=filters.subject)
    return found


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.get_current_timezone())


def about(person: User) -> QuerySet[Entry]:
    """Everything done about somebody, oldest first."""
    return Entry.objects.select_related("actor").filter(facts.about([person.pk])).order_by("number")


def readable_about(person: User) -> QuerySet[Entry]:
    """The part of it that the person may know by now."""
    return about(person).exclude(facts.held_back(person.pk))


def held_back(reader: User, found: Iterable[Entry]) -> set[int]:
    """The numbers of the entries about the reader's own exams that they may not read yet."""
    numbers = [entry.number for entry in found if entry.act in facts.NOT_AT_ONCE]
    if not numbers:
        return set()
    own = Entry.objects.filter(facts.held_back(reader.pk), number__in=numbers)
    return set(own.values_list("number", flat=True))


def people_called(words: str) -> list[int]:
    """Everybody the words may mean, ignoring case and accents, including people who left."""
    wanted = folded(words).split()
    everybody = User.objects.values_list("pk", "name", "email")
    return [pk for pk, name, email in everybody if all(word in folded(f"{name} {email}") for word in wanted)]


def acts() -> list[str]:
    """Every kind of act in the log."""
    return list(Entry.objects.order_by("act").values_list("act", flat=True).distinct())


def end() -> Head:
    """The last entry's number and seal."""
    return Head.objects.filter(pk=HEAD).first() or Head(number=0, digest=GENESIS)
