"""Who may deal which game on a date: the one answer behind the page, the files and the API."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import chain, groupby
from typing import Any

import msgspec
from django.db.models import F, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from exams import clock
from exams.certificates.lifecycle import State
from exams.certificates.models import Act, Certificate
from exams.hr.folded import Folded
from exams.hr.selectors import entitles, in_batches, works_on
from rules_engine import RULEBOOKS

LAPSING_DAYS = 30


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who may deal a game, by the certificate that lasts longest."""

    rulebook: str
    person: int
    name: str
    staff_number: str
    department: str
    certificate: str
    until: date
    lapses_soon: bool


def entries(on: date, rulebook: str = "", *, batch: int | None = None) -> Iterator[Entry]:
    """By name, and for each person by rulebook. A future date is answered by what is decided now, a past one by what
    was decided by the end of that day. With `batch` it is read in parts, for who writes meanwhile."""
    soon = on + timedelta(days=LAPSING_DAYS)
    all_of_them = _certificates(on, rulebook)
    found = chain.from_iterable(in_batches(all_of_them, batch)) if batch else all_of_them.iterator(chunk_size=2000)
    for _person, theirs in groupby(found, key=lambda row: row["holder_id"]):
        best = _longest(theirs)
        for book in [rulebook] if rulebook else [book for book in RULEBOOKS if book in best]:
            row = best[book]
            yield Entry(
                rulebook=book,
                person=row["holder_id"],
                name=row["holder__name"],
                staff_number=row["holder__staff_record__staff_number"] or "",
                department=row["holder__staff_record__department"] or "",
                certificate=row["number"],
                until=row["valid_until"],
                lapses_soon=row["valid_until"] <= soon,
            )


def by_rulebook(found: Iterable[Entry]) -> dict[str, list[Entry]]:
    listed: dict[str, list[Entry]] = {}
    for entry in found:
        listed.setdefault(entry.rulebook, []).append(entry)
    return listed


def count(on: date, rulebook: str = "") -> int:
    """How many certificates are looked through: the entries are not many more or fewer."""
    return _certificates(on, rulebook).count()


def _certificates(on: date, rulebook: str) -> "QuerySet[Any, dict[str, Any]]":
    known = _as_known(on).filter(state_then=State.GRANTED, valid_from__lte=on, valid_until__gte=on)
    known = known.filter(works_on(on, "holder__"))
    if rulebook:
        known = known.alias(books_then=Cast("scope_then", TextField())).filter(entitles(rulebook, "books_then"))
    ordered = known.order_by(Folded("holder__name"), "holder_id", "-valid_until", "pk")
    holder = ("holder_id", "holder__name", "holder__staff_record__staff_number", "holder__staff_record__department")
    return ordered.values("pk", "number", "valid_until", "scope_then", *holder)


def _as_known(on: date) -> "QuerySet[Any, Any]":
    """State and scope of every certificate at the end of a day that is over, else as they are now."""
    if on >= clock.today():
        return Certificate.objects.annotate(state_then=F("state"), scope_then=F("scope"))
    midnight = datetime.combine(on + timedelta(days=1), time.min, timezone.get_default_timezone())
    acts = Act.objects.filter(certificate=OuterRef("pk"), at__lt=midnight).order_by("-number")
    return Certificate.objects.annotate(
        state_then=Subquery(acts.values("state_after")[:1]), scope_then=Subquery(acts.values("scope_after")[:1])
    )


def _longest(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """For each rulebook the first row that has it: the rows come with the latest end first."""
    best: dict[str, dict[str, Any]] = {}
    for row in rows:
        for book in row["scope_then"]:
            best.setdefault(book, row)
    return best
