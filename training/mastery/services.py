"""What a mark teaches us about a trainee's memory, and what a trainee decides about practising."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import connection
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
    made = _remember_first(trainee, rulebook, [cite for cite in wanted if cite not in known], rating, at)
    for cite in wanted:
        if cite not in made:
            _remember_again(known.get(cite) or own.get(cite=cite), rating, at)


def _remember_first(trainee: User, rulebook: str, cites: list[str], rating: Rating, at: datetime) -> set[str]:
    """Make the memory of rules met for the first time; which were made, since another worker may have been quicker.

    One statement for all: the ORM would need three for each, a third of the time of a newcomer's mark.
    """
    if not cites:
        return set()
    card = memory.review(None, rating, at)
    first = {
        "card": card,
        "due": memory.due(card),
        "last_review": at,
        "reviews": 1,
        "lapses": int(rating is Rating.Again),
    }
    rows = [{"trainee": trainee.pk, "rulebook": rulebook, "cite": cite, **first} for cite in cites]
    fields = {name: Memory._meta.get_field(name) for name in rows[0]}
    values = [
        fields[name].get_db_prep_save(value, connection)  # type: ignore[union-attr]
        for row in rows
        for name, value in row.items()
    ]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields.values())  # type: ignore[union-attr]
    places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {Memory._meta.db_table} ({columns}) VALUES {places} "  # noqa: S608 (names of our own model)
            "ON CONFLICT DO NOTHING RETURNING cite",
            values,
        )
        return {cite for (cite,) in cursor.fetchall()}


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
