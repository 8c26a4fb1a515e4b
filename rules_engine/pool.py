"""Draws of every case of a topic at every level, for measuring the scenarios of the topic (`quality.py`)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from rules_engine.cases import Case
from rules_engine.questions import Question, questions_about
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Ruling, Value, choices
from rules_engine.scenario import DRAWN, SETTLED, by_work, picked
from rules_engine.situation import Situation, kind_of
from rules_engine.topics import cases

At = tuple[str, int, int]
# Used in place of the version of the game.
RELEASE = "quality"


class Drawn(Struct, frozen=True):
    """A situation drawn for a level of its topic. `number` counts the draws of its case at that level."""

    case: Case
    level: int
    number: int
    situation: Situation
    ruling: Ruling
    questions: tuple[Question, ...]
    kind: str
    work: float
    disputed: bool

    @property
    def at(self) -> At:
        return self.case.name, self.level, self.number


class Pool:
    """Draws of every case of a topic at every level, and how often a trainee would meet each (`weight`)."""

    def __init__(self, book: Rulebook, topic: str, per_case: int) -> None:
        # At a table, because announcements name its money.
        self.book, self.topic = book.at(book.usual_tables[0]), topic
        self.cases = cases(book.id, topic)
        self.levels = book.game.levels(topic)
        self.count = dict.fromkeys((case.name for case in self.cases), 0)
        self.drawn: list[Drawn] = []
        self.draw(self.cases, per_case)

    def of(self, level: int) -> list[Drawn]:
        return [one for one in self.drawn if one.level == level]

    def draw(self, chosen: Iterable[Case], per_case: int) -> None:
        """Draw each of these cases until there are enough at each level."""
        for case in chosen:
            for level in self.levels:
                self.drawn += [self._one(case, level, number) for number in range(self.count[case.name], per_case)]
            self.count[case.name] = per_case
        self._weights = {at: weight for level in self.levels for at, weight in self._of_level(level)}

    def _one(self, case: Case, level: int, number: int) -> Drawn:
        draw = self.book.game.draw(RELEASE, self.book.id, self.topic, case.name, level, number)
        book = self.book.at(draw.pick(self.book.usual_tables))
        situation = case.make(draw, book, level)
        reasoning = book.reason(situation)
        ruling = reasoning.ruling()
        questions = questions_about(situation, ruling, book)
        kind = kind_of(situation.incident)
        return Drawn(case, level, number, situation, ruling, questions, kind, ruling.work, reasoning.disputed)

    def weight(self, one: Drawn) -> float:
        """How often `generate` would choose it at its level."""
        return self._weights.get(one.at, 0.0)

    def _of_level(self, level: int) -> Iterator[tuple[At, float]]:
        """The weight of each draw of a level. `generate` picks a kind of incident, and then the easiest or the hardest
        of the draws with the same answers."""
        take, count = DRAWN[level]
        fit = [one for one in self.of(level) if level > SETTLED or not one.disputed] or self.of(level)
        kinds = by_work(self.book.id, self.topic, hard=take is max) if count > 1 else (self.cases,)
        for at, own in enumerate(kinds):
            lower, upper = at / len(kinds), (at + 1) / len(kinds)
            # Of kinds picked at random, the hardest or the easiest.
            of = picked(level, len(kinds)) if count > 1 else 1
            chosen = upper**of - lower**of if take is max else (1 - lower) ** of - (1 - upper) ** of
            share = {case.name: (chosen if count > 1 else 1) / len(own) / self.count[case.name] for case in own}
            mine = [(one, share[one.case.name]) for one in fit if one.case.name in share]
            total = sum(weight for _, weight in mine)
            alike: defaultdict[frozenset[tuple[str, Value]], list[tuple[Drawn, float]]] = defaultdict(list)
            for one, weight in mine:
                alike[choices(one.ruling.decisions)].append((one, weight))
            for some in alike.values():
                yield from _taken(some, total, take is max, count)


def _taken(alike: list[tuple[Drawn, float]], total: float, most: bool, count: int) -> Iterator[tuple[At, float]]:
    """The weights of draws with the same answers, of which the hardest or the easiest is taken. The first
    of `count` draws has these answers; each of the others has them by chance."""
    own = sum(weight for _, weight in alike)
    works: defaultdict[float, float] = defaultdict(float)
    for one, weight in alike:
        works[_hard(one, most)] += weight / own
    chance, done, above = {}, 0.0, own / total
    for work in sorted(works, reverse=not most):
        lower, upper = done, done + works[work]
        chance[work] = sum(x * (1 - above + above * x) ** (count - 1) * sign for x, sign in ((upper, 1), (lower, -1)))
        done = upper
    for one, weight in alike:
        yield one.at, chance[_hard(one, most)] * weight / works[_hard(one, most)]


def _hard(one: Drawn, most: bool) -> float:
    return one.ruling.hardness if most else one.work
