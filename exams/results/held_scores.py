"""Which scores are not shown to anybody yet, because others are answering the same cases or may still get them."""

from collections.abc import Iterable
from uuid import UUID

from exams.papers import exam_bank
from exams.records.models import FormItem, Session
from exams.results.models import Result


def held_back(sittings: Iterable[UUID]) -> set[UUID]:
    """Those of these sittings that share a case, or a nearly identical one, with a session in use.

    Takes as many queries for a hundred sittings as for one.
    """
    ids = list(sittings)
    if not ids or not exam_bank.is_any_in_use():
        return set()
    placed = FormItem.objects.filter(form__candidate__sitting__in=ids)
    rows = list(placed.values_list("form__candidate__sitting", "item_id"))
    put = exam_bank.still_put({item for _sitting, item in rows})
    return {sitting for sitting, item in rows if item in put}


def is_held_back(sitting_id: UUID) -> bool:
    return bool(held_back([sitting_id]))


def untold_in(session: Session) -> set[UUID]:
    """The sittings of a session whose score nobody is told yet."""
    return untold(Result.objects.filter(sitting__candidate__session=session, in_force=True, released_at=None))


def untold(results: Iterable[Result]) -> set[UUID]:
    """The sittings of these results that are not released and are held back: nobody is shown their score."""
    return held_back({result.sitting_id for result in results if result.released_at is None})
