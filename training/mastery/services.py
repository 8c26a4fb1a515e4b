"""What a mark teaches us about a trainee's memory, and what a trainee decides about practising."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from fsrs import Rating

from rules_engine import Mark
from training.mastery import memory
from training.mastery.models import Memory, StudyPlan
from training.mastery.programme import is_testable
from training.people.models import User


def learn(
    trainee: User, rulebook: str, cites: Iterable[str], mark: Mark, *, at: datetime, picked_words: bool = False
) -> None:
    """Move the memory of every rule that a scenario turned on. Called once for each mark, in its transaction.

    Rows are locked in the order of their articles, so that two marks of one trainee never wait for one another.
    """
    rating = memory.rate(mark, picked_words=picked_words)
    wanted = sorted({cite for cite in cites if is_testable(rulebook, cite)})
    own = Memory.objects.select_for_update().filter(trainee=trainee, rulebook=rulebook)
    known = {found.cite: found for found in own.filter(cite__in=wanted).order_by("cite")}
    for cite in wanted:
        if cite not in known and _remember_first(trainee, rulebook, cite, rating, at):
            continue
        _remember_again(known.get(cite) or own.get(cite=cite), rating, at)


def _remember_first(trainee: User, rulebook: str, cite: str, rating: Rating, at: datetime) -> bool:
    """Make the memory of a rule; False where another worker has just made it."""
    card = memory.review(None, rating, at)
    try:
        with transaction.atomic():
            Memory.objects.create(
                trainee=trainee,
                rulebook=rulebook,
                cite=cite,
                card=card,
                due=memory.due(card),
                last_review=at,
                reviews=1,
                lapses=int(rating is Rating.Again),
            )
    except IntegrityError:
        return False
    return True


def _remember_again(known: Memory, rating: Rating, at: datetime) -> None:
    # Marks may be given out of order; a memory never goes back in time.
    at_least = max(at, known.last_review)
    known.card = memory.review(known.card, rating, at_least)
    known.due = memory.due(known.card)
    known.last_review = at_least
    known.reviews += 1
    known.lapses += int(rating is Rating.Again)
    known.save(update_fields=["card", "due", "last_review", "reviews", "lapses"])


def set_study_plan(trainee: User, *, daily_minutes: int | None, rulebooks: Sequence[str]) -> StudyPlan:
    """Keep a trainee's own choice; without minutes or rulebooks the class's, or the house's, apply."""
    plan, _created = StudyPlan.objects.update_or_create(
        trainee=trainee, defaults={"daily_minutes": daily_minutes, "rulebooks": list(rulebooks)}
    )
    return plan
