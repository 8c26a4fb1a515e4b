"""Generates scenarios for practice: none that an exam uses or the bank reserves and, if possible, none with a structure
that the trainee has met lately."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Ruling, Scenario, Table
from training.house import readings, tables
from training.library import guarded_cases
from training.library.models import Version
from training.library.moments import moments
from training.people.models import User
from training.platform import secret_seeds
from training.platform.errors import Refused
from training.practice.models import Drill

# Some articles decide only one in ten of the cases generated for them.
TRIES = 80
# If the topic has enough structures, this many drills of it lie between two of the same structure.
APART = 9
# How useful a scenario would be now, from the scenario and its ruling.
Worth = Callable[[Scenario, Ruling], float]
# How many drills of a rulebook `met_lately` reads; a trainee mixes topics.
LOOKED_AT = 60


def is_kept_out(scenario: Scenario) -> bool:
    """Whether this case or one very close to it is in the exam bank or in an exam that is not over."""
    return guarded_cases.is_guarded(scenario)


def is_kept_out_of(version: Version) -> bool:
    """Whether any moment of a version is kept out of practice now."""
    watch = guarded_cases.Watch(version.rulebook)
    return any(watch.near(moment.scenario) for moment in moments(version))


def structure_of(scenario: Scenario, ruling: Ruling) -> str:
    """A digest of the structure of a scenario: equal for scenarios that differ only in names and amounts."""
    return sha256(repr(rules_engine.structure(scenario, ruling)).encode()).hexdigest()[:16]


def met_lately(trainee: User, rulebook: str) -> Mapping[str, Sequence[str]]:
    """By topic: the structures of a trainee's last drills, newest first."""
    drills = Drill.objects.filter(trainee=trainee, rulebook=rulebook).order_by("-created_at")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for topic, structure in drills.values_list("topic", "structure")[:LOOKED_AT]:
        if len(found[topic]) < APART:
            found[topic].append(structure)
    return found


def fresh_scenario(
    rulebook: str,
    topic: str | None,
    difficulty: int,
    article: str | None,
    met: Mapping[str, Sequence[str]] | None = None,
    at: Sequence[Table] = (),
) -> Scenario:
    """A scenario from a secret seed, so that nobody can know it beforehand. Skips those that are kept out of practice.

    It is played `at` one of these tables, or at one of the house. Prefers one that turns on the article, then one whose
    structure was met longest ago. Raises Refused if all are kept out.
    """
    scenario, _useful = FreshCases(rulebook, met or {}, at).most_useful(topic, difficulty, article)
    return scenario


def all_in_use() -> str:
    return _("All cases of this kind are being used in an exam that is not over yet. Choose another topic.")


class FreshCases:
    """Generates scenarios of a rulebook. Reads once what is kept out of practice, for any number of them."""

    def __init__(self, rulebook: str, met: Mapping[str, Sequence[str]], at: Sequence[Table] = ()) -> None:
        self.rulebook, self.met, self.tables = rulebook, met, at or tables.of_house(rulebook)
        self._adopted, self._watch = readings.practised(rulebook), guarded_cases.Watch(rulebook)

    def most_useful(
        self,
        topic: str | None,
        difficulty: int,
        article: str | None,
        *,
        worth: Worth = lambda scenario, ruling: 0.0,
        among: int = 1,
    ) -> tuple[Scenario, float]:
        """The best of `among` suitable scenarios by `worth`, and its worth. Otherwise as `fresh_scenario`."""
        best: tuple[bool, int, float] | None = None
        found: Scenario | None = None
        suitable = 0
        for made in range(TRIES):
            if suitable >= among or (suitable and made >= 2 * among):
                break
            scenario, ruling = self._one(topic, difficulty, article)
            ago = self._last_met(scenario, ruling)
            value = (article is None or article in ruling.pivots, ago, worth(scenario, ruling))
            suits = value[:2] == (True, APART)
            better = best is None or value > best
            if (suits or better) and not self._watch.near(scenario):
                suitable += suits
                if better:
                    best, found = value, scenario
        if found is None or best is None:
            raise Refused(all_in_use())
        return found, best[2]

    def _one(self, topic: str | None, difficulty: int, article: str | None) -> tuple[Scenario, Ruling]:
        seed = secret_seeds.secret_seed()
        table = tables.pick(self.tables, seed)
        scenario = rules_engine.generate(
            self.rulebook, topic, seed, difficulty, article=article, table=table, readings=self._adopted
        )
        return scenario, scenario.solve()

    def _last_met(self, scenario: Scenario, ruling: Ruling) -> int:
        """How many drills of the topic lie between this structure and the last one like it; at most `APART`."""
        lately = self.met.get(scenario.topic, ())
        structure = structure_of(scenario, ruling) if lately else ""
        return lately.index(structure) if structure in lately else APART
