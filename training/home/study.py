"""How a trainee studies: their own choice, else what their classes say, else the house's."""

from rules_engine import RULEBOOKS
from training.classes.selectors import classes_of
from training.mastery.models import StudyPlan
from training.people.models import User
from training.practice.choosing import DEFAULT_MINUTES, DEFAULT_RULEBOOK, Study


def study_of(trainee: User) -> Study:
    plan = StudyPlan.objects.filter(trainee=trainee).first() or StudyPlan()
    classes = classes_of(trainee)
    # Rulebooks are named by id in JSON, so one that the engine no longer has may still be named there.
    chosen = _known(plan.rulebooks) or _known([book for each in classes for book in each.rulebooks])
    minutes = plan.daily_minutes or max((each.daily_minutes for each in classes), default=0)
    return Study(minutes=minutes or DEFAULT_MINUTES, rulebooks=chosen or (DEFAULT_RULEBOOK,))


def _known(books: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(book for book in books if book in RULEBOOKS))
