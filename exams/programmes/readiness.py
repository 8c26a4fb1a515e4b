"""How ready somebody is for an exam: how much of its blueprint they will still remember on the day.

Each line asks the rules of a topic; a rule counts as the probability that it is remembered, 0 if never met.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from exams.programmes.rules import Line, Rules
from rules_engine import rulebook
from rules_engine.silences import TOPIC as PROCEDURES
from rules_engine.topics import cases
from training.house.readings import examined
from training.mastery import memory
from training.mastery.memory import Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import is_testable
from training.mastery.selectors import with_and_without
from training.people.models import User

WORST = 3  # lines recommended for practice
ENOUGH = 0.9  # lines above this need no practice

Retention = Callable[[Rule], float]


@dataclass(frozen=True)
class LineReadiness:
    line: Line
    share: float  # of its points, from 0 to 1
    weight: float  # of the line in the exam, from 0 to 1

    @property
    def lost(self) -> float:
        return self.weight * (1 - self.share)

    @property
    def percent(self) -> int:
        return int(100 * self.share)


@dataclass(frozen=True)
class Readiness:
    lines: tuple[LineReadiness, ...]

    @property
    def percent(self) -> int:
        """Rounded down, so that it never shows a pass mark that is not reached."""
        return int(100 * sum(line.weight * line.share for line in self.lines))

    @property
    def to_practise(self) -> list[LineReadiness]:
        """The lines that lose most."""
        weak = [line for line in self.lines if line.share < ENOUGH]
        return sorted(weak, key=lambda line: -line.lost)[:WORST]


@cache
def rules_asked(book: str, topic: str, article: str = "") -> tuple[Rule, ...]:
    """The rules that cases of a topic can turn on, or the one article that is asked."""
    cites = {article} if article else {cite for case in cases(book, topic) for cite in case.turns_on[book]}
    return tuple(Rule(book, cite) for cite in sorted(cites) if is_testable(book, cite))


def readiness(rules: Rules, retention: Retention, unasked: Container[Rule] = ()) -> Readiness:
    """Pure: `retention` gives the probability that a rule is remembered on the day. `unasked` are rules that no exam
    asks now."""
    whole = sum(line.items * line.points for line in rules.lines)
    return Readiness(tuple(_line(line, whole, retention, unasked) for line in rules.lines))


def unsigned(rules: Rules) -> set[Rule]:
    """The procedures that two people have not signed. One query for each rulebook whose procedures are examined."""
    books = {line.rulebook for line in rules.lines if line.topic == PROCEDURES}
    return {Rule(book, kind) for book in books for kind in rulebook(book).silences.keys() - examined(book).keys()}


def _line(line: Line, whole: int, retention: Retention, unasked: Container[Rule]) -> LineReadiness:
    asked = [rule for rule in rules_asked(line.rulebook, line.topic, line.article) if rule not in unasked]
    share = sum(map(retention, asked)) / len(asked) if asked else 0.0
    return LineReadiness(line, share, line.items * line.points / whole)


def readiness_of(person: User, rules: Rules, at: datetime) -> Readiness:
    """A person's readiness for an exam at a given time. One query."""
    books = {line.rulebook for line in rules.lines}
    rows = Memory.objects.filter(trainee=person, rulebook__in=books).values_list("rulebook", "cite", "card")
    kept = {Rule(book, cite): memory.retention(card, at) for book, cite, card in rows}
    return readiness(rules, lambda rule: kept.get(rule, 0.0), unsigned(rules))


def readiness_without(person: User, rules: Rules, at: datetime, begin: datetime) -> Readiness:
    """Like `readiness_of`, as if the person had not practised since `begin`, the start of their day."""
    memories = with_and_without(person, begin, {line.rulebook for line in rules.lines})
    kept = {item.rule: item.retentions(at)[0] for item in memories}
    return readiness(rules, lambda rule: kept.get(rule, 0.0), unsigned(rules))
