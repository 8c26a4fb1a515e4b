"""Sittings of which an item is contested. Appeals stand above results, so they say at the start where to ask."""

from collections.abc import Callable

from django.db.models import QuerySet

from exams.records.models import Sitting

_asked: Callable[[], QuerySet[Sitting]] = Sitting.objects.none


def ask_for_contested(asked: Callable[[], QuerySet[Sitting]]) -> None:
    global _asked
    _asked = asked


def contested() -> QuerySet[Sitting]:
    """Those whose marks may change by an appeal that waits, or that is upheld and not carried out yet."""
    return _asked()
