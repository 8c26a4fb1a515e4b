"""Staff records, edited by hand or by an uploaded list that is checked first. Accounts close the day after the last day
at work.

A list never changes names: it requests the new name, and a second person confirms it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
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
from exams.audit.services import record, record_several
from exams.hr import staff_files, staff_names, staff_writing
from exams.hr.models import PendingStaffImport, StaffRecord
from exams.hr.staff_files import FIELD_NAMES, StaffList, StaffRow
from exams.hr.staff_names import NewName
from exams.hr.staff_writing import RECORD_FIELDS
from training.mail.password import invite_to_house
from training.people.models import User
from training.platform.errors import Refused, RowError, UnfitList

MOST_NAMES = 100  # more suggests a shifted column, and nobody would check that many names
UNCONFIRMED = timedelta(days=1)  # documented in docs/privacy.md
RECORD_TEXTS = ("staff_number", "department", "shift")
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
    """What a list would change."""

    enter: list[StaffRow] = field(default_factory=list)
    change: list[Change] = field(default_factory=list)
    same: int = 0
    names: list[NewName] = field(default_factory=list)

    @property
    def anything(self) -> bool:
        return bool(self.enter or self.change or any(not new.why_not for new in self.names))

    @property
    def leaving(self) -> int:
        return sum("left_on" in change.fields for change in self.change) + sum(bool(row.left_on) for row in self.enter)


def dry_run(importer: User, content: bytes) -> tuple[Plan, StaffList]:
    """Check a file without changing anything, and keep the rows until they are confirmed. Raises UnfitList."""
    PendingStaffImport.objects.filter(importer=importer).delete()
    listed = staff_files.read(content)
    planned = check(listed, importer)
    # If two are sent at once, the later one wins.
    PendingStaffImport.objects.update_or_create(importer=importer, defaults={"rows": msgspec.to_builtins(listed.rows)})
    return planned, listed


@transaction.atomic
def confirm(importer: User) -> Plan:
    """Apply the checked list completely or not at all, and request the new names. The returned plan says which names
    could not be requested.

    The list is checked again, because people may have changed meanwhile.
    """
    pending = PendingStaffImport.objects.select_for_update(no_key=True).filter(importer=importer).first()
    if pending is None:
        raise Refused(_("No list is waiting to be confirmed."))
    try:
        planned = plan(staff_files.rows_from(pending.rows), importer)
    except UnfitList as unfit:
        raise UnfitList(_named(unfit.errors, {})) from None
    entered = staff_writing.enter(planned.enter, importer)
    staff_writing.keep_records((change.person, change.new_values) for change in planned.change)
    record_several(importer, [staff_writing.changed(change.person, change.fields) for change in planned.change])
    leaving = [change.person for change in planned.change if "left_on" in change.fields]
    staff_writing.follow_leaving([*entered, *leaving], gone(clock.today()), importer)
    invite_to_house(User.objects.filter(pk__in=[person.pk for person in entered], is_active=True), importer)
    names = [staff_names.ask_for(new, importer) for new in planned.names]
    pending.delete()
    record(importer, "staff.imported", "staff", entered=len(planned.enter), changed=len(planned.change))
    return replace(planned, names=names)


def check(listed: StaffList, importer: User) -> Plan:
    """What a file would change. Raises UnfitList with all errors, using the file's own column titles."""
    try:
        planned, errors = plan(listed.rows, importer), listed.errors
    except UnfitList as unfit:
        known = {(error.row, error.field) for error in listed.errors}
        errors = listed.errors + [error for error in unfit.errors if (error.row, error.field) not in known]
    if errors:
        raise UnfitList(_named(sorted(errors, key=lambda error: error.row), listed.titles))
    return planned


def _named(errors: list[RowError], titles: Mapping[str, str]) -> list[RowError]:
    names = {name: str(label) for name, label in FIELD_NAMES.items()} | dict(titles)
    return [RowError(error.row, names.get(error.field, error.field), error.reason) for error in errors]


def plan(rows: list[StaffRow], importer: User) -> Plan:
    """What these rows would change. Raises UnfitList with every error of every row."""
    people = _known(rows)
    made, errors, touched = Plan(), list[RowError](), 0
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        by_number, by_email = people.get(("staff_number", row.staff_number)), people.get(("email", row.email))
        person = by_number or by_email
        wrong = [*_twice(row, first), *_wrong(row, person, by_number, by_email)]
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
    if len(made.names) > MOST_NAMES:
        message = _("This list changes the names of %(count)d people; a list may change at most %(most)d.")
        errors.append(RowError(0, "name", message % {"count": len(made.names), "most": MOST_NAMES}))
    if errors:
        raise UnfitList(errors)
    return Plan(made.enter, made.change, len(rows) - len(made.enter) - touched, staff_names.mark_waiting(made.names))


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


def _twice(row: StaffRow, first: dict[tuple[str, str], int]) -> list[RowError]:
    wrong = []
    for name in ("staff_number", "email"):
        value = getattr(row, name)
        if value and first.setdefault((name, value), row.number) != row.number:
            message = _("is already in row %(row)d") % {"row": first[name, value]}
            wrong.append(RowError(row.number, name, message))
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


def forget_unconfirmed() -> int:
    """Delete lists that were checked but never confirmed, because they contain personal data."""
    return PendingStaffImport.objects.filter(checked_at__lt=clock.now() - UNCONFIRMED).delete()[0]
