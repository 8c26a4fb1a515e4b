"""Fresh scenarios for practice: none that an exam uses or that the bank keeps for one, none of a structure the trainee
has just had while others are left."""

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

# Some articles decide only one in ten of the cases made for them.
TRIES = 80
# So many other drills of a topic lie between two of the same structure, where the topic has as many.
APART = 9
# A trainee mixes topics: as many drills of a rulebook are looked at.
LOOKED_AT = 60


def is_kept_out(scenario: Scenario) -> bool:
    """Whether nobody may practise this case, or one so near: the exam bank keeps it, or an exam that is not over."""
    return guarded_cases.is_guarded(scenario)


def is_kept_out_of(version: Version) -> bool:
    """Whether any moment of a version is in nobody's practice for now."""
    watch = guarded_cases.Watch(version.rulebook)
    return any(watch.near(moment.scenario) for moment in moments(version))


def structure_of(scenario: Scenario, ruling: Ruling) -> str:
    """The structure of a scenario in a form that can be stored and compared."""
    return sha256(repr(rules_engine.structure(scenario, ruling)).encode()).hexdigest()[:16]


def met_lately(trainee: User, rulebook: str) -> Mapping[str, Sequence[str]]:
    """The structures of a trainee's last drills of each topic, the latest first."""
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
    """A scenario from a secret seed, so that nobody can know it before it is put; none that is kept out.

    One that turns on the article is best, then one whose structure was met longest ago.
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
