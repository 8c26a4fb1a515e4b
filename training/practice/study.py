"""How a trainee studies: their own choice, else that of their classes, else the default."""

from collections.abc import Iterable, Sequence

from rules_engine import RULEBOOKS
from training.mastery.models import StudyPlan
from training.people.models import User
from training.practice import hooks
from training.practice.next_drill import DEFAULT_MINUTES, DEFAULT_RULEBOOK, Study


def study_of(trainee: User, advised: Iterable[Study] | None = None) -> Study:
    """Pass `advised`, the plans of the trainee's classes, if they have been read. A complete plan needs no advice."""
    own = StudyPlan.objects.filter(trainee=trainee).values_list("daily_minutes", "rulebooks")
    minutes, rulebooks = next(iter(own), (None, []))
    # Rulebooks are named by id in JSON, so one that the engine no longer has may still be named there.
    if not (chosen := _known(rulebooks)) or not minutes:
        plans = list(hooks.study_advice(trainee) if advised is None else advised)
        chosen = chosen or _known([book for study in plans for book in study.rulebooks])
        minutes = minutes or max((study.minutes for study in plans), default=0)
    return Study(minutes=minutes or DEFAULT_MINUTES, rulebooks=chosen or (DEFAULT_RULEBOOK,))


def _known(books: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(book for book in books if book in RULEBOOKS))
