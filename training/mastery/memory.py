"""Spaced repetition without the database: how a review changes a memory, and what to practise next."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from fsrs import Card, Rating, Scheduler

from rules_engine import Mark, Ruling
from rules_engine.silences import ASK

# No learning steps of minutes: a rule comes back on another day, with other facts.
SCHEDULER = Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=())
KNOWN = 0.9  # the predicted retention at which a rule counts as known
# Right after an answer even a missed rule is remembered, so retention is predicted for the next day.
AHEAD = timedelta(days=1)
# The next case is chosen among this many of each of the rules that come next.
NEXT_RULES, CASES_EACH = 9, 8


class Rule(NamedTuple):
    """One clause of one rulebook."""

    rulebook: str
    cite: str


class Remembered(NamedTuple):
    """The memory of a rule: the scheduler's card as plain data, and when it is due."""

    rule: Rule
    card: Mapping[str, Any]
    due: datetime
    lapses: int = 0


@dataclass(frozen=True)
class Agenda:
    """What to practise today, and what comes next (`more`)."""

    refresh: tuple[Rule, ...]
    new: tuple[Rule, ...]
    more: tuple[Rule, ...]

    @property
    def today(self) -> tuple[Rule, ...]:
        return self.refresh + self.new


def ratings(mark: Mark, ruling: Ruling, *, picked_words: bool = False) -> dict[str, Rating]:
    """A rating for each rule from a mark: a right part rates the clauses it rests on well, a wrong one badly.

    The worst rating counts. Words picked from a list (`picked_words`) count less than words produced freely. Answering
    a question that does not arise shows uncertainty about the case, but breaks no rule. What is left to the floor
    manager is no rule to remember.
    """
    kinds = {decision.key: decision.kind for decision in ruling.decisions}
    left_open = {one.key.partition(".")[2] for one in ruling.decisions if one.value == ASK}
    found: dict[str, Rating] = {}
    for part in mark.parts:
        if part.key in kinds:
            shown = Rating.Hard if picked_words and kinds[part.key] == "words" else Rating.Good
            for cite in ruling.rests_on(part.key):
                found[cite] = min(found.get(cite, shown), shown if part.correct else Rating.Again)
    by_case = _by_case(mark)
    unsure = any(not part.correct for part in mark.parts if part.key not in kinds)
    for cite in ruling.pivots:
        if cite not in found:  # no question is about it alone
            found[cite] = by_case
        elif unsure:
            found[cite] = min(found[cite], Rating.Hard)
    return {cite: rating for cite, rating in found.items() if cite not in left_open}


def _by_case(mark: Mark) -> Rating:
    if mark.critical_missed or not mark.points:
        return Rating.Again
    return Rating.Good if mark.perfect else Rating.Hard


def review(card: Mapping[str, Any] | None, rating: Rating, at: datetime) -> dict[str, Any]:
    """The card after a review; without a card, the first one."""
    known = Card.from_dict(dict(card)) if card else Card(card_id=0, due=at)  # type: ignore[arg-type]
    reviewed, _log = SCHEDULER.review_card(known, rating, at)
    return dict(reviewed.to_dict())


def taken_as_known(at: datetime) -> dict[str, Any]:
    """The card of a rule that a placement test showed to be known: as after two easy reviews, so that it comes back
    for a check after some weeks."""
    first = review(None, Rating.Easy, at)
    before = at - (due(first) - at)
    return review(review(None, Rating.Easy, before), Rating.Easy, at)


def due(card: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(card["due"])


def retention(card: Mapping[str, Any], at: datetime) -> float:
    """The probability that the rule is remembered at this time."""
    return float(SCHEDULER.get_card_retrievability(Card.from_dict(dict(card)), at))  # type: ignore[arg-type]


def level(card: Mapping[str, Any] | None) -> int:
    """The difficulty to practise at: the better a rule is known, the harder."""
    stability = float(card["stability"]) if card else 0.0
    return 1 + sum(stability >= days for days in (2, 7, 21, 60))


def candidates(order: Sequence[Rule], met: Container[Rule]) -> list[Rule]:
    """The rules to compare for the next case: the first few of the order, without mixing new rules with known ones."""
    return [rule for rule in order[:NEXT_RULES] if (rule in met) == (order[0] in met)]


def worth(
    exercised: Iterable[Rule], cards: Mapping[Rule, Mapping[str, Any]], *, now: datetime, since: datetime
) -> float:
    """How useful a case is now: the sum, over the rules it exercises, of the chance that each is forgotten.

    Rules practised after `since` add nothing, nor do new ones, because they are still to be taught.
    """
    known = (cards[rule] for rule in exercised if rule in cards)
    return sum(1 - retention(card, now) for card in known if datetime.fromisoformat(card["last_review"]) < since)


def load(remembered: Iterable[Remembered]) -> float:
    """How many scenarios a day are needed to retain what was learnt."""
    return sum(1 / max(1.0, float(memory.card["stability"])) for memory in remembered)


def agenda(
    remembered: Sequence[Remembered],
    rules: Iterable[Rule],
    *,
    now: datetime,
    until: datetime,
    left: int,
    daily: int,
) -> Agenda:
    """What to practise today: up to `left` more scenarios, of `daily` on an ordinary day.

    Rules due before `until` come first, the most forgotten ones leading; a backlog is cut at `left`. New rules follow
    in teaching order, but only as many as the daily reviews leave room for, so that later days are not overloaded.
    """
    kept = {memory.rule: retention(memory.card, now) for memory in remembered}
    waiting = [memory.rule for memory in remembered if memory.due < until]
    waiting.sort(key=lambda rule: (kept[rule], rule.rulebook, rule.cite))
    unmet = [rule for rule in rules if rule not in kept]
    refresh = waiting[: max(0, left)]
    room = min(left - len(refresh), int(daily - load(remembered)))
    new = unmet[: max(0, room)]
    chosen = {*refresh, *new}
    rest = [*waiting, *unmet, *sorted(kept, key=lambda rule: (kept[rule], rule.rulebook, rule.cite))]
    return Agenda(tuple(refresh), tuple(new), tuple(dict.fromkeys(rule for rule in rest if rule not in chosen)))
