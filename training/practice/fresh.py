"""Generates scenarios for practice: none that an exam uses or the bank reserves and, if possible, none with a structure
that the trainee has met lately."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256

from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Ruling, Scenario
from training.house import readings
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
) -> Scenario:
    """A scenario from a secret seed, so that nobody can know it beforehand. Skips those that are kept out of practice.

    Prefers one that turns on the article, then one whose structure was met longest ago. Raises Refused if all are kept
    out.
    """
    best: tuple[bool, int] | None = None
    found: Scenario | None = None
    adopted, watch = readings.practised(rulebook), guarded_cases.Watch(rulebook)
    for _try in range(TRIES):
        made = rules_engine.generate(rulebook, topic, secret_seeds.secret_seed(), difficulty, article=article)
        scenario = rules_engine.under(made, adopted)
        ruling = scenario.solve()
        lately = (met or {}).get(scenario.topic, ())
        structure = structure_of(scenario, ruling) if lately else ""
        ago = lately.index(structure) if structure in lately else APART
        worth = (article is None or article in ruling.pivots, ago)
        if (best is None or worth > best) and not watch.near(scenario):
            best, found = worth, scenario
            if best == (True, APART):
                break
    if found is None:
        raise Refused(_("All cases of this kind are being used in an exam that is not over yet. Choose another topic."))
    return found
