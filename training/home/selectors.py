"""What a trainee's own pages read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from rules_engine.words import text
from training.figures.models import DayTally, TopicTally
from training.mastery.selectors import KnownRule, day_of
from training.people.models import User
from training.practice.models import Attempt

WEAK_SPOTS = 5


@dataclass(frozen=True)
class Progress:
    """How much of a rulebook is known."""

    rulebook: str
    name: str
    known: int
    total: int


@dataclass(frozen=True)
class WeakSpot:
    """A topic with rules that were missed and are not put right yet."""

    subject: str
    rulebook: str
    topic: str
    rules: int


def progress(rules: Iterable[KnownRule], language: str) -> list[Progress]:
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for item in rules:
        total[item.rule.rulebook] += 1
        known[item.rule.rulebook] += item.known
    return [Progress(book, text(f"rulebook.{book}", language), known[book], total[book]) for book in total]


def weak_spots(rules: Iterable[KnownRule], language: str) -> list[WeakSpot]:
    """The topics with most weak rules first."""
    weak = Counter((item.rule.rulebook, item.topic) for item in rules if item.weak)
    return [
        WeakSpot(f"{book}/{topic}", text(f"rulebook.{book}", language), text(f"topic.{topic}", language), count)
        for (book, topic), count in weak.most_common(WEAK_SPOTS)
    ]


def last_days(trainee: User, now: datetime, count: int) -> list[DayTally]:
    """One tally for each of the last days, oldest first; days without practice have an empty one."""
    last = day_of(trainee, now)
    first = last - timedelta(days=count - 1)
    found = {row.day: row for row in DayTally.objects.filter(trainee=trainee, day__range=(first, last))}
    every = (first + timedelta(days=number) for number in range(count))
    return [found.get(day) or DayTally(trainee=trainee, day=day) for day in every]


def history(trainee: User, subject: str = "") -> QuerySet[Attempt]:
    """Every answer of a trainee, newest first, or those of one topic (`rulebook/topic`)."""
    found = Attempt.objects.filter(trainee=trainee)
    if subject:
        rulebook, _slash, topic = subject.partition("/")
        found = found.filter(drill__rulebook=rulebook, drill__topic=topic)
    documents = ("drill__scenario_document", "mark__mark_document", "mark__ruling_document", "answer")
    return found.select_related("drill", "mark").defer(*documents).order_by("-submitted_at", "-pk")


def practised(trainee: User, language: str) -> list[tuple[str, str]]:
    """The topics a trainee has answered in, as (value, name)."""
    rows = TopicTally.objects.filter(trainee=trainee).values_list("rulebook", "topic").order_by("rulebook", "topic")
    return [
        (f"{book}/{topic}", f"{text(f'topic.{topic}', language)} · {text(f'rulebook.{book}', language)}")
        for book, topic in rows
    ]
