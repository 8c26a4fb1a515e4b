"""Holders of valid certificates on an earlier version of a regulation, and who passed an exam on the new one."""

from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from msgspec import structs

from exams import clock
from exams.certificates.lifecycle import Standing
from exams.hr import selectors
from exams.hr.selectors import Filters
from exams.results.models import Result
from rules_engine import RULEBOOKS, Rulebook
from rules_engine.versions import earlier


def versions() -> dict[str, Rulebook]:
    """The versions that replaced an earlier one, newest law first."""
    found = [book for book in RULEBOOKS.values() if earlier(book)]
    return {
        book.id: book for book in sorted(found, key=lambda book: book.law.enacted.in_force or date.min, reverse=True)
    }


def older(new: Rulebook) -> set[str]:
    return {book.id for book in earlier(new)}


def holders(new: Rulebook, filters: Filters) -> QuerySet[Any]:
    """Valid certificates on an earlier version that do not cover the new one. `passed_at` is when the holder passed an
    exam on the new version, whether the refresher or a whole one. The filters are those of the desk, except the
    rulebook and the standing."""
    today, wanted = clock.today(), structs.replace(filters, rulebook="", standing="", within=None)
    on_earlier = Q()
    for book in older(new):
        on_earlier |= selectors.entitles(book)
    found = selectors.certificates(wanted, today).filter(on_earlier, selectors.stands(Standing.VALID, today))
    return found.exclude(selectors.entitles(new.id)).annotate(passed_at=Subquery(_passes(new).values("decided_at")[:1]))


def _passes(new: Rulebook) -> QuerySet[Result]:
    """The released passes of the holder in any programme on the new version, the latest first."""
    return (
        Result.objects.alias(rules=Cast("programme_version__rules_document__rulebooks", TextField()))
        .filter(
            selectors.entitles(new.id, "rules"),
            sitting__candidate__person=OuterRef("holder"),
            sitting__annulled_at=None,
            in_force=True,
            passed=True,
            decided_at__isnull=False,
            released_at__isnull=False,
        )
        .order_by("-decided_at")
    )


def day(moment: datetime | None) -> date | None:
    return timezone.localdate(moment, timezone.get_default_timezone()) if moment else None
