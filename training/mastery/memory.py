"""The scheduler's arithmetic, without the database: what a review does to a memory, and what is worth doing next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fsrs import Card, Rating, Scheduler

from rules_engine import Mark

# Steps of minutes belong to cramming; here a rule comes back on another day, with other facts.
SCHEDULER = Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=())
KNOWN = 0.9  # predicted retention from which a rule counts as known
# Right after an answer everything is remembered, also what was just missed: what counts is the next shift.
AHEAD = timedelta(days=1)


@dataclass(frozen=True)
class Rule:
    """One clause of one rulebook, as something to remember."""

    rulebook: str
    cite: str


@dataclass(frozen=True)
class Remembered:
    """The memory of a rule: the scheduler's card as plain data, and when it is due."""

    rule: Rule
    card: Mapping[str, Any]
    due: datetime


@dataclass(frozen=True)
class Agenda:
    """What to practise today, and what comes after for whoever wants more."""

    refresh: tuple[Rule, ...]
    new: tuple[Rule, ...]
    more: tuple[Rule, ...]

    @property
    def today(self) -> tuple[Rule, ...]:
        return self.refresh + self.new


def rate(mark: Mark, *, picked_words: bool = False) -> Rating:
    """What a mark says about the rules the scenario turned on. Words picked from a list show less than words said."""
    if mark.critical_missed:
        return Rating.Again
    return Rating.Good if mark.perfect and not picked_words else Rating.Hard


def review(card: Mapping[str, Any] | None, rating: Rating, at: datetime) -> dict[str, Any]:
    """The card after one review; without a card, the first."""
    known = Card.from_dict(dict(card)) if card else Card(card_id=0, due=at)  # type: ignore[arg-type]
    reviewed, _log = SCHEDULER.review_card(known, rating, at)
    return dict(reviewed.to_dict())


def due(card: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(card["due"])


def retention(card: Mapping[str, Any], at: datetime) -> float:
    """How likely the rule is remembered at this moment."""
    return float(SCHEDULER.get_card_retrievability(Card.from_dict(dict(card)), at))  # type: ignore[arg-type]


def level(card: Mapping[str, Any] | None) -> int:
    """The difficulty to practise at: the better a rule sits, the harder the case."""
    stability = float(card["stability"]) if card else 0.0
    return 1 + sum(stability >= days for days in (2, 7, 21, 60))


def load(remembered: Iterable[Remembered]) -> float:
    """How many scenarios a day it takes to keep what was learnt."""
    return sum(1 / max(1.0, float(memory.card["stability"])) for memory in remembered)


def agenda(
    remembered: Sequence[Remembered],
    programme: Iterable[Rule],
    *,
    now: datetime,
    until: datetime,
    left: int,
    daily: int,
) -> Agenda:
    """What to practise: `left` scenarios today, of the `daily` that an ordinary day has room for.

    What falls due before `until` and is nearest to being forgotten comes first; a pile after a holiday is simply cut at
    what is left of the day. New rules, in teaching order, come in only while what was learnt leaves room for them in an
    ordinary day, so that no day promises more work to later days than they can hold.
    """
    kept = {memory.rule: retention(memory.card, now) for memory in remembered}
    waiting = [memory.rule for memory in remembered if memory.due < until]
    waiting.sort(key=lambda rule: (kept[rule], rule.rulebook, rule.cite))
    unmet = [rule for rule in programme if rule not in kept]
    refresh = waiting[: max(0, left)]
    room = min(left - len(refresh), int(daily - load(remembered)))
    new = unmet[: max(0, room)]
    chosen = {*refresh, *new}
    rest = [*waiting, *unmet, *sorted(kept, key=lambda rule: (kept[rule], rule.rulebook, rule.cite))]
    return Agenda(tuple(refresh), tuple(new), tuple(dict.fromkeys(rule for rule in rest if rule not in chosen)))
