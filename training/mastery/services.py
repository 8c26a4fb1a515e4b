"""Updates trainees' memories after a mark, and their study plans."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from fsrs import Rating

from training.mastery import memory
from training.mastery.memory import Rule
from training.mastery.models import Memory, StudyPlan
from training.mastery.rules_to_learn import is_testable
from training.mastery.selectors import day_of
from training.people.models import User
from training.platform.statements import Rows, Statement, insert, moment, run

KNOWN = ("card", "card_before", "last_review", "reviews", "lapses")
OVERWRITE = "ON CONFLICT (trainee_id, rulebook, cite) DO UPDATE SET " + ", ".join(
    f"{column} = excluded.{column}" for column in ("card", "card_before", "due", "last_review", "reviews", "lapses")
)


def learn(
    trainee: User, rulebook: str, ratings: Mapping[str, Rating], *, at: datetime, turned_on: Iterable[str] | None = None
) -> None:
    """Update the memory of every rule that a mark rates. Called once for each mark, in its transaction."""
    asked = asking(trainee, rulebook, ratings)
    wanted = learnt(trainee, rulebook, ratings, run(asked) if asked else [], at=at, turned_on=turned_on)
    if wanted:
        run(wanted)


def learnt(
    trainee: User,
    rulebook: str,
    ratings: Mapping[str, Rating],
    found: Rows,
    *,
    at: datetime,
    turned_on: Iterable[str] | None = None,
) -> list[Statement]:
    """The statements that update the memories after a mark. `found` are the rows of the last statement of `asking`.

    A rule met for the first time is stored if the case turned on it (`turned_on`; by default all) or if it was broken.
    A rule that merely supported a right answer is still to be taught.
    """
    known = _known(found)
    met = set(ratings if turned_on is None else turned_on)
    moved = {
        cite: _again(trainee, known[cite], ratings[cite], at) if cite in known else _first(ratings[cite], at)
        for cite in _testable(rulebook, ratings)
        if cite in known or cite in met or ratings[cite] is Rating.Again
    }
    rows = [{"trainee": trainee.pk, "rulebook": rulebook, "cite": cite, **facts} for cite, facts in moved.items()]
    return [insert(Memory, rows, OVERWRITE)] if rows else []


def _testable(rulebook: str, ratings: Mapping[str, Rating]) -> list[str]:
    return sorted(cite for cite in ratings if is_testable(rulebook, cite))


def asking(trainee: User, rulebook: str, ratings: Mapping[str, Rating]) -> list[Statement]:
    """The statements that read a trainee's memories of the rules that a mark rates; none if it rates none.

    They lock the trainee until the end of the transaction."""
    cites = _testable(rulebook, ratings)
    if not cites:
        return []
    lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""
    places = ", ".join(["%s"] * len(cites))
    return [
        Statement(f"SELECT id FROM {User._meta.db_table} WHERE id = %s {lock}", [trainee.pk]),  # noqa: S608 (our own)
        Statement(
            f"SELECT cite, {', '.join(KNOWN)} FROM {Memory._meta.db_table} "  # noqa: S608 (our own names)
            f"WHERE trainee_id = %s AND rulebook = %s AND cite IN ({places})",
            [trainee.pk, rulebook, *cites],
        ),
    ]


def _known(found: Rows) -> dict[str, Memory]:
    return {
        cite: Memory(
            card=json.loads(card),
            card_before=json.loads(before) if before else None,
            last_review=moment(last_review),
            reviews=reviews,
            lapses=lapses,
        )
        for cite, card, before, last_review, reviews, lapses in found
    }


def _first(rating: Rating, at: datetime) -> dict[str, Any]:
    card = memory.review(None, rating, at)
    lapses = int(rating is Rating.Again)
    facts = {"card": card, "card_before": None, "due": memory.due(card), "last_review": at}
    return facts | {"reviews": 1, "lapses": lapses}


def _again(trainee: User, known: Memory, rating: Rating, at: datetime) -> dict[str, Any]:
    # Marks may come out of order; a memory never goes back in time.
    at_least = max(at, known.last_review)
    card = memory.review(known.card, rating, at_least)
    lapses = known.lapses + int(rating is Rating.Again)
    same_day = day_of(trainee, known.last_review) == day_of(trainee, at_least)
    return {
        "card": card,
        "card_before": known.card_before if same_day else known.card,
        "due": memory.due(card),
        "last_review": at_least,
        "reviews": known.reviews + 1,
        "lapses": lapses,
    }


def take_as_known(trainee: User, rules: Iterable[Rule], *, at: datetime) -> int:
    """Store rules as known that the trainee has no memory of yet. Returns how many."""
    card = memory.taken_as_known(at)
    stored = {"trainee": trainee, "card": card, "due": memory.due(card), "last_review": at, "reviews": 0, "lapses": 0}
    met = {Rule(*row) for row in Memory.objects.filter(trainee=trainee).values_list("rulebook", "cite")}
    new = [Memory(rulebook=rule.rulebook, cite=rule.cite, **stored) for rule in rules if rule not in met]
    return len(Memory.objects.bulk_create(new, ignore_conflicts=True))


def set_study_plan(trainee: User, *, daily_minutes: int | None, rulebooks: Sequence[str]) -> StudyPlan:
    """Store a trainee's choices; without minutes or rulebooks those of the class or the house apply."""
    plan, _created = StudyPlan.objects.update_or_create(
        trainee=trainee, defaults={"daily_minutes": daily_minutes, "rulebooks": list(rulebooks)}
    )
    return plan


def forget(rulebook: str, cite: str) -> int:
    """Delete everybody's memory of a rule that no longer says the same. Returns how many."""
    deleted, _each = Memory.objects.filter(rulebook=rulebook, cite=cite).delete()
    return deleted
