"""How a trainee studies: their own choice, else what those who teach them say, else the house's."""

from collections.abc import Sequence

from rules_engine import RULEBOOKS
from training.mastery.models import StudyPlan
from training.people.models import User
from training.practice import hooks
from training.practice.next_drill import DEFAULT_MINUTES, DEFAULT_RULEBOOK, Study


def study_of(trainee: User) -> Study:
    own = StudyPlan.objects.filter(trainee=trainee).values_list("daily_minutes", "rulebooks")
    minutes, rulebooks = next(iter(own), (None, []))
    advised = list(hooks.study_advice(trainee))
    # Rulebooks are named by id in JSON, so one that the engine no longer has may still be named there.
    chosen = _known(rulebooks) or _known([book for study in advised for book in study.rulebooks])
    minutes = minutes or max((study.minutes for study in advised), default=0)
    return Study(minutes=minutes or DEFAULT_MINUTES, rulebooks=chosen or (DEFAULT_RULEBOOK,))


def _known(books: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(book for book in books if book in RULEBOOKS))
