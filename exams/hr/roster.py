"""Who may deal which game on a date, and who may not and why, for the page, the files and the API."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import chain, groupby
from typing import Any, TypeVar

import msgspec
from django.db.models import F, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from exams import clock
from exams.certificates.lifecycle import State
from exams.certificates.models import Act, Certificate
from exams.hr.selectors import entitles, in_batches, works_on
from exams.programmes.models import ProgrammeVersion
from rules_engine import RULEBOOKS
from training.platform.folded_text import alphabetical

LAPSING_DAYS = 30


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with a certificate for a game: the one that lasts longest."""

    rulebook: str
    person: int
    name: str
    staff_number: str
    department: str
    shift: str
    certificate: str
    # Of the gaming authority; no day if HR has not recorded one.
    licence_number: str
    licence_until: date | None


class Entry(Holder, frozen=True, kw_only=True):
    """Somebody who may deal a game. `lapses_soon` is about the certificate or the licence, whichever ends first."""

    until: date
    lapses_soon: bool
    licence_over: bool


class Why(StrEnum):
    """Why somebody who holds or held a certificate for a game may not deal it."""

    SUSPENDED = "suspended"
    WITHDRAWN = "withdrawn"
    REDUCED = "reduced"
    EXPIRED = "expired"
    NOT_YET = "not_yet"
    LEFT = "left"
    NOT_JOINED = "not_joined"


class Barred(Holder, frozen=True, kw_only=True):
    """Somebody who may not deal a game; `day` is when the certificate ended or begins."""

    why: Why
    day: date | None


Listed = TypeVar("Listed", Entry, Barred)


def entries(on: date, rulebook: str = "", shift: str = "", *, batch: int | None = None) -> Iterator[Entry]:
    """Entries by name, then rulebook. Future dates use the current decisions, past dates those made by the end of that
    day. With `batch`, reads in parts, so callers may write meanwhile."""
    soon = on + timedelta(days=LAPSING_DAYS)
    certificates = _certificates(on, rulebook, shift)
    found = chain.from_iterable(in_batches(certificates, batch)) if batch else certificates.iterator(chunk_size=2000)
    for _person, theirs in groupby(found, key=lambda row: row["holder_id"]):
        best = _longest(theirs)
        for book in [rulebook] if rulebook else [book for book in RULEBOOKS if book in best]:
            row = best[book]
            licensed = row["holder__staff_record__licence_until"]
            yield Entry(
                rulebook=book,
                **_holder(row),
                until=row["valid_until"],
                lapses_soon=min(row["valid_until"], licensed or row["valid_until"]) <= soon,
                licence_over=licensed is not None and licensed < on,
            )


def _holder(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "person": row["holder_id"],
        "name": row["holder_name"],  # as printed, because that name was checked
        "staff_number": row["holder__staff_record__staff_number"] or "",
        "department": row["holder__staff_record__department"] or "",
        "shift": row["holder__staff_record__shift"] or "",
        "certificate": row["number"],
        "licence_number": row["holder__staff_record__licence_number"] or "",
        "licence_until": row["holder__staff_record__licence_until"],
    }


def by_rulebook(found: Iterable[Listed]) -> dict[str, list[Listed]]:
    listed: dict[str, list[Listed]] = {}
    for entry in found:
        listed.setdefault(entry.rulebook, []).append(entry)
    return listed


def examined() -> set[str]:
    """The rulebooks that a published programme examines, listed even if nobody may deal them."""
    versions = ProgrammeVersion.objects.filter(state=ProgrammeVersion.State.PUBLISHED)
    return {book for version in versions for book in version.rules.rulebooks}


def count(on: date, rulebook: str = "", shift: str = "") -> int:
    """The number of certificates considered, which is close to the number of entries."""
    return _certificates(on, rulebook, shift).count()


# ---- who may not


def barred(on: date, rulebook: str = "", shift: str = "") -> Iterator[Barred]:
    """By name: people who have or had a certificate for a game but may not deal it on the date. People who do not work
    here then are listed only if they could deal otherwise."""
    may: dict[int, set[str]] = {}
    for entry in entries(on, rulebook, shift):
        may.setdefault(entry.person, set()).add(entry.rulebook)
    known = _as_known(on).filter(state_then__isnull=False).exclude(state_then=State.REPLACED)
    taken = _taken_off(on)
    record = ("holder__staff_record__joined_on", "holder__staff_record__left_on")
    rows = _ordered(known, shift).values("state_then", "valid_from", *record, *HOLDER)
    for person, theirs in groupby(rows.iterator(chunk_size=2000), key=lambda row: row["holder_id"]):
        done = may.get(person, set())
        for row in theirs:
            for book in [*row["scope_then"], *taken.get(row["pk"], ())]:
                if book in done or book not in RULEBOOKS or (rulebook and book != rulebook):
                    continue
                if found := _why_not(row, book, on):
                    done.add(book)
                    yield Barred(rulebook=book, why=found[0], day=found[1], **_holder(row))


def _why_not(row: dict[str, Any], book: str, on: date) -> tuple[Why, date | None] | None:
    joined, left = row["holder__staff_record__joined_on"], row["holder__staff_record__left_on"]
    state, begins, ends = row["state_then"], row["valid_from"], row["valid_until"]
    if (left and left < on) or (joined and joined > on):
        valid = state == State.GRANTED and begins <= on <= ends and book in row["scope_then"]
        return ((Why.LEFT, left) if left and left < on else (Why.NOT_JOINED, joined)) if valid else None
    if state == State.WITHDRAWN:
        return Why.WITHDRAWN, None
    if state == State.EXPIRED or ends < on:
        return Why.EXPIRED, ends
    if state == State.SUSPENDED:
        return Why.SUSPENDED, None
    if book not in row["scope_then"]:
        return Why.REDUCED, None
    return Why.NOT_YET, begins


def _taken_off(on: date) -> dict[Any, list[str]]:
    """Maps each certificate to the rulebooks taken off it."""
    found: dict[Any, list[str]] = {}
    reduced = Act.objects.filter(kind=Act.Kind.REDUCE, at__lt=_end_of(max(on, clock.today())))
    for certificate, before, after in reduced.values_list("certificate_id", "scope_before", "scope_after"):
        found.setdefault(certificate, []).extend(book for book in before if book not in after)
    return found


# ---- certificates on a date


HOLDER = (
    *("pk", "number", "valid_until", "scope_then", "holder_id", "holder_name"),
    *(
        f"holder__staff_record__{name}"
        for name in ("staff_number", "department", "shift", "licence_number", "licence_until")
    ),
)


def _certificates(on: date, rulebook: str, shift: str) -> "QuerySet[Any, dict[str, Any]]":
    known = _as_known(on).filter(state_then=State.GRANTED, valid_from__lte=on, valid_until__gte=on)
    known = known.filter(works_on(on, "holder__"))
    if rulebook:
        known = known.alias(books_then=Cast("scope_then", TextField())).filter(entitles(rulebook, "books_then"))
    return _ordered(known, shift).values(*HOLDER)


def _ordered(known: "QuerySet[Any, Any]", shift: str) -> "QuerySet[Any, Any]":
    if shift:
        known = known.filter(holder__staff_record__shift=shift)
    return known.order_by(alphabetical("holder__name"), "holder_id", "-valid_until", "pk")


def _as_known(on: date) -> "QuerySet[Any, Any]":
    """Every certificate with its state and scope at the end of that day, or as they are now."""
    if on >= clock.today():
        return Certificate.objects.annotate(state_then=F("state"), scope_then=F("scope"))
    acts = Act.objects.filter(certificate=OuterRef("pk"), at__lt=_end_of(on)).order_by("-number")
    return Certificate.objects.annotate(
        state_then=Subquery(acts.values("state_after")[:1]), scope_then=Subquery(acts.values("scope_after")[:1])
    )


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time.min, timezone.get_default_timezone())


def _longest(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Maps each rulebook to the first row that has it; rows are sorted by latest end."""
    best: dict[str, dict[str, Any]] = {}
    for row in rows:
        for book in row["scope_then"]:
            best.setdefault(book, row)
    return best
