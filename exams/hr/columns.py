"""What stands in each kind of export: titles, and one row for each thing, made while it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from exams import clock
from exams.certificates.lifecycle import Standing, standing
from exams.certificates.models import Certificate
from exams.hr import roster, selectors
from exams.hr.models import Export
from exams.hr.selectors import Filters
from training.people.models import User

BATCH = 500


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

    def row(certificate: Certificate) -> tuple[Any, ...]:
        record = getattr(certificate.holder, "staff_record", None)
        return (
            certificate.number,
            certificate.holder.name,
            certificate.holder.email,
            record.staff_number if record else "",
            record.department if record else "",
            certificate.programme_version.programme.code,
            " ".join(certificate.scope),
            words[standing(certificate, today)],
            certificate.valid_from,
            certificate.valid_until,
            record.left_on if record else None,
        )

    light = found.defer("programme_version__rules_document", "programme_version__names")
    return Table(titles, map(row, selectors.in_batches(light, BATCH)), found.count())


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

    def row(person: User) -> tuple[Any, ...]:
        record = getattr(person, "staff_record", None)
        valid = [each for each in person.certificates.all() if standing(each, today) == Standing.VALID]
        return (
            person.name,
            person.email,
            record.staff_number if record else "",
            record.department if record else "",
            record.joined_on if record else None,
            record.left_on if record else None,
            " ".join(sorted({book for each in valid for book in each.scope})),
            max((each.valid_until for each in valid), default=None),
        )

    read = found.prefetch_related("certificates")
    return Table(titles, map(row, selectors.in_batches(read, BATCH)), found.count())


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
    rows = (tuple(getattr(entry, name) for name in titles) for entry in roster.entries(on, rulebook))
    return Table(titles, rows, roster.count(on, rulebook))
