"""Practice of what was missed at the live table: a drill of the same kind of incident."""

from rules_engine import rulebook
from rules_engine.situation import kind_of
from training.house import tables
from training.library.editor_starts import kinds_by_topic
from training.people.models import User
from training.practice import fresh, services
from training.practice.models import Drill

AMONG, LEVEL = 20, 2


def start(trainee: User, book_id: str, kind: str) -> Drill:
    """A fresh drill of this kind; of its topic, if none is among the first cases."""
    topic = next((topic for topic, kinds in kinds_by_topic(rulebook(book_id)).items() if kind in kinds), None)
    at = tables.of_trainee(trainee.pk, book_id)
    found, _worth = fresh.FreshCases(book_id, {}, at).most_useful(
        topic,
        LEVEL,
        None,
        worth=lambda scenario, ruling: float(kind_of(scenario.situation.incident) == kind),
        among=AMONG,
    )
    return services.put_drill(trainee, found, mode=Drill.Mode.FREE)
