"""Writes rows of a checked staff list in a few queries. Called in the transaction of a batch (`staff_import`)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from exams.accounts import closing
from exams.audit.services import LoggedAct, record_several
from exams.hr.models import StaffRecord
from exams.hr.staff_files import StaffRow
from training.people.accounts import NewPerson, enter_people
from training.people.models import Role, User

RECORD_FIELDS = (
    *("staff_number", "department", "shift", "joined_on", "left_on"),
    *("licence_number", "licence_until"),
)


def enter(rows: Sequence[StaffRow], by: User) -> list[User]:
    """Create accounts and records for new trainees. `follow_leaving` then closes the accounts of those who have
    left."""
    listed = [NewPerson(row.email, row.name) for row in rows]
    people = enter_people(listed, role=Role.TRAINEE, granted_by=by)
    StaffRecord.objects.bulk_create(
        StaffRecord(person=person, **{name: getattr(row, name) for name in RECORD_FIELDS})
        for person, row in zip(people, rows, strict=True)
    )
    values = [
        {"name": row.name, "email": row.email} | {name: getattr(row, name) for name in RECORD_FIELDS} for row in rows
    ]
    news = ({name: (None, value) for name, value in one.items() if value} for one in values)
    record_several(by, [changed(person, new) for person, new in zip(people, news, strict=True)])
    return people


def keep_records(changes: Iterable[tuple[User, Mapping[str, Any]]]) -> None:
    """Set these values in people's records, creating missing ones."""
    kept = []
    for person, values in changes:
        record = getattr(person, "staff_record", None) or StaffRecord(person=person)
        for name, value in values.items():
            setattr(record, name, value)
        kept.append(StaffRecord(person=person, **{name: getattr(record, name) for name in RECORD_FIELDS}))
    StaffRecord.objects.bulk_create(
        kept, update_conflicts=True, unique_fields=["person"], update_fields=[*RECORD_FIELDS, "changed_at"]
    )


def changed(person: User, fields: Mapping[str, tuple[Any, Any]]) -> LoggedAct:
    """The audit entry for a changed record: old and new value by field."""
    changes = {name: list(pair) for name, pair in fields.items()}
    return LoggedAct("staff.changed", f"person:{person.pk}", {"changes": changes})


def follow_leaving(people: Sequence[User], gone: QuerySet[User], by: User) -> None:
    """Close or reopen these people's accounts to match their records."""
    pks = [person.pk for person in people]
    closing.close_leavers(gone.filter(pk__in=pks), by=by)
    closing.return_leavers(User.objects.filter(pk__in=pks).exclude(pk__in=gone.values("pk")), by=by)
