"""Which scores nobody may see yet, because others are answering the same cases or may still get them."""

from collections.abc import Iterable
from uuid import UUID

from exams.papers import exam_bank
from exams.records.models import FormItem, Session
from exams.results.models import Result


def held_back(sittings: Iterable[UUID]) -> set[UUID]:
    """Returns those sittings that share a case, or a nearly identical one, with a session in use.

    The number of queries does not depend on the number of sittings.
    """
    ids = list(sittings)
    if not ids or not exam_bank.is_any_in_use():
        return set()
    placed = FormItem.objects.filter(form__candidate__sitting__in=ids)
    rows = list(placed.values_list("form__candidate__sitting", "item_id"))
    put = exam_bank.still_in_use({item for _sitting, item in rows})
    return {sitting for sitting, item in rows if item in put}


def is_held_back(sitting_id: UUID) -> bool:
    return bool(held_back([sitting_id]))


def secret_in(session: Session) -> set[UUID]:
    """The sittings of a session whose score nobody may see yet."""
    return secret_sittings(Result.objects.filter(sitting__candidate__session=session, in_force=True, released_at=None))


def secret_sittings(results: Iterable[Result]) -> set[UUID]:
    """The sittings of these results that are unreleased and held back: nobody may see their score."""
    return held_back({result.sitting_id for result in results if result.released_at is None})
