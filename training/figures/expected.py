"""The share of an item's points that a candidate is expected to get, estimated from practice.

Few answers say little, so every estimate is pulled towards the next wider one: from the rules a case turns on, to its
kind (topic at a difficulty), to its difficulty alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from training.figures import items
from training.figures.models import ItemTally, RuleTally, Tally

# The expected share of the points at each difficulty without any data.
PRIOR = {1: 0.85, 2: 0.75, 3: 0.65, 4: 0.55, 5: 0.45}
# How many answers the wider estimate counts for.
WEIGHT = 20


@dataclass(frozen=True)
class Share:
    """The number of answers and their share of the points."""

    answers: int = 0
    share: float = 0.0

    def leaning_on(self, wider: float) -> float:
        return (self.answers * self.share + WEIGHT * wider) / (self.answers + WEIGHT)


NOTHING = Share()


def share_of(tally: Tally) -> Share:
    return Share(tally.answers, tally.points / tally.of) if tally.of else NOTHING


@dataclass(frozen=True)
class Experience:
    """The shares in practice of kinds, library versions and rules."""

    items: dict[str, Share] = field(default_factory=dict)
    rules: dict[tuple[str, str], Share] = field(default_factory=dict)

    def expected(
        self, *, rulebook: str, topic: str, difficulty: int, version_id: int | None, pivots: Iterable[str]
    ) -> float:
        """The expected share of the points, from 0 to 1."""
        kind = self.items.get(items.kind_key(rulebook, topic, difficulty), NOTHING).leaning_on(PRIOR[difficulty])
        rules = [self.rules.get((rulebook, cite), NOTHING).leaning_on(kind) for cite in pivots]
        by_rules = sum(rules) / len(rules) if rules else kind
        if version_id is None:
            return by_rules
        return self.items.get(items.version_key(version_id), NOTHING).leaning_on(by_rules)


def experience(rulebooks: Iterable[str]) -> Experience:
    """Read the experience with these rulebooks, in two queries."""
    books = set(rulebooks)
    tallies = ItemTally.objects.filter(answers__gt=0)
    rules = RuleTally.objects.filter(rulebook__in=books, answers__gt=0)
    return Experience(
        items={tally.item: share_of(tally) for tally in tallies},
        rules={(tally.rulebook, tally.cite): share_of(tally) for tally in rules},
    )
