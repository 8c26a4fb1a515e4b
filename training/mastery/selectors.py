"""Reads trainees' memories."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from training.mastery import memory
from training.mastery.memory import AHEAD, KNOWN, Remembered, Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import RulesIn, rules_in
from training.people.models import User


class KnownRule(NamedTuple):
    """How well a trainee knows one rule; `retention` is None if they never met it."""

    rule: Rule
    topic: str
    retention: float | None
    lapses: int = 0
    due: datetime | None = None

    @property
    def met(self) -> bool:
        return self.retention is not None

    @property
    def known(self) -> bool:
        return self.retention is not None and self.retention >= KNOWN

    @property
    def weak(self) -> bool:
        """Whether the rule was missed before and is still not known."""
        return self.lapses > 0 and not self.known


def day_of(trainee: User, at: datetime) -> date:
    """The date on the trainee's own calendar."""
    return at.astimezone(ZoneInfo(trainee.time_zone)).date()


def begin_of_day(trainee: User, at: datetime) -> datetime:
    """The last midnight in the trainee's time zone."""
    return datetime.combine(day_of(trainee, at), time(), ZoneInfo(trainee.time_zone)).astimezone(UTC)


def end_of_day(trainee: User, at: datetime) -> datetime:
    """The next midnight in the trainee's time zone."""
    midnight = datetime.combine(day_of(trainee, at) + timedelta(days=1), time(), ZoneInfo(trainee.time_zone))
    # In UTC, since Python compares two times in the same zone by wall clock, which is wrong when clocks change.
    return midnight.astimezone(UTC)


def remembered(trainee: User, rulebooks: Iterable[str], known: RulesIn | None = None) -> list[Remembered]:
    """A trainee's memories of the rules that can be practised now. `known` are those rules, if already read."""
    books = list(rulebooks)
    known = known or rules_in(books)
    own = Memory.objects.filter(trainee=trainee, rulebook__in=books)
    rows = own.values_list("rulebook", "cite", "card", "due", "lapses")
    found = (Remembered(Rule(book, cite), card, due, lapses) for book, cite, card, due, lapses in rows)
    return [item for item in found if item.rule in known[item.rule.rulebook]]


class Practised(NamedTuple):
    """A memory, and the card it would have without the reviews of a day: None if it was met on that day."""

    rule: Rule
    card: Mapping[str, Any]
    without: Mapping[str, Any] | None

    def retentions(self, at: datetime) -> tuple[float, float]:
        """The probability that the rule is remembered at this time, without the day and with it."""
        after = memory.retention(self.card, at)
        if self.without is self.card:
            return after, after
        return memory.retention(self.without, at) if self.without else 0.0, after


def with_and_without(trainee: User, begin: datetime, rulebooks: Iterable[str]) -> list[Practised]:
    """A trainee's memories, and what they were before the reviews since `begin`, the start of their day."""
    books = list(rulebooks)
    known = rules_in(books)
    own = Memory.objects.filter(trainee=trainee, rulebook__in=books)
    rows = own.values_list("rulebook", "cite", "card", "card_before", "last_review", "reviews")
    return [
        Practised(Rule(book, cite), card, before if reviewed >= begin and reviews else card)
        for book, cite, card, before, reviewed, reviews in rows
        if Rule(book, cite) in known[book]
    ]


def rules(trainee: User, rulebooks: Iterable[str], now: datetime) -> list[KnownRule]:
    """Every rule of these rulebooks in teaching order, with its predicted retention tomorrow."""
    books = list(rulebooks)
    known = rules_in(books)
    return known_rules(remembered(trainee, books, known), books, now, known)


def known_rules(
    memories: Iterable[Remembered], rulebooks: Iterable[str], now: datetime, known: RulesIn | None = None
) -> list[KnownRule]:
    """Like `rules`, from memories and rules already read."""
    books = list(rulebooks)
    by_book = known or rules_in(books)
    met = {item.rule: (memory.retention(item.card, now + AHEAD), item.lapses, item.due) for item in memories}
    return [
        KnownRule(rule, topic, *met.get(rule, (None, 0, None)))
        for book in books
        for rule, topic in by_book[book].items()
    ]
