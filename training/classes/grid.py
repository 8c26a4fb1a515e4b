"""An overview of a class: results by trainee and topic, who is stuck, who is ready."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Sum

from rules_engine import topics
from training.classes import selectors
from training.classes.models import TrainingClass
from training.figures.models import DayTally, TopicTally
from training.mastery.memory import AHEAD, Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import rules_in
from training.people.models import User

RECENT_DAYS = 14
ENOUGH = 10  # recent answers; below that their share says nothing
LOW_SHARE = 0.6
IDLE_DAYS = 7
READY_SHARE = 0.8  # of the rules of every topic
FEW = 5  # answers in a topic, below which their share says little


@dataclass(frozen=True)
class Cell:
    """One trainee in one topic."""

    topic: str
    answers: int = 0
    share: float | None = None
    last_at: datetime | None = None

    @property
    def percent(self) -> int | None:
        return percent(self.share)

    @property
    def level(self) -> str:
        """The CSS classes of the cell's shade, paler if there are few answers."""
        if self.share is None:
            return "none"
        return f"{self._shade} few" if self.answers < FEW else self._shade

    @property
    def _shade(self) -> str:
        assert self.share is not None  # noqa: S101 (`level` checks it)
        return "low" if self.share < LOW_SHARE else "high" if self.share >= READY_SHARE else "middle"


@dataclass(frozen=True)
class Progress:
    """A trainee's progress: signs of being stuck, and of being ready."""

    trainee: User
    answers: int
    share: float | None
    last_at: datetime | None
    idle_days: int
    late: int
    topics_held: int
    topics: int

    @property
    def percent(self) -> int | None:
        return percent(self.share)

    @property
    def low(self) -> bool:
        return self.answers >= ENOUGH and self.share is not None and self.share < LOW_SHARE

    @property
    def idle(self) -> bool:
        return self.idle_days >= IDLE_DAYS

    @property
    def stuck(self) -> bool:
        return self.low or self.idle or self.late > 0

    @property
    def ready(self) -> bool:
        """Whether the trainee knows enough of every topic, even if also stuck by other signs."""
        return self.topics > 0 and self.topics_held == self.topics


def percent(share: float | None) -> int | None:
    """A share in per cent, rounded down: 59.9 % is below 60 % and must not show as 60 %."""
    return None if share is None else int(share * 100 + 1e-9)


def cells(trainees: Sequence[User], rulebook: str) -> dict[int, list[Cell]]:
    """By trainee id: a cell for each topic of the rulebook, in order. One query."""
    found = {
        (row.trainee_id, row.topic): Cell(row.topic, row.answers, row.points / row.of if row.of else None, row.last_at)
        for row in TopicTally.objects.filter(trainee__in=trainees, rulebook=rulebook)
    }
    order = topics(rulebook)
    return {trainee.pk: [found.get((trainee.pk, topic), Cell(topic)) for topic in order] for trainee in trainees}


def progress(training_class: TrainingClass, trainees: Sequence[User], now: datetime) -> list[Progress]:
    """The progress of each of these trainees, in a fixed number of queries."""
    tallies = TopicTally.objects.filter(trainee__in=trainees).values_list("trainee")
    last = dict(tallies.annotate(last=Max("last_at")))
    enrolments = training_class.enrolments.filter(trainee__in=trainees)
    enrolled = dict(enrolments.values_list("trainee", "enrolled_at"))
    since = (now - timedelta(days=RECENT_DAYS)).date()
    days = DayTally.objects.filter(trainee__in=trainees, day__gt=since).values_list("trainee")
    recent = {pk: sums for pk, *sums in days.annotate(n=Sum("answers"), got=Sum("points"), most=Sum("of"))}
    set_work = selectors.work(list(training_class.assignments.all()), trainees, now)
    held = _topics_held(training_class, trainees, now)
    all_topics = sum(len(set(own.values())) for own in rules_in(training_class.books).values())
    lines = []
    for trainee in trainees:
        answers, got, most = recent.get(trainee.pk, (0, 0, 0))
        active = max(filter(None, (last.get(trainee.pk), enrolled.get(trainee.pk))), default=now)
        lines.append(
            Progress(
                trainee=trainee,
                answers=answers,
                share=got / most if most else None,
                last_at=last.get(trainee.pk),
                idle_days=(now - active).days,
                late=sum(item.late for item in set_work[trainee.pk]),
                topics_held=held[trainee.pk],
                topics=all_topics,
            )
        )
    return lines


def _topics_held(training_class: TrainingClass, trainees: Sequence[User], now: datetime) -> Counter[int]:
    """By trainee id: in how many topics of the class they know enough rules.

    A rule becomes due when its memory falls to the limit of what counts as known. So a rule is known if it is not due
    before `AHEAD` from now, and no card needs to be read.
    """
    by_book = rules_in(training_class.books)
    rules = {rule: (book, topic) for book, own in by_book.items() for rule, topic in own.items()}
    memories = Memory.objects.filter(trainee__in=trainees, rulebook__in=training_class.books, due__gte=now + AHEAD)
    known: Counter[tuple[int, tuple[str, str]]] = Counter()
    for pk, book, cite in memories.values_list("trainee", "rulebook", "cite"):
        if place := rules.get(Rule(book, cite)):
            known[pk, place] += 1
    sizes = Counter((book, topic) for book, own in by_book.items() for topic in own.values())
    return Counter(pk for (pk, place), count in known.items() if count / sizes[place] >= READY_SHARE)
