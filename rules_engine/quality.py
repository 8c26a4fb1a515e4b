"""How good the generated scenarios are for learning, by measurement: whether a question can be guessed without knowing
the rule, whether a harder level is harder, and whether the cases of a topic differ.

Every case of a topic is drawn equally often at every level, so that rare questions are measured too. What a level
prefers (`DRAWN`) becomes a weight: each draw counts as often as a trainee would meet it. The measurement has its own
seeds, which do not depend on the version of a game. Exceptions that the law requires are in the game's `quality.toml`,
each with its reason.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import hypot, sqrt
from operator import mul
from statistics import fmean
from typing import Any

from msgspec import Struct

from rules_engine.cases import Case
from rules_engine.game import rulebook
from rules_engine.idle import Offer, offers
from rules_engine.questions import Question, questions_about
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Ruling, Utterance
from rules_engine.scenario import DRAWN, Scenario
from rules_engine.situation import Situation, kind_of
from rules_engine.topics import cases, topics

# Used in place of the version of the game.
RELEASE = "quality"
# How often each case is drawn at each level of its topic. More where a topic has few cases or the result is unclear.
PER_CASE = 10
LEAST_PER_LEVEL = 120
MOST_PER_CASE = 160
# A question must occur in this many scenarios before its most frequent answer counts, and exceed the threshold by this
# many standard errors. By chance alone, one in forty borderline questions does.
ENOUGH = 30
ERRORS = 2
VARIETY_SEEDS = 50
VARIETY_LEVEL = 3
# A simulated trainee knows each clause with this probability and guesses where one is unknown.
KNOWS = 0.7


class Guess(Struct, frozen=True):
    """A question of a kind of incident, and how often its most frequent answer is right.

    `asked` is the number of scenarios that ask it, with scenarios that a level rarely prefers counting for less.
    """

    topic: str
    kind: str
    question: str
    answer: str
    share: float
    asked: float

    def error(self, most: float) -> float:
        """How far chance alone may carry a share that is exactly at the threshold."""
        return ERRORS * sqrt(most * (1 - most) / self.asked)

    def doubtful(self, most: float) -> bool:
        """Whether more draws could change the result."""
        return self.asked < ENOUGH or most - self.error(most) / 2 < self.share <= most + self.error(most)

    def too_frequent(self, most: float) -> bool:
        return self.share > most + self.error(most)


class Level(Struct, frozen=True):
    """The work of a topic at one level: means over its scenarios, and the score of an average trainee.

    `errors` are the standard errors of the means.
    """

    level: int
    steps: float
    decisive: float
    tempting: float
    work: float
    score: float
    errors: dict[str, float]


class TopicQuality(Struct, frozen=True):
    """The measurements of one topic of a rulebook."""

    rulebook: str
    topic: str
    guesses: tuple[Guess, ...]
    levels: tuple[Level, ...]
    structures: float
    offers: tuple[Offer, ...] = ()


class _Drawn(Struct, frozen=True):
    """A situation drawn for a level of its topic."""

    case: Case
    level: int
    situation: Situation
    ruling: Ruling
    questions: tuple[Question, ...]
    kind: str
    work: float


class _Pool:
    """Draws of every case of a topic at every level, and how often a trainee would meet each."""

    def __init__(self, book: Rulebook, topic: str, per_case: int) -> None:
        self.book, self.topic = book, topic
        self.cases = cases(book.id, topic)
        self.levels = book.game.levels(topic)
        self.count = dict.fromkeys((case.name for case in self.cases), 0)
        self.drawn: list[_Drawn] = []
        self.draw(self.cases, per_case)
        self._works = {level: sorted(one.work for one in self.of(level)) for level in self.levels}

    def of(self, level: int) -> list[_Drawn]:
        return [one for one in self.drawn if one.level == level]

    def draw(self, chosen: Iterable[Case], per_case: int) -> None:
        """Draw each of these cases until there are enough at each level."""
        for case in chosen:
            for level in self.levels:
                self.drawn += [self._one(case, level, number) for number in range(self.count[case.name], per_case)]
            self.count[case.name] = per_case

    def _one(self, case: Case, level: int, number: int) -> _Drawn:
        draw = self.book.game.draw(RELEASE, self.book.id, self.topic, case.name, level, number)
        situation = case.make(draw, self.book, level)
        ruling = self.book.rule(situation)
        questions = questions_about(situation, ruling, self.book)
        return _Drawn(case, level, situation, ruling, questions, kind_of(situation.incident), ruling.work)

    def weight(self, one: _Drawn) -> float:
        """How often `generate` would choose it: the level takes the draw with the least or the most work out of
        several."""
        works, work = self._works[one.level], one.work
        below, up_to = bisect_left(works, work) / len(works), bisect_right(works, work) / len(works)
        take, count = DRAWN[one.level]
        if take is min:
            below, up_to = 1 - up_to, 1 - below
        alike = up_to - below
        chance = (up_to**count - below**count) / alike if alike else count * below ** (count - 1)
        return float(chance) / self.count[one.case.name]


def quality(book_id: str, *, per_case: int = PER_CASE) -> list[TopicQuality]:
    """Measures every topic of a rulebook over fresh draws of each of its cases at each of its levels."""
    return [topic_quality(rulebook(book_id), topic, per_case) for topic in topics(book_id)]


def topic_quality(book: Rulebook, topic: str, per_case: int = PER_CASE) -> TopicQuality:
    pool = _Pool(book, topic, max(per_case, LEAST_PER_LEVEL // len(cases(book.id, topic))))
    guesses = _settled_guesses(pool)
    return TopicQuality(
        rulebook=book.id,
        topic=topic,
        guesses=guesses,
        levels=tuple(_level(level, pool) for level in pool.levels),
        structures=_structures(pool),
        offers=offers(book, ((one.situation, one.ruling, one.questions) for one in pool.drawn)),
    )


def structure(scenario: Scenario, ruling: Ruling) -> tuple[Any, ...]:
    """What makes two scenarios the same to a trainee apart from names and sums: what happened, the clauses, who was
    involved."""
    return _structure(scenario.situation, ruling)


def _structure(situation: Situation, ruling: Ruling) -> tuple[Any, ...]:
    return kind_of(situation.incident), tuple(sorted(set(ruling.cites))), tuple(sorted(situation.involved()))


def _structures(pool: _Pool) -> float:
    """How many different structures a trainee may expect in that many scenarios of a middle level."""
    middle = max(level for level in pool.levels if level <= VARIETY_LEVEL or level == pool.levels[0])
    met: defaultdict[tuple[Any, ...], float] = defaultdict(float)
    for one in pool.of(middle):
        met[_structure(one.situation, one.ruling)] += pool.weight(one)
    total = sum(met.values())
    return sum(1 - (1 - often / total) ** VARIETY_SEEDS for often in met.values())


def _settled_guesses(pool: _Pool) -> tuple[Guess, ...]:
    """Draws kinds with a rare or borderline question again until the result is clear."""
    standard = pool.book.game.standard
    found = _guesses(pool, pool.drawn)
    while True:
        doubts = {
            one.kind
            for one in found.values()
            if one.doubtful(standard.most_frequent) and f"{one.kind} {one.question}" not in standard.plain
        }
        names = {one.case.name for one in pool.drawn if one.kind in doubts}
        again = [case for case in pool.cases if case.name in names and pool.count[case.name] < MOST_PER_CASE]
        if not again:
            return tuple(found.values())
        pool.draw(again, 2 * min(pool.count[case.name] for case in again))
        found |= _guesses(pool, [one for one in pool.drawn if one.kind in doubts])


def _guesses(pool: _Pool, drawn: Iterable[_Drawn]) -> dict[tuple[str, str], Guess]:
    """Guesses by kind of incident and question, as a trainee sees them. Several cards or bets of one question count
    together."""
    right: defaultdict[tuple[str, str], defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    squares: defaultdict[tuple[str, str], float] = defaultdict(float)
    for one in drawn:
        weight = pool.weight(one)
        asked = Counter(question.key.partition(".")[0] for question in one.questions)
        for question in one.questions:
            name = question.key.partition(".")[0]
            right[one.kind, name][_plain(one.ruling.get(question.key))] += weight / asked[name]
        for name in asked:
            squares[one.kind, name] += weight**2
    found = {}
    for (kind, name), answers in right.items():
        answer, total = max(answers, key=lambda one: answers[one]), sum(answers.values())
        asked_often = total**2 / squares[kind, name]
        found[kind, name] = Guess(pool.topic, kind, name, answer, answers[answer] / total, asked_often)
    return found


def _plain(value: Any) -> str:
    if value is None:
        return DOES_NOT_ARISE
    # An announcement with a score or a sum differs whenever the value does.
    return " ".join(map(str, (value.formula, *value.slots.values()))) if isinstance(value, Utterance) else str(value)


def _level(level: int, pool: _Pool) -> Level:
    drawn = pool.of(level)
    weights = [pool.weight(one) for one in drawn]
    measured: dict[str, list[float]] = {
        "steps": [len(one.ruling.steps) for one in drawn],
        "decisive": [len(one.ruling.pivots) for one in drawn],
        "tempting": [sum(len(decision.tempting) for decision in one.ruling.decisions) for one in drawn],
        "work": [one.work for one in drawn],
        "score": [_score(one.questions, one.ruling) for one in drawn],
    }
    means = {name: sum(map(mul, weights, values)) / sum(weights) for name, values in measured.items()}
    errors = {
        name: sqrt(sum((w * (value - means[name])) ** 2 for w, value in zip(weights, values, strict=True)))
        / sum(weights)
        for name, values in measured.items()
    }
    return Level(level=level, **means, errors=errors)


def _score(questions: Sequence[Question], ruling: Ruling) -> float:
    """The expected score of a trainee who knows each clause with the same probability.

    Where a clause is unknown, the trainee picks one of the tempting answers, or any option if none tempts. Typed
    answers are never guessed.
    """
    knows = KNOWS ** len(ruling.pivots)
    tempting = {decision.key: len(decision.tempting) for decision in ruling.decisions}
    plausible = [1 + (tempting.get(one.key, 0) or len(one.options) - 1) for one in questions]
    return fmean(knows + (1 - knows) * (1 / count if count else 0) for count in plausible)


def shortcomings(found: TopicQuality, book: Rulebook) -> list[str]:
    """Everything that misses the standard of the game, one per line; empty if nothing does."""
    standard = book.game.standard
    lines = [
        f"{guess.topic}: {guess.kind} {guess.question}: {guess.answer} in {guess.share:.0%} of {guess.asked:.0f}"
        for guess in found.guesses
        if guess.too_frequent(standard.most_frequent) and f"{guess.kind} {guess.question}" not in standard.plain
    ]
    lines += [
        f"{guess.topic}: {guess.kind} {guess.question}: met too rarely to be measured ({guess.asked:.0f})"
        for guess in found.guesses
        if guess.asked < ENOUGH and f"{guess.kind} {guess.question}" not in standard.plain
    ]
    least = standard.structures.get(found.topic, standard.least_structures)
    if round(found.structures) < least:
        lines.append(
            f"{found.topic}: {found.structures:.1f} structures in {VARIETY_SEEDS} seeds, at least {least} wanted"
        )
    for lower, higher in zip(found.levels, found.levels[1:], strict=False):
        lines += _rise(found.topic, lower, higher)
    return lines


def _rise(topic: str, lower: Level, higher: Level) -> list[str]:
    """What does not increase from one level to the next by more than chance explains."""
    where = f"{topic}: level {higher.level} after {lower.level}"
    luck = {name: hypot(error, higher.errors[name]) for name, error in lower.errors.items()}
    lines = [
        f"{where}: fewer {name} ({getattr(lower, name):.2f} → {getattr(higher, name):.2f})"
        for name in ("steps", "decisive", "tempting")
        if getattr(higher, name) + luck[name] < getattr(lower, name) * 0.95
    ]
    if higher.work + luck["work"] < lower.work * 1.03:
        lines.append(f"{where}: no more work ({lower.work:.2f} → {higher.work:.2f})")
    if higher.score - luck["score"] > lower.score - 0.004:
        lines.append(f"{where}: no harder for one who knows {KNOWS:.0%} ({lower.score:.2f} → {higher.score:.2f})")
    return lines
