"""Simulated trainees who learn and forget by a model of their own, to compare orders of practice.

Nothing here uses the scheduler's own formula of memory. A rule decays exponentially with a half-life. An answer that
succeeds lengthens it, the more so the nearer the rule was to being forgotten and the easier it is; one that fails
shortens it. Rules differ in difficulty and trainees in talent.

Where whole cases are practised (`compare_blame`), they are those of the engine: a part of an answer is right if all the
clauses are recalled that it rests on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from fsrs import Rating

from rules_engine import generate
from training.mastery import memory
from training.mastery.memory import Remembered, Rule

DAYS = 60
START = datetime(2026, 1, 5, 18, tzinfo=UTC)
GUESS = 0.15  # a rule never met is right by luck
FIRST_HALF_LIFE = 1.5  # days
SHORTEST, LONGEST = 0.8, 365.0


@dataclass
class Trace:
    """What one rule left in a trainee: the half-life of its memory, and the day it was last practised."""

    half_life: float
    last: float

    def recall(self, day: float) -> float:
        return math.exp(-math.log(2) * (day - self.last) / self.half_life)


class Trainee:
    """Answers by what is remembered, and learns from the solution that follows every answer."""

    def __init__(self, rules: list[Rule], seed: str) -> None:
        self.chance = Random(seed)
        self.talent = self.chance.uniform(0.8, 1.2)
        self.ease = {rule: self.chance.uniform(0.5, 2.5) for rule in rules}
        self.traces: dict[Rule, Trace] = {}

    def recall(self, rule: Rule, day: float) -> float:
        return self.traces[rule].recall(day) if rule in self.traces else 0.0

    def practise(self, rule: Rule, day: float) -> bool:
        recall = self.recall(rule, day)
        right = self.chance.random() < max(GUESS, recall)
        trace = self.traces.get(rule)
        if trace is None:
            self.traces[rule] = Trace(FIRST_HALF_LIFE * self.talent * self.ease[rule] ** 0.5, day)
            return right
        if right:
            trace.half_life *= 1 + self.talent * self.ease[rule] * (0.2 + 2 * (1 - recall))
        else:
            trace.half_life *= 0.5
        trace.half_life = min(LONGEST, max(SHORTEST, trace.half_life))
        trace.last = day
        return right


# Says which rules to practise on a day, and is told how each of them went.
Choose = Callable[[float, int], list[Rule]]
Told = Callable[[Rule, bool, float], None]


def scheduled(rules: list[Rule]) -> tuple[Choose, Told]:
    """The platform's own scheduling functions."""
    cards: dict[Rule, Remembered] = {}

    def choose(day: float, count: int) -> list[Rule]:
        now = START + timedelta(days=day)
        plan = memory.agenda(
            list(cards.values()), rules, now=now, until=now + timedelta(hours=6), left=count, daily=count
        )
        return [*plan.today, *plan.more][:count]

    def told(rule: Rule, right: bool, day: float) -> None:
        known = cards.get(rule)
        rating = Rating.Good if right else Rating.Again
        card = memory.review(known.card if known else None, rating, START + timedelta(days=day))
        cards[rule] = Remembered(rule, card, memory.due(card))

    return choose, told


def at_random(rules: list[Rule], seed: str) -> tuple[Choose, Told]:
    chance = Random(seed)
    return (lambda _day, count: [chance.choice(rules) for _ in range(count)]), (lambda *_: None)


def in_fixed_order(rules: list[Rule]) -> tuple[Choose, Told]:
    """From the first rule to the last, and again from the first."""
    place = 0

    def choose(_day: float, count: int) -> list[Rule]:
        nonlocal place
        chosen = [rules[(place + number) % len(rules)] for number in range(count)]
        place += count
        return chosen

    return choose, (lambda *_: None)


def train(trainee: Trainee, order: tuple[Choose, Told], per_day: int, days: int = DAYS) -> None:
    choose, told = order
    for day in range(days):
        for rule in choose(float(day), per_day):
            told(rule, trainee.practise(rule, float(day)), float(day))


def compare(rules: list[Rule], *, trainees: int, per_day: int, seed: str = "sabot") -> dict[str, tuple[float, float]]:
    """For each order of practice, over the trainees, the mean number of rules known at the end.

    Two measures a day after the last practice: rules recalled with nine chances in ten or more, and rules that would be
    recalled if all were asked.
    """
    found: dict[str, list[tuple[float, float]]] = {"scheduler": [], "random": [], "fixed": []}
    for number in range(trainees):
        name = f"{seed}-{number}"
        orders = {"scheduler": scheduled(rules), "random": at_random(rules, name), "fixed": in_fixed_order(rules)}
        for order, functions in orders.items():
            trainee = Trainee(rules, name)
            train(trainee, functions, per_day)
            recalls = [trainee.recall(rule, float(DAYS)) for rule in rules]
            found[order].append((sum(recall >= memory.KNOWN for recall in recalls), sum(recalls)))
    return {
        order: (sum(sure for sure, _ in each) / trainees, sum(all_ for _, all_ in each) / trainees)
        for order, each in found.items()
    }


@dataclass(frozen=True)
class Part:
    """A question of a case: the rules that its answer rests on."""

    rules: tuple[Rule, ...]
    critical: bool


@dataclass(frozen=True)
class DrilledCase:
    """A case as far as memory goes: its questions, and the rules that it turns on."""

    parts: tuple[Part, ...]
    pivots: tuple[Rule, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(dict.fromkeys(rule for part in self.parts for rule in part.rules))


def drilled(rule: Rule, seed: str, known: set[Rule]) -> DrilledCase:
    """A case made for a rule by the engine."""
    scenario = generate(rule.rulebook, None, seed, 3, article=rule.cite)
    ruling, asked = scenario.solve(), {question.key for question in scenario.questions}

    def meant(cites: tuple[str, ...]) -> tuple[Rule, ...]:
        return tuple(found for cite in cites if (found := Rule(rule.rulebook, cite)) in known)

    parts = (Part(meant(one.rests), one.critical) for one in ruling.decisions if one.key in asked)
    return DrilledCase(tuple(part for part in parts if part.rules), meant(ruling.pivots))


# What a scheduler makes of an answer: how it rates each rule, from the parts that were right.
Judge = Callable[[DrilledCase, dict[Part, bool]], dict[Rule, Rating]]


def by_case(case: DrilledCase, right: dict[Part, bool]) -> dict[Rule, Rating]:
    """One wrong part blames all that the case turns on."""
    missed = any(part.critical and not good for part, good in right.items())
    rating = Rating.Again if missed else Rating.Good if all(right.values()) else Rating.Hard
    return dict.fromkeys(case.pivots, rating)


def by_decision(_case: DrilledCase, right: dict[Part, bool]) -> dict[Rule, Rating]:
    """A wrong part blames what it rests on; a right one speaks for it."""
    found: dict[Rule, Rating] = {}
    for part, good in right.items():
        for rule in part.rules:
            found[rule] = min(found.get(rule, Rating.Good), Rating.Good if good else Rating.Again)
    return found


Cards = dict[Rule, Remembered]
# Which case comes next: from the rules that come next, the memory as the scheduler sees it, the trainee, the day, and
# how often cases of each rule were put.
Select = Callable[[list[Rule], Cards, Trainee, int], tuple[Rule, DrilledCase]]
CaseSupply = dict[Rule, list[DrilledCase]]


def practise_cases(
    trainee: Trainee, judge: Judge, cases: CaseSupply, per_day: int, select: Select | None = None
) -> None:
    """Days of whole cases. Without `select`, the next case of the rule that the scheduler wants next; with it, rules
    that another case has exercised on the same day do not come again."""
    cards: Cards = {}
    put = dict.fromkeys(cases, 0)
    for day in range(DAYS):
        now = _moment(day)
        plan = memory.agenda(
            list(cards.values()), cases, now=now, until=now + timedelta(hours=6), left=per_day, daily=per_day
        )
        order = [*plan.today, *plan.more]
        for _ in range(per_day):
            if select:
                order = [rule for rule in order if not _practised(cards.get(rule), now)]
            rule, case = select(order, cards, trainee, day) if select else _next_case(order[0], cases, put)
            put[rule] += 1
            order.remove(rule)
            _answer(trainee, judge, rule, case, cards, day)


def _next_case(rule: Rule, cases: CaseSupply, put: dict[Rule, int]) -> tuple[Rule, DrilledCase]:
    return rule, cases[rule][put[rule] % len(cases[rule])]


def _answer(trainee: Trainee, judge: Judge, rule: Rule, case: DrilledCase, cards: Cards, day: int) -> None:
    recalled = {one: trainee.practise(one, float(day)) for one in (case.rules or (rule,))}
    right = {part: all(recalled[one] for one in part.rules) for part in case.parts}
    for one, rating in judge(case, right).items():
        if one in cards or one in case.pivots or rating is Rating.Again:
            known = cards.get(one)
            card = memory.review(known.card if known else None, rating, _moment(day))
            cards[one] = Remembered(one, card, memory.due(card))


def _moment(day: int) -> datetime:
    return START + timedelta(days=day)


def _practised(known: Remembered | None, since: datetime) -> bool:
    return known is not None and datetime.fromisoformat(known.card["last_review"]) >= since


def most_useful(cases: CaseSupply) -> Select:
    """The platform's choice: the most useful by `memory.worth` of several cases of each of the next rules."""
    chance = Random("cases")

    def select(order: list[Rule], cards: Cards, _trainee: Trainee, day: int) -> tuple[Rule, DrilledCase]:
        now, known = _moment(day), {rule: item.card for rule, item in cards.items()}
        candidates = _candidates(memory.candidates(order, known), cases, chance)
        return max(candidates, key=lambda one: memory.worth(one[1].rules, known, now=now, since=now))

    return select


def all_knowing(cases: CaseSupply) -> Select:
    """The same choice by one who knows what the trainee really remembers, and looks at twenty rules."""
    chance = Random("cases")

    def select(order: list[Rule], cards: Cards, trainee: Trainee, day: int) -> tuple[Rule, DrilledCase]:
        candidates = _candidates(order[:20], cases, chance)
        return max(
            candidates,
            key=lambda one: sum(1 - trainee.recall(rule, float(day)) for rule in one[1].rules),
        )

    return select


def _candidates(rules: list[Rule], cases: CaseSupply, chance: Random) -> list[tuple[Rule, DrilledCase]]:
    return [(rule, case) for rule in rules for case in chance.sample(cases[rule], memory.CASES_EACH)]


def compare_selection(
    rules: list[Rule], *, trainees: int, per_day: int, seed: str = "choice"
) -> dict[str, tuple[float, float]]:
    """As `compare`, for three ways to choose the next case, with the same supply of cases and the same trainees."""
    known = set(rules)
    cases = {rule: [drilled(rule, f"{seed}-{number}", known) for number in range(24)] for rule in rules}
    ways = {"first": None, "most useful": most_useful(cases), "all-knowing": all_knowing(cases)}
    return {
        name: _after_all(rules, cases, by_decision, select, trainees, per_day, seed) for name, select in ways.items()
    }


def compare_blame(rules: list[Rule], *, trainees: int, per_day: int) -> dict[str, tuple[float, float]]:
    """As `compare`, for two ways to blame, with the same cases and trainees."""
    known = set(rules)
    cases = {rule: [drilled(rule, f"blame-{number}", known) for number in range(4)] for rule in rules}
    ways = {"decision": by_decision, "case": by_case}
    return {name: _after_all(rules, cases, judge, None, trainees, per_day, "blame") for name, judge in ways.items()}


def _after_all(
    rules: list[Rule],
    cases: CaseSupply,
    judge: Judge,
    select: Select | None,
    trainees: int,
    per_day: int,
    seed: str,
) -> tuple[float, float]:
    """The two measures of `compare` after the last day."""
    everyone = [Trainee(rules, f"{seed}-{number}") for number in range(trainees)]
    for trainee in everyone:
        practise_cases(trainee, judge, cases, per_day, select)
    recalls = [[trainee.recall(rule, float(DAYS)) for rule in rules] for trainee in everyone]
    sure = sum(recall >= memory.KNOWN for one in recalls for recall in one) / trainees
    return sure, sum(map(sum, recalls)) / trainees
