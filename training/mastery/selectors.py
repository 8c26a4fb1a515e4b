"""Reads trainees' memories."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from training.mastery import memory
from training.mastery.memory import AHEAD, KNOWN, Remembered, Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import rules_in
from training.people.models import User


@dataclass(frozen=True)
class KnownRule:
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


def end_of_day(trainee: User, at: datetime) -> datetime:
    """The next midnight in the trainee's time zone."""
    midnight = datetime.combine(day_of(trainee, at) + timedelta(days=1), time(), ZoneInfo(trainee.time_zone))
    # In UTC, since Python compares two times in the same zone by wall clock, which is wrong when clocks change.
    return midnight.astimezone(UTC)


def remembered(trainee: User, rulebooks: Iterable[str]) -> list[Remembered]:
    """A trainee's memories of the rules that can be practised now."""
    books = list(rulebooks)
    known: set[Rule] = set().union(*rules_in(books).values())
    own = Memory.objects.filter(trainee=trainee, rulebook__in=books)
    rows = own.values_list("rulebook", "cite", "card", "due", "lapses")
    found = (Remembered(Rule(book, cite), card, due, lapses) for book, cite, card, due, lapses in rows)
    return [item for item in found if item.rule in known]


def rules(trainee: User, rulebooks: Iterable[str], now: datetime) -> list[KnownRule]:
    """Every rule of these rulebooks in teaching order, with its predicted retention tomorrow."""
    books = list(rulebooks)
    return known_rules(remembered(trainee, books), books, now)


def known_rules(memories: Iterable[Remembered], rulebooks: Iterable[str], now: datetime) -> list[KnownRule]:
    """Like `rules`, from memories already read."""
    met = {item.rule: (memory.retention(item.card, now + AHEAD), item.lapses, item.due) for item in memories}
    return [
        KnownRule(rule, topic, *met.get(rule, (None, 0, None)))
        for rules in rules_in(rulebooks).values()
        for rule, topic in rules.items()
    ]
