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

OVERWRITE = "DO UPDATE SET " + ", ".join(
    f"{column} = excluded.{column}" for column in ("card", "due", "last_review", "reviews", "lapses")
)


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
    made = _store(trainee, rulebook, {cite: _first(ratings[cite], at) for cite in new}, "DO NOTHING")
    # Another worker may have been quicker with one that was new.
    known |= {cite: own.get(cite=cite) for cite in new if cite not in made}
    again = {cite: _again(known[cite], ratings[cite], at) for cite in wanted if cite in known}
    _store(trainee, rulebook, again, OVERWRITE)


def _store(trainee: User, rulebook: str, facts: Mapping[str, Mapping[str, Any]], conflict: str) -> set[str]:
    """Keep memories by their clause, and say which were written.

    One statement for all: the ORM would need several for each, a third of the time of a newcomer's mark.
    """
    if not facts:
        return set()
    rows = [{"trainee": trainee.pk, "rulebook": rulebook, "cite": cite, **fact} for cite, fact in facts.items()]
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
            f"ON CONFLICT (trainee_id, rulebook, cite) {conflict} RETURNING cite",
            values,
        )
        return {cite for (cite,) in cursor.fetchall()}


def _first(rating: Rating, at: datetime) -> dict[str, Any]:
    card = memory.review(None, rating, at)
    lapses = int(rating is Rating.Again)
    return {"card": card, "due": memory.due(card), "last_review": at, "reviews": 1, "lapses": lapses}


def _again(known: Memory, rating: Rating, at: datetime) -> dict[str, Any]:
    # Marks may be given out of order; a memory never goes back in time.
    at_least = max(at, known.last_review)
    card = memory.review(known.card, rating, at_least)
    lapses = known.lapses + int(rating is Rating.Again)
    return {
        "card": card,
        "due": memory.due(card),
        "last_review": at_least,
        "reviews": known.reviews + 1,
        "lapses": lapses,
    }


def set_study_plan(trainee: User, *, daily_minutes: int | None, rulebooks: Sequence[str]) -> StudyPlan:
    """Keep a trainee's own choice; without minutes or rulebooks the class's, or the house's, apply."""
    plan, _created = StudyPlan.objects.update_or_create(
        trainee=trainee, defaults={"daily_minutes": daily_minutes, "rulebooks": list(rulebooks)}
    )
    return plan
