"""What a mark teaches us about a trainee's memory, and what a trainee decides about practising."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from fsrs import Rating

from training.mastery import memory
from training.mastery.models import Memory, StudyPlan
from training.mastery.programme import is_testable
from training.people.models import User


def learn(
    trainee: User, rulebook: str, ratings: Mapping[str, Rating], *, at: datetime, turned_on: Iterable[str] | None = None
) -> None:
    """Move the memory of every rule that a mark says something about. Called once for each mark, in its transaction.

    A rule met for the first time is remembered if the case turned on it (`turned_on`; all of them if that is left out)
    or if it was broken: one that only stood behind a right answer is still to be taught. Rows are locked in the order
    of their articles, so that two marks of one trainee never wait for one another.
    """
    wanted = sorted(cite for cite in ratings if is_testable(rulebook, cite))
    own = Memory.objects.select_for_update().filter(trainee=trainee, rulebook=rulebook)
    known = {found.cite: found for found in own.filter(cite__in=wanted).order_by("cite")}
    met = set(ratings if turned_on is None else turned_on)
    new = [cite for cite in wanted if cite not in known and (cite in met or ratings[cite] is Rating.Again)]
    made = _remember_first(trainee, rulebook, {cite: ratings[cite] for cite in new}, at)
    for cite in wanted:
        if cite in known or (cite in new and cite not in made):
            _remember_again(known.get(cite) or own.get(cite=cite), ratings[cite], at)


def _remember_first(trainee: User, rulebook: str, ratings: Mapping[str, Rating], at: datetime) -> set[str]:
    """Make the memory of rules met for the first time; which were made, since another worker may have been quicker.

    One statement for all: the ORM would need three for each, a third of the time of a newcomer's mark.
    """
    if not ratings:
        return set()
    first = {rating: _first(rating, at) for rating in set(ratings.values())}
    rows = [
        {"trainee": trainee.pk, "rulebook": rulebook, "cite": cite, **first[rating]} for cite, rating in ratings.items()
    ]
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


def _first(rating: Rating, at: datetime) -> dict[str, Any]:
    card = memory.review(None, rating, at)
    lapses = int(rating is Rating.Again)
    return {"card": card, "due": memory.due(card), "last_review": at, "reviews": 1, "lapses": lapses}


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
