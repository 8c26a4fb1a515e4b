"""Staff records, edited by hand or by an uploaded list (`staff_import`). Accounts close the day after the last day at
work.

A list never changes names: it requests the new name, and a second person confirms it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams import clock
from exams.accounts import closing
from exams.audit.services import record_several
from exams.hr import staff_names, staff_writing
from exams.hr.models import StaffRecord
from exams.hr.staff_files import FIELD_NAMES, StaffList, StaffRow
from exams.hr.staff_names import NewName
from exams.hr.staff_writing import RECORD_FIELDS
from training.people.models import User
from training.platform.errors import Refused, RowError, UnfitList

MOST_NAMES = 100  # more suggests a shifted column, and nobody would check that many names
CHECKED_AT_ONCE = 500  # rows
SHOWN = 20  # of each kind in a preview; the file with all changes has the rest
RECORD_TEXTS = ("staff_number", "department", "shift", "licence_number")
OWN_RECORD = gettext_lazy("Nobody can change their own record: somebody else in human resources must do it.")


@dataclass(frozen=True)
class Change:
    """What a list changes in one person's record: old and new value by field."""

    person: User
    fields: dict[str, tuple[Any, Any]]

    @property
    def new_values(self) -> dict[str, Any]:
        return {name: after for name, (_before, after) in self.fields.items()}


@dataclass(frozen=True)
class Plan:
    """What some rows of a list would change."""

    enter: list[StaffRow] = field(default_factory=list)
    change: list[Change] = field(default_factory=list)
    same: int = 0
    names: list[NewName] = field(default_factory=list)

    @property
    def leaving(self) -> int:
        return sum("left_on" in change.fields for change in self.change) + sum(bool(row.left_on) for row in self.enter)


class Preview(msgspec.Struct, kw_only=True):
    """What a checked list would change: how much, and the first of each kind."""

    enter: int = 0
    change: int = 0
    same: int = 0
    leaving: int = 0
    ignored: list[str] = []
    old_letters: bool = False
    to_enter: list[StaffRow] = []
    # The person's name, and each field with its old and new value.
    to_change: list[tuple[str, list[tuple[str, Any, Any]]]] = []
    # Old name, new name, and why it cannot be requested. All of them, because `MOST_NAMES` is low.
    names: list[tuple[str, str, str]] = []

    @property
    def anything(self) -> bool:
        return bool(self.enter or self.change or any(not why_not for _old, _new, why_not in self.names))

    @property
    def more(self) -> bool:
        """Whether it has more than the pages show."""
        return self.enter > len(self.to_enter) or self.change > len(self.to_change)

    def add(self, planned: "Plan") -> None:
        self.enter += len(planned.enter)
        self.change += len(planned.change)
        self.same += planned.same
        self.leaving += planned.leaving
        self.to_enter += planned.enter[: SHOWN - len(self.to_enter)]
        self.to_change += [
            (each.person.name, [(name, *both) for name, both in each.fields.items()])
            for each in planned.change[: SHOWN - len(self.to_change)]
        ]
        self.names += [(new.person.name, new.name, new.why_not) for new in planned.names]


def check(listed: StaffList, importer: User, went_on: Callable[[int], None] = lambda _done: None) -> Preview:
    """What a list would change. Raises UnfitList with all errors, using the file's own column titles.

    Calls `went_on` from time to time with the number of rows checked.
    """
    found, errors, met = Preview(ignored=listed.ignored, old_letters=listed.old_letters), [*listed.errors], Met()
    known = {(error.row, error.field) for error in errors}
    for start in range(0, len(listed.rows), CHECKED_AT_ONCE):
        planned, wrong = examine(listed.rows[start : start + CHECKED_AT_ONCE], importer, met)
        errors += [error for error in wrong if (error.row, error.field) not in known]
        found.add(planned)
        went_on(start)
    if len(found.names) > MOST_NAMES:
        message = _("This list changes the names of %(count)d people; a list may change at most %(most)d.")
        errors.append(RowError(0, "name", message % {"count": len(found.names), "most": MOST_NAMES}))
    if errors:
        raise UnfitList(named(sorted(errors, key=lambda error: error.row), listed.titles))
    return found


def named(errors: list[RowError], titles: Mapping[str, str]) -> list[RowError]:
    names = {name: str(label) for name, label in FIELD_NAMES.items()} | dict(titles)
    return [RowError(error.row, names.get(error.field, error.field), error.reason) for error in errors]


@dataclass
class Met:
    """The values and people met in a list so far, with the first row of each."""

    values: dict[tuple[str, str], int] = field(default_factory=dict)
    people: dict[int, int] = field(default_factory=dict)


def examine(rows: list[StaffRow], importer: User, met: Met) -> tuple[Plan, list[RowError]]:
    """What these rows would change, and everything that is wrong with the others."""
    people = _known(rows)
    made, errors, touched = Plan(), list[RowError](), 0
    for row in rows:
        by_number, by_email = people.get(("staff_number", row.staff_number)), people.get(("email", row.email))
        person = by_number or by_email
        wrong = [*_twice(row, person, met), *_wrong(row, person, by_number, by_email)]
        errors += wrong
        if wrong:
            continue
        if person is None:
            made.enter.append(row)
            continue
        changed = _differences(row, person)
        renamed = ["name"] if row.name not in ("", person.name) else []
        if person == importer:
            errors += [RowError(row.number, name, str(OWN_RECORD)) for name in [*renamed, *changed]]
            continue
        touched += bool(changed or renamed)
        if changed:
            made.change.append(Change(person, changed))
        if renamed:
            made.names.append(NewName(person, row.name))
    wrong_rows = {error.row for error in errors}
    same = len(rows) - len(made.enter) - touched - len(wrong_rows)
    return Plan(made.enter, made.change, same, staff_names.mark_waiting(made.names)), errors


def _known(rows: list[StaffRow]) -> dict[tuple[str, str], User]:
    found: QuerySet[Any, User] = User.objects.select_related("staff_record").alias(address=Lower("email"))
    people: dict[tuple[str, str], User] = {}
    addresses = {row.email for row in rows if row.email}
    for person in found.filter(address__in=addresses):
        people["email", person.email.lower()] = person
    numbers = {row.staff_number for row in rows if row.staff_number}
    for person in found.filter(staff_record__staff_number__in=numbers):
        people["staff_number", person.staff_record.staff_number] = person
    return people


def _twice(row: StaffRow, person: User | None, met: Met) -> list[RowError]:
    """Errors of a row whose number, address or person is in an earlier row."""
    wrong = []
    for name in ("staff_number", "email"):
        value = getattr(row, name)
        if value and met.values.setdefault((name, value), row.number) != row.number:
            message = _("is already in row %(row)d") % {"row": met.values[name, value]}
            wrong.append(RowError(row.number, name, message))
    if person and not wrong and met.people.setdefault(person.pk, row.number) != row.number:
        message = _("is the same person as in row %(row)d") % {"row": met.people[person.pk]}
        wrong.append(RowError(row.number, "staff_number" if row.staff_number else "email", message))
    return wrong


def _wrong(row: StaffRow, person: User | None, by_number: User | None, by_email: User | None) -> list[RowError]:
    """Everything wrong with a row, by itself and compared with known people."""
    wrong = []
    if by_number and row.email and by_email != by_number:
        # Password mails go to this address, so a list must not change it.
        message = _("%(number)s belongs to somebody with another address") % {"number": row.staff_number}
        wrong.append(RowError(row.number, "email", message))
    recorded = person is not None and hasattr(person, "staff_record")
    if not row.staff_number and not recorded:
        wrong.append(RowError(row.number, "staff_number", _("is missing, and there is no record of this person yet")))
    if person is None:
        needed = {"email": row.email, "name": row.name}
        wrong += [RowError(row.number, name, _("is missing")) for name, value in needed.items() if not value]
    wrong += _unfit_fields(row, person)
    former = person.staff_record if recorded else StaffRecord()  # type: ignore[union-attr]
    joined, left = row.joined_on or former.joined_on, row.left_on or former.left_on
    if joined and left and left < joined and (row.joined_on or row.left_on):
        wrong.append(RowError(row.number, "left_on", _("is before the day of joining")))
    return wrong


def _unfit_fields(row: StaffRow, person: User | None) -> list[RowError]:
    """Errors from the fields' own validators."""
    wrong: list[RowError] = []
    parts: list[tuple[Any, tuple[str, ...]]] = [
        (User(email=row.email, name=row.name), ("name",) if person else ("name", "email")),
        (StaffRecord(**{name: getattr(row, name) for name in RECORD_TEXTS}), RECORD_TEXTS),
    ]
    for thing, names in parts:
        kept = [name for name in names if getattr(row, name)]
        others = [each.name for each in thing._meta.fields if each.name not in kept]
        try:
            thing.clean_fields(exclude=others)
        except ValidationError as error:
            wrong += [RowError(row.number, name, reasons[0]) for name, reasons in error.message_dict.items()]
    return wrong


def _differences(row: StaffRow, person: User) -> dict[str, tuple[Any, Any]]:
    former = getattr(person, "staff_record", None) or StaffRecord()
    found: dict[str, tuple[Any, Any]] = {}
    for name in RECORD_FIELDS:
        value, before = getattr(row, name), getattr(former, name)
        if value and value != before:
            found[name] = (before, value)
    return found


def verify_change(person: User, by: User) -> None:
    if person.pk == by.pk:
        raise Refused(OWN_RECORD)


@transaction.atomic
def change_record(person: User, by: User, **values: Any) -> StaffRecord:
    """Edit a person's record. A last day in the past closes the account; removing it reopens the account."""
    verify_change(person, by)
    former = StaffRecord.objects.select_for_update(no_key=True).filter(person=person).first()
    changed, _made = StaffRecord.objects.update_or_create(person=person, defaults=values)
    before = {name: getattr(former, name, None) for name in sorted(values)}
    differing = {name: (old, values[name]) for name, old in before.items() if old != values[name]}
    record_several(by, [staff_writing.changed(person, differing)])
    staff_writing.follow_leaving([person], gone(clock.today()), by)
    return changed


def gone(today: date) -> QuerySet[User]:
    """Everybody whose last day is over."""
    return User.objects.filter(staff_record__left_on__lt=today)


def close_leavers(today: date | None = None) -> int:
    """Close the accounts of people whose last day is over. Returns how many."""
    return closing.close_leavers(gone(today or clock.today()).filter(is_active=True), by=None)
