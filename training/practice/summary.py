"""The summary of a day: what went well, what comes back tomorrow, and the minutes spent."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import takewhile
from uuid import UUID
from zoneinfo import ZoneInfo

from rules_engine import RULEBOOKS
from rules_engine.narration import book_name, topic_name
from training.mastery.memory import Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import rules_in
from training.mastery.selectors import day_of, end_of_day
from training.people.models import User
from training.practice.models import Attempt

REST_DAYS = 2  # days off in a row that do not break a streak


@dataclass(frozen=True)
class TopicToday:
    """One topic of the day. `perfect`: answers that were right in every part."""

    subject: str
    name: str
    answers: int
    perfect: int
    missed: UUID | None  # the last drill with a mistake

    @property
    def imperfect(self) -> int:
        return self.answers - self.perfect

    @property
    def well(self) -> bool:
        return 2 * self.perfect >= self.answers


@dataclass(frozen=True)
class Summary:
    answers: int
    minutes: int
    new_rules: int  # met for the first time today
    well: list[TopicToday]
    missed: list[TopicToday]
    back: list[tuple[str, int]]  # topics, each with the number of rules due tomorrow

    @property
    def rules_back(self) -> int:
        return sum(count for _topic, count in self.back)


def summary(trainee: User, now: datetime, language: str) -> Summary:
    begin = datetime.combine(day_of(trainee, now), time(), ZoneInfo(trainee.time_zone)).astimezone(UTC)
    own = Attempt.objects.filter(trainee=trainee, submitted_at__gte=begin).order_by("submitted_at")
    rows = own.values_list("drill_id", "drill__rulebook", "drill__topic", "seconds", "mark__points", "mark__of")
    found = list(rows)
    topics: dict[tuple[str, str], list[tuple[UUID, bool]]] = {}
    for drill_id, book, topic, _seconds, points, of in found:
        if of is not None:
            topics.setdefault((book, topic), []).append((drill_id, points == of))
    told = [_topic(book, topic, answers, language) for (book, topic), answers in topics.items()]
    return Summary(
        answers=len(found),
        minutes=minutes(sum(row[3] for row in found)),
        new_rules=Memory.objects.filter(trainee=trainee, reviews=1, last_review__gte=begin).count(),
        well=[topic for topic in told if topic.well],
        missed=[topic for topic in told if topic.missed],
        back=_back_tomorrow(trainee, now, language),
    )


def minutes(seconds: int) -> int:
    return max(1, round(seconds / 60)) if seconds else 0


def _topic(book: str, topic: str, answers: list[tuple[UUID, bool]], language: str) -> TopicToday:
    missed = [drill_id for drill_id, perfect in answers if not perfect]
    perfect = len(answers) - len(missed)
    name = _named(book, topic, language)
    return TopicToday(f"{book}/{topic}", name, len(answers), perfect, missed[-1] if missed else None)


def _back_tomorrow(trainee: User, now: datetime, language: str) -> list[tuple[str, int]]:
    """How many rules are due tomorrow, by topic. Naming the rules would reveal what the drills turn on."""
    begin = end_of_day(trainee, now)
    due = Memory.objects.filter(trainee=trainee, due__gte=begin, due__lt=end_of_day(trainee, begin))
    counted: Counter[str] = Counter()
    rows = [(book, cite) for book, cite in due.values_list("rulebook", "cite") if book in RULEBOOKS]
    known = rules_in(book for book, _cite in rows)
    for book, cite in rows:
        if topic := known[book].get(Rule(book, cite)):
            counted[_named(book, topic, language)] += 1
    return counted.most_common()


def streak(days: Iterable[date], today: date) -> int:
    """The number of days of practice in a row, up to today; pauses of up to `REST_DAYS` do not count. Pure function."""
    newest_first = sorted({day for day in days if day <= today}, reverse=True)
    before = [today, *newest_first]
    kept = takewhile(lambda pair: (pair[0] - pair[1]).days <= REST_DAYS + 1, zip(before, newest_first, strict=False))
    return sum(1 for _pair in kept)


def _named(book: str, topic: str, language: str) -> str:
    """A topic with its rulebook: several games have topics of the same name."""
    return f"{topic_name(book, topic, language)} ({book_name(book, language)})"
