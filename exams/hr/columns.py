"""What stands in each kind of export: titles, and one row for each thing, made while it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from exams import clock
from exams.certificates.lifecycle import Standing, standing
from exams.hr import roster, selectors
from exams.hr.models import Export
from exams.hr.selectors import Filters

BATCH = 500


@dataclass(slots=True)
class Dated:
    """As much of a certificate as its standing depends on."""

    state: str
    valid_from: date
    valid_until: date


@dataclass(frozen=True)
class Table:
    """`titles` are by the name that programs use; every row has a value for each."""

    titles: dict[str, str]
    rows: Iterator[tuple[Any, ...]]
    total: int


def table(what: str, filters: Filters, on: date | None = None) -> Table:
    """The table of an export; the words are in the language that is active."""
    if what == Export.What.ROSTER:
        return _roster(on or clock.today(), filters.rulebook)
    return _people(filters) if what == Export.What.PEOPLE else _certificates(filters)


def _certificates(filters: Filters) -> Table:
    found, today = selectors.certificates(filters), clock.today()
    titles = {
        "number": _("Certificate"),
        "name": _("Name"),
        "email": _("E-mail"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "programme": _("Programme"),
        "scope": _("Rulebooks"),
        "standing": _("Standing"),
        "valid_from": _("Valid from"),
        "valid_until": _("Valid until"),
        "left_on": _("Left on"),
    }
    words = {value: str(label) for value, label in Standing.choices}

    def row(found: dict[str, Any]) -> tuple[Any, ...]:
        dated = Dated(found["state"], found["valid_from"], found["valid_until"])
        return (
            found["number"],
            found["holder__name"],
            found["holder__email"],
            found["holder__staff_record__staff_number"] or "",
            found["holder__staff_record__department"] or "",
            found["programme_version__programme__code"],
            " ".join(found["scope"]),
            words[standing(dated, today)],
            dated.valid_from,
            dated.valid_until,
            found["holder__staff_record__left_on"],
        )

    holder = ("name", "email", *(f"staff_record__{name}" for name in ("staff_number", "department", "left_on")))
    own = ("pk", "number", "scope", "state", "valid_from", "valid_until", "programme_version__programme__code")
    light = found.values(*own, *(f"holder__{name}" for name in holder))
    return Table(titles, map(row, chain.from_iterable(selectors.in_batches(light, BATCH))), found.count())


def _people(filters: Filters) -> Table:
    found, today = selectors.people(filters), clock.today()
    titles = {
        "name": _("Name"),
        "email": _("E-mail"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "joined_on": _("Joined on"),
        "left_on": _("Left on"),
        "may_deal": _("May deal"),
        "valid_until": _("Valid until"),
    }

    def rows() -> Iterator[tuple[Any, ...]]:
        record = tuple(f"staff_record__{name}" for name in ("staff_number", "department", "joined_on", "left_on"))
        for batch in selectors.in_batches(found.values("pk", "name", "email", *record), BATCH):
            held = selectors.valid_scopes([row["pk"] for row in batch], today)
            for row in batch:
                number, department, joined, left = (row[name] for name in record)
                books, until = held.get(row["pk"], (set(), None))
                told = (row["name"], row["email"], number or "", department or "", joined, left)
                yield (*told, " ".join(sorted(books)), until)

    return Table(titles, rows(), found.count())


def _roster(on: date, rulebook: str) -> Table:
    titles = {
        "rulebook": _("Rulebook"),
        "name": _("Name"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "certificate": _("Certificate"),
        "until": _("Valid until"),
        "lapses_soon": _("Lapses soon"),
    }
    rows = (tuple(getattr(entry, name) for name in titles) for entry in roster.entries(on, rulebook, batch=BATCH))
    return Table(titles, rows, roster.count(on, rulebook))
