"""Draws of every case of a topic at every level, for measuring the scenarios of the topic (`quality.py`)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from msgspec import Struct

from rules_engine.cases import Case
from rules_engine.questions import Question, questions_about
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Ruling
from rules_engine.scenario import DRAWN
from rules_engine.situation import Situation, kind_of
from rules_engine.topics import cases

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


class Pool:
    """Draws of every case of a topic at every level, and how often a trainee would meet each."""

    def __init__(self, book: Rulebook, topic: str, per_case: int) -> None:
        self.book, self.topic = book, topic
        self.cases = cases(book.id, topic)
        self.levels = book.game.levels(topic)
        self.count = dict.fromkeys((case.name for case in self.cases), 0)
        self.drawn: list[Drawn] = []
        self.draw(self.cases, per_case)
        self._works = {level: sorted(one.work for one in self.of(level)) for level in self.levels}

    def of(self, level: int) -> list[Drawn]:
        return [one for one in self.drawn if one.level == level]

    def draw(self, chosen: Iterable[Case], per_case: int) -> None:
        """Draw each of these cases until there are enough at each level."""
        for case in chosen:
            for level in self.levels:
                self.drawn += [self._one(case, level, number) for number in range(self.count[case.name], per_case)]
            self.count[case.name] = per_case

    def _one(self, case: Case, level: int, number: int) -> Drawn:
        draw = self.book.game.draw(RELEASE, self.book.id, self.topic, case.name, level, number)
        situation = case.make(draw, self.book, level)
        ruling = self.book.rule(situation)
        questions = questions_about(situation, ruling, self.book)
        return Drawn(case, level, number, situation, ruling, questions, kind_of(situation.incident), ruling.work)

    def weight(self, one: Drawn) -> float:
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
