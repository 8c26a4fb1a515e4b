"""The placement test: a few cases find how far somebody knows a rulebook, so that practice skips that part.

The topics of a rulebook are in teaching order. Each case halves the part in which the first unknown topic can be. Its
state is in the drills; nothing else is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rules_engine import topics
from rules_engine.silences import TOPIC as PROCEDURES
from training.mastery import services as mastery
from training.mastery.rules_to_learn import rules_of_law
from training.people.models import User
from training.practice import services
from training.practice.models import Attempt, Drill

DIFFICULTY = 3
ENOUGH = 2 / 3  # the share of the points that counts as knowing a topic, if nothing critical was missed


@dataclass(frozen=True)
class Placed:
    """The result for one rulebook: how many topics are skipped, and how many rules were taken as known."""

    rulebook: str
    skipped: int
    of: int
    rules: int


def first_unknown(order: Sequence[str], passed: Mapping[str, bool]) -> tuple[int, str | None]:
    """Where practice begins in the teaching order, and the topic to ask next; None if that is clear. Pure function."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if order[middle] not in passed:
            return low, order[middle]
        if passed[order[middle]]:
            low = middle + 1
        else:
            high = middle
    return low, None


def next_case(trainee: User, books: Sequence[str]) -> Drill | None:
    """The next case of the test, or the one left open; None once all these rulebooks are done."""
    own = Drill.objects.filter(trainee=trainee, mode=Drill.Mode.PLACEMENT)
    if left_open := own.filter(attempt=None, rulebook__in=books).order_by("-created_at").first():
        return left_open
    for book in books:
        _start, topic = first_unknown(_tested(book), _passed(trainee, book))
        if topic:
            return services.start_drill(
                trainee, rulebook=book, topic=topic, difficulty=DIFFICULTY, mode=Drill.Mode.PLACEMENT
            )
    return None


def skip_known(trainee: User, books: Sequence[str], now: datetime) -> list[Placed]:
    """Take the rules of the topics before the first unknown one as known."""
    found = []
    for book in books:
        order, (start, _topic) = _tested(book), first_unknown(_tested(book), _passed(trainee, book))
        known = set(order[:start])
        rules = [rule for rule, topic in rules_of_law(book).items() if topic in known]
        found.append(Placed(book, start, len(order), mastery.take_as_known(trainee, rules, at=now)))
    return found


def _tested(book: str) -> tuple[str, ...]:
    """The topics of the test: nobody can know the procedures of a house before they are taught them."""
    return tuple(topic for topic in topics(book) if topic != PROCEDURES)


def _passed(trainee: User, book: str) -> dict[str, bool]:
    """By topic: whether the trainee's answer in the test was good enough."""
    marked = Attempt.objects.filter(
        trainee=trainee, drill__mode=Drill.Mode.PLACEMENT, drill__rulebook=book, state=Attempt.State.GRADED
    )
    rows = marked.values_list("drill__topic", "mark__points", "mark__of", "mark__critical_missed")
    return {topic: not missed and points >= ENOUGH * of for topic, points, of, missed in rows}
