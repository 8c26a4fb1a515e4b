"""Whether a harder level is harder, combines provisions, and shows more than one kind of incident."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot, sqrt
from operator import mul
from statistics import fmean
from typing import Any

from msgspec import Struct

from rules_engine.citations import combined
from rules_engine.game import LEVELS, Game
from rules_engine.pool import Drawn, Pool
from rules_engine.questions import Question
from rules_engine.ruling import Ruling

# A simulated trainee knows each clause with this probability and guesses where one is unknown.
KNOWS = 0.7
# In a topic with so many kinds of incident, none supplies more than this share of the highest level.
KINDS = 3
MOST_OF_ONE_KIND = 0.6
# At the highest level of a topic, at least this share of the cases combines two provisions.
LEAST_COMBINED = 0.5
# Two levels of a topic next to each other may be equally hard. The answers must not depend on the level, so it cannot
# simply prefer the longer ruling.
EASIER = 0.01


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


class Combined(Struct, frozen=True):
    """The share of the cases of a level that need two provisions of the regulation, with its standard error."""

    share: float = 1.0
    error: float = 0.0

    @property
    def too_few(self) -> bool:
        """Whether it is below the limit by more than chance explains."""
        return self.share + 2 * self.error < LEAST_COMBINED


def combined_at(level: int, pool: Pool) -> Combined:
    """How often a trainee needs two provisions at a level, in what trainees meet."""
    drawn = pool.of(level)
    weights = [pool.weight(one) for one in drawn]
    total = sum(weights)
    share = sum(weight for one, weight in zip(drawn, weights, strict=True) if _combines(one)) / total
    return Combined(share, sqrt(share * (1 - share) * sum(weight**2 for weight in weights)) / total)


def _combines(one: Drawn) -> bool:
    """Whether the clauses that it turns on, and those that the answers rest on, are of two provisions."""
    decided = {decision.key: decision.rests for decision in one.ruling.decisions}
    answers = (cite for question in one.questions for cite in decided.get(question.key, ()))
    return combined((*one.ruling.pivots, *answers))


def kinds_at(level: int, pool: Pool) -> dict[str, float]:
    """The share of each kind of incident in what trainees meet at a level."""
    found: defaultdict[str, float] = defaultdict(float)
    drawn = pool.of(level)
    total = sum(map(pool.weight, drawn))
    for one in drawn:
        found[one.kind] += pool.weight(one) / total
    return dict(found)


def of_level(level: int, pool: Pool) -> Level:
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


def too_easy(levels: Sequence[Level], kinds: dict[str, float]) -> list[str]:
    """What is wrong with the levels of a topic: none may be easier than the one before, and the highest must be harder
    than the lowest, each by more than chance explains; one kind of incident may not supply most of the highest."""
    lines = [
        f"level {higher.level} is easier than {lower.level}: score {lower.score:.2f} → {higher.score:.2f}"
        for lower, higher in pairwise(levels)
        if higher.score - lower.score > EASIER + hypot(lower.errors["score"], higher.errors["score"])
    ]
    if len(levels) > 1 and levels[-1].score >= levels[0].score:
        lines.append(
            f"level {levels[-1].level} is no harder than {levels[0].level}: "
            f"score {levels[0].score:.2f} → {levels[-1].score:.2f}"
        )
    kind = max(kinds, key=lambda one: kinds[one], default="")
    if len(kinds) >= KINDS and kinds[kind] > MOST_OF_ONE_KIND:
        lines.append(f"{kind} supplies {kinds[kind]:.0%} of level {levels[-1].level}")
    return lines


def scores(game: Game[Any], topics: Mapping[str, Sequence[Level]]) -> list[float]:
    """The score of the simulated trainee at each level of a rulebook, over all of its topics. A topic with fewer levels
    counts at the one that it has instead."""
    measured = {topic: {one.level: one.score for one in levels} for topic, levels in topics.items()}
    return [fmean(found[game.level(topic, level)] for topic, found in measured.items()) for level in LEVELS]


def no_harder(game: Game[Any], topics: Mapping[str, Sequence[Level]]) -> list[str]:
    """The levels of a rulebook at which the simulated trainee scores no lower than at the one before, one per line."""
    found = list(zip(LEVELS, scores(game, topics), strict=True))
    return [
        f"level {higher} is no harder than {lower}: score {before:.3f} → {after:.3f}"
        for (lower, before), (higher, after) in pairwise(found)
        if after >= before
    ]
