"""An overview of a class: results by trainee and topic, who is stuck, who is ready."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from math import ceil, floor, sqrt
from statistics import fmean

from django.db.models import Max, Sum

from rules_engine import topics
from training.classes import selectors
from training.classes.models import TrainingClass
from training.figures.models import DayTally, TopicTally
from training.mastery.memory import AHEAD, Rule
from training.mastery.models import Memory, StudyPlan
from training.mastery.rules_to_learn import rules_in
from training.people.models import User

RECENT_DAYS = 14
ENOUGH = 10  # recent answers; below that their share says nothing
LOW_SHARE = 0.6
IDLE_DAYS = 7
READY_SHARE = 0.8  # of the rules of every topic
Z = 1.96  # 95 % of a normal distribution
HEAT = (READY_SHARE, 0.7, LOW_SHARE, 0.45, 0.3)  # below each, a cell is one shade darker
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
    def heat(self) -> int:
        """How weak, from 0 (no colour) to 5."""
        return 0 if self.share is None else sum(self.share < limit for limit in HEAT)

    @property
    def _shade(self) -> str:
        assert self.share is not None  # noqa: S101 (`level` checks it)
        return "low" if self.share < LOW_SHARE else "high" if self.share >= READY_SHARE else "middle"


Place = tuple[str, str]  # rulebook and topic


@dataclass(frozen=True)
class Knowledge:
    """How many rules each topic has that a trainee is to deal, and how many of them the trainee knows."""

    topics: dict[Place, int]
    known: dict[Place, int]

    @property
    def topics_held(self) -> int:
        return sum(self.known[place] / size >= READY_SHARE for place, size in self.topics.items())

    @cached_property
    def readiness(self) -> int:
        """The share of the rules that are known, in per cent."""
        return percent(sum(self.known.values()) / self._rules) or 0 if self._rules else 0

    @cached_property
    def interval(self) -> tuple[int, int]:
        """Where the share known lies with 95 % probability, if the rules are taken as a sample of what an exam may ask
        (Wilson)."""
        n, share = self._rules, sum(self.known.values()) / self._rules if self._rules else 0.0
        if not n:
            return 0, 100
        middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
        half = Z / (1 + Z**2 / n) * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
        return max(0, floor(100 * (middle - half))), min(100, ceil(100 * (middle + half)))

    @cached_property
    def raises_most(self) -> tuple[Place, int] | None:
        """The topic whose unknown rules would raise the readiness most, and by how much."""
        missing = {place: size - self.known[place] for place, size in self.topics.items()}
        best = max(missing, key=lambda place: missing[place], default=None)
        if best is None or not missing[best]:
            return None
        return best, round(100 * missing[best] / self._rules)

    @property
    def _rules(self) -> int:
        return sum(self.topics.values())


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
    knowledge: Knowledge

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
    knowing = _knowledge(training_class, trainees, now)
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
                topics_held=knowing[trainee.pk].topics_held,
                topics=len(knowing[trainee.pk].topics),
                knowledge=knowing[trainee.pk],
            )
        )
    return lines


def _knowledge(training_class: TrainingClass, trainees: Sequence[User], now: datetime) -> dict[int, Knowledge]:
    """By trainee id: what they know of the rulebooks they are to deal. Two queries.

    A rule becomes due when its memory falls to the limit of what counts as known. So a rule is known if it is not due
    before `AHEAD` from now, and no card needs to be read.
    """
    by_book = rules_in(training_class.books)
    rules = {rule: (book, topic) for book, own in by_book.items() for rule, topic in own.items()}
    sizes = Counter(rules.values())
    memories = Memory.objects.filter(trainee__in=trainees, rulebook__in=training_class.books, due__gte=now + AHEAD)
    known: Counter[tuple[int, Place]] = Counter()
    for pk, book, cite in memories.values_list("trainee", "rulebook", "cite"):
        if place := rules.get(Rule(book, cite)):
            known[pk, place] += 1
    plans = dict(StudyPlan.objects.filter(trainee__in=trainees).values_list("trainee", "rulebooks"))
    found = {}
    for trainee in trainees:
        chosen = set(plans.get(trainee.pk, ())) & set(training_class.books) or set(training_class.books)
        own = {place: size for place, size in sizes.items() if place[0] in chosen}
        found[trainee.pk] = Knowledge(own, {place: known[trainee.pk, place] for place in own})
    return found


def means(rows: Iterable[Sequence[Cell]]) -> list[int | None]:
    """The mean in each topic, of those who practised it, in per cent. Pass the whole class, not a page of it."""
    columns = zip(*rows, strict=True)
    shares = [[cell.share for cell in column if cell.share is not None] for column in columns]
    return [percent(fmean(column)) if column else None for column in shares]
