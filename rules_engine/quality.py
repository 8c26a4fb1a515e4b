"""How good the generated scenarios are to learn from, measured and never declared: whether a question can be guessed
without knowing the rule, whether a harder level is harder, and whether cases of a topic differ.

What the law leaves no room for stands in `quality.toml` of its game, with the reason beside it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import Any

from msgspec import Struct

from rules_engine.game import rulebook
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Ruling, Utterance
from rules_engine.scenario import Scenario, generate
from rules_engine.situation import kind_of
from rules_engine.topics import topics

PER_LEVEL = 40
VARIETY_SEEDS = 50
VARIETY_LEVEL = 3
# A question must have been put this often before its most frequent answer says anything.
ENOUGH = 20
# A simulated trainee knows each clause with this probability, and picks blindly where one is lacking.
KNOWS = 0.7


class Guess(Struct, frozen=True):
    """A question of a kind of incident, and how often its most frequent answer is the right one."""

    topic: str
    kind: str
    question: str
    answer: str
    share: float
    asked: int


class Level(Struct, frozen=True):
    """The work of a topic at one level: means over its scenarios, and what a trainee of average knowledge scores."""

    level: int
    steps: float
    decisive: float
    tempting: float
    work: float
    score: float


class TopicQuality(Struct, frozen=True):
    """What was measured of one topic of a rulebook."""

    rulebook: str
    topic: str
    guesses: tuple[Guess, ...]
    levels: tuple[Level, ...]
    structures: int


def quality(book_id: str, *, per_level: int = PER_LEVEL) -> list[TopicQuality]:
    """Every topic of a rulebook, measured over the same number of fresh scenarios at each of its levels."""
    return [topic_quality(rulebook(book_id), topic, per_level) for topic in topics(book_id)]


def topic_quality(book: Rulebook, topic: str, per_level: int = PER_LEVEL) -> TopicQuality:
    levels = book.game.levels(topic)
    solved = {level: _solved(book, topic, level, per_level) for level in levels}
    middle = max(level for level in levels if level <= VARIETY_LEVEL or level == levels[0])
    return TopicQuality(
        rulebook=book.id,
        topic=topic,
        guesses=_guesses(topic, (pair for pairs in solved.values() for pair in pairs)),
        levels=tuple(_level(level, pairs) for level, pairs in solved.items()),
        structures=len({structure(*pair) for pair in _solved(book, topic, middle, VARIETY_SEEDS)}),
    )


def structure(scenario: Scenario, ruling: Ruling) -> tuple[Any, ...]:
    """What makes two scenarios the same to a trainee but for names and sums: what happened, the clauses, who."""
    return (
        kind_of(scenario.situation.incident),
        tuple(sorted(set(ruling.cites))),
        tuple(sorted(scenario.situation.involved())),
    )


def _solved(book: Rulebook, topic: str, level: int, count: int) -> list[tuple[Scenario, Ruling]]:
    made = (generate(book.id, topic, f"quality-{number}", level) for number in range(count))
    return [(scenario, scenario.solve()) for scenario in made]


def _guesses(topic: str, solved: Iterable[tuple[Scenario, Ruling]]) -> tuple[Guess, ...]:
    """By kind of incident, as a trainee sees it, and by question: cards or bets of one question count together."""
    right: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for scenario, ruling in solved:
        kind = kind_of(scenario.situation.incident)
        for question in scenario.questions:
            value = ruling.get(question.key)
            right[kind, question.key.partition(".")[0]][_plain(value)] += 1
    return tuple(
        Guess(topic, kind, question, answer, count / answers.total(), answers.total())
        for (kind, question), answers in right.items()
        for answer, count in answers.most_common(1)
    )


def _plain(value: Any) -> str:
    if value is None:
        return DOES_NOT_ARISE
    # Words that name a score or a sum are another answer with every other one.
    return " ".join(map(str, (value.formula, *value.slots.values()))) if isinstance(value, Utterance) else str(value)


def _level(level: int, solved: list[tuple[Scenario, Ruling]]) -> Level:
    return Level(
        level=level,
        steps=fmean(len(ruling.steps) for _, ruling in solved),
        decisive=fmean(len(ruling.pivots) for _, ruling in solved),
        tempting=fmean(sum(len(decision.tempting) for decision in ruling.decisions) for _, ruling in solved),
        work=fmean(ruling.work for _, ruling in solved),
        score=fmean(_score(scenario, ruling) for scenario, ruling in solved),
    )


def _score(scenario: Scenario, ruling: Ruling) -> float:
    """What one who knows each clause with the same probability may expect.

    Where a clause is lacking the answer is picked from what looks plausible: what tempts, if anything does, or whatever
    is offered. What is typed is not hit by chance.
    """
    knows = KNOWS ** len(ruling.pivots)
    tempting = {decision.key: len(decision.tempting) for decision in ruling.decisions}
    plausible = [1 + (tempting.get(one.key, 0) or len(one.options) - 1) for one in scenario.questions]
    return fmean(knows + (1 - knows) * (1 / count if count else 0) for count in plausible)


def shortcomings(found: TopicQuality, book: Rulebook) -> list[str]:
    """What falls short of the house's measure, each in a line; empty when nothing does."""
    standard = book.game.standard
    lines = [
        f"{guess.topic}: {guess.kind} {guess.question}: {guess.answer} in {guess.share:.0%} of {guess.asked}"
        for guess in found.guesses
        if guess.asked >= ENOUGH
        and guess.share > standard.most_frequent
        and f"{guess.kind} {guess.question}" not in standard.plain
    ]
    least = standard.structures.get(found.topic, standard.least_structures)
    if found.structures < least:
        lines.append(f"{found.topic}: {found.structures} structures in {VARIETY_SEEDS} seeds, at least {least} wanted")
    for lower, higher in zip(found.levels, found.levels[1:], strict=False):
        lines += _rise(found.topic, lower, higher)
    return lines


def _rise(topic: str, lower: Level, higher: Level) -> list[str]:
    where = f"{topic}: level {higher.level} after {lower.level}"
    lines = [
        f"{where}: fewer {name} ({getattr(lower, name):.2f} → {getattr(higher, name):.2f})"
        for name in ("steps", "decisive", "tempting")
        if getattr(higher, name) < getattr(lower, name) * 0.95
    ]
    if higher.work < lower.work * 1.03:
        lines.append(f"{where}: no more work ({lower.work:.2f} → {higher.work:.2f})")
    if higher.score > lower.score - 0.004:
        lines.append(f"{where}: no harder for one who knows {KNOWS:.0%} ({lower.score:.2f} → {higher.score:.2f})")
    return lines
