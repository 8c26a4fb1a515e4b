"""Composes the forms of a session from its pool: each follows the blueprint and all are equally hard.

Items of a line are dealt in rounds, neighbours by model in the same round, so that forms have the same mix of models.
Then items of a line change places until the forms are expected to score alike.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from exams.programmes.rules import Slot
from exams.records.models import Candidate, ExamItem
from rules_engine.draw import Draw
from training.platform import secret_seeds

# The largest allowed gap between the expected scores of two forms, as a share of the full score.
TOLERANCE = 0.02
# How much each further step of reasoning is assumed to lower the expected share of an item's points.
STEP = 0.01
SWAPS_EACH = 60  # tried for each placed item
MOST_SWAPS = 200_000
# If items differ in few steps, perhaps no single exchange evens out the papers. Exchanges may then also make two papers
# less alike, at first by this much, later by less and less (simulated annealing).
SLACK = 1.0

CHANCE = random.SystemRandom()


@dataclass(frozen=True)
class ComposedForm:
    """A form to be stored: its items in order, the expected score, and the seed of their order."""

    candidate: Candidate
    seed: str
    items: tuple[ExamItem, ...]
    predicted: float


def expected_score(items: Sequence[ExamItem]) -> float:
    """The share of all points that a candidate is expected to get, from 0 to 1."""
    return sum(item.points * item.predicted for item in items) / sum(item.points for item in items)


def spread(forms: Sequence[ComposedForm]) -> float:
    """The gap between the expected scores of the easiest and the hardest form."""
    scores = [form.predicted for form in forms]
    return max(scores) - min(scores)


@dataclass
class _Paper:
    """A form being composed: items by line, and by how much its points and its work exceed those of the average."""

    candidate: Candidate
    lines: list[list[ExamItem]] = field(default_factory=list)
    points: float = 0.0
    work: float = 0.0


class Composer:
    """Composes the forms of one session."""

    def __init__(
        self,
        slots: Sequence[Slot],
        pool: Sequence[Sequence[ExamItem]],
        work: Mapping[UUID, float],
        placed: Mapping[tuple[int, int], Sequence[ExamItem]] | None = None,
    ) -> None:
        """`work` is how much reasoning an item takes. `placed` are items that certain people get, by line
        and person."""
        self.slots = slots
        self.pool = pool
        self._work = work
        self._placed = placed or {}

    def compose(self, candidates: Sequence[Candidate]) -> list[ComposedForm]:
        papers = [_Paper(candidate) for candidate in CHANCE.sample(list(candidates), len(candidates))]
        spare = [self._deal(slot, papers) for slot in self.slots]
        self._level(papers, spare)
        made = [self._ordered(paper) for paper in papers]
        if spread(made) > TOLERANCE:
            aim = min((paper.points for paper in papers), key=abs)  # perhaps no paper can reach the average
            for paper in papers:
                paper.points -= aim
            self._level(papers, spare, slack=SLACK)
            made = [self._ordered(paper) for paper in papers]
        return made

    def _deal(self, slot: Slot, papers: list[_Paper]) -> list[ExamItem]:
        """Gives every paper its items of a line; returns those left over. Where the pool is smaller than all papers
        together, items come on several papers."""
        for paper in papers:
            paper.lines.append(list(self._placed.get((slot.number, paper.candidate.person_id), ())))
        needs = [slot.line.items - len(paper.lines[-1]) for paper in papers]
        chosen, spare = _middle(self.pool[slot.number], sum(needs))
        chosen.sort(key=lambda item: (item.model, item.predicted, item.fingerprint))
        start, whole = 0, len(chosen)
        for number in range(max(needs, default=0)):
            takers = [paper for paper, need in zip(papers, needs, strict=True) if need > number]
            share = max(1, whole * len(takers) // sum(needs))
            end = whole if number == max(needs) - 1 else min(whole, start + share)
            dealt = sorted(chosen[start:end], key=lambda item: item.predicted)
            takers.sort(key=lambda paper: -paper.points)
            for place, paper in enumerate(takers):
                paper.lines[-1].append(dealt[place * len(dealt) // len(takers)])
            start = end
        mean = _mean(chosen)
        for paper in papers:
            paper.points += sum(item.points * (item.predicted - mean) for item in paper.lines[-1])
        return spare

    def _level(self, papers: list[_Paper], spare: list[list[ExamItem]], *, slack: float = 0.0) -> None:
        """Lets two papers, or a paper and what is left over, exchange items of a line while that makes them more
        alike."""
        lines = [number for number, slot in enumerate(self.slots) for _item in range(slot.line.items)]
        burden = [sum(self._burden(item) for line in paper.lines for item in line) for paper in papers]
        for paper, own in zip(papers, burden, strict=True):
            paper.work = own - sum(burden) / len(burden)
        swaps = min(MOST_SWAPS, SWAPS_EACH * len(lines) * len(papers))
        for swap in range(swaps):
            allowed = slack * max(0.0, 1 - 2 * swap / swaps)
            number, one = CHANCE.choice(lines), CHANCE.choice(papers)
            left_over = spare[number]
            if left_over and CHANCE.random() < len(left_over) / (len(left_over) + len(papers)):
                self._exchange(one, one.lines[number], None, left_over, allowed)
            else:
                other = CHANCE.choice(papers)
                self._exchange(one, one.lines[number], other, other.lines[number], allowed)

    def _exchange(
        self, one: _Paper, own: list[ExamItem], other: _Paper | None, theirs: list[ExamItem], allowed: float
    ) -> None:
        here, there = CHANCE.randrange(len(own)), CHANCE.randrange(len(theirs))
        out, into = own[here], theirs[there]
        # Items of the bank stay with those who do not know them.
        if one is other or out.version_id or into.version_id or into in own or (other and out in theirs):
            return
        points = into.points * into.predicted - out.points * out.predicted
        work = self._burden(into) - self._burden(out)
        gain = _off(one, points, work) + (_off(other, -points, -work) if other else 0)
        if gain >= allowed - 1e-9:
            return
        own[here], theirs[there] = into, out
        for paper, sign in ((one, 1), (other, -1)):
            if paper:
                paper.points += sign * points
                paper.work += sign * work

    def _burden(self, item: ExamItem) -> float:
        return STEP * item.points * self._work.get(item.pk, 0.0)

    def _ordered(self, paper: _Paper) -> ComposedForm:
        """Sections in blueprint order, the items within each shuffled for this form."""
        seed = secret_seeds.secret_seed()
        draw = Draw(seed)
        sections: dict[str, list[ExamItem]] = {}
        for slot, line in zip(self.slots, paper.lines, strict=True):
            sections.setdefault(slot.section, []).extend(line)
        items = tuple(item for found in sections.values() for item in draw.shuffled(found))
        return ComposedForm(paper.candidate, seed, items, expected_score(items))


def _off(paper: _Paper, points: float, work: float) -> float:
    """How much farther from the average a change takes a paper; negative if it brings it closer."""
    after = (paper.points + points) ** 2 + (paper.work + work) ** 2
    return after - paper.points**2 - paper.work**2


def _middle(line: Sequence[ExamItem], count: int) -> tuple[list[ExamItem], list[ExamItem]]:
    """The items of a line whose difficulty is nearest to its median, and the rest."""
    median = sorted(item.predicted for item in line)[len(line) // 2] if line else 0.0
    near = sorted(line, key=lambda item: abs(item.predicted - median))
    return near[:count], near[count:]


def _mean(line: Sequence[ExamItem]) -> float:
    return sum(item.predicted for item in line) / len(line) if line else 0.0
