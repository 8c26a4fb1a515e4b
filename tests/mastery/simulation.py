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


def practise_cases(trainee: Trainee, judge: Judge, cases: dict[Rule, list[DrilledCase]], per_day: int) -> None:
    """Days of whole cases, each put for the rule that the scheduler wants next."""
    cards: dict[Rule, Remembered] = {}
    put = dict.fromkeys(cases, 0)
    for day in range(DAYS):
        now = START + timedelta(days=day)
        plan = memory.agenda(
            list(cards.values()), cases, now=now, until=now + timedelta(hours=6), left=per_day, daily=per_day
        )
        for rule in [*plan.today, *plan.more][:per_day]:
            case = cases[rule][put[rule] % len(cases[rule])]
            put[rule] += 1
            recalled = {one: trainee.practise(one, float(day)) for one in (case.rules or (rule,))}
            right = {part: all(recalled[one] for one in part.rules) for part in case.parts}
            for one, rating in judge(case, right).items():
                if one in cards or one in case.pivots or rating is Rating.Again:
                    known = cards.get(one)
                    card = memory.review(known.card if known else None, rating, now)
                    cards[one] = Remembered(one, card, memory.due(card))


def compare_blame(rules: list[Rule], *, trainees: int, per_day: int) -> dict[str, tuple[float, float]]:
    """As `compare`, for two ways to blame, with the same cases and trainees."""
    known = set(rules)
    cases = {rule: [drilled(rule, f"blame-{number}", known) for number in range(4)] for rule in rules}
    found: dict[str, tuple[float, float]] = {}
    for name, judge in {"decision": by_decision, "case": by_case}.items():
        everyone = [Trainee(rules, f"blame-{number}") for number in range(trainees)]
        for trainee in everyone:
            practise_cases(trainee, judge, cases, per_day)
        recalls = [[trainee.recall(rule, float(DAYS)) for rule in rules] for trainee in everyone]
        sure = sum(recall >= memory.KNOWN for one in recalls for recall in one) / trainees
        found[name] = (sure, sum(map(sum, recalls)) / trainees)
    return found
