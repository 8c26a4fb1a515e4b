"""Regular exports for HR: made on schedule until stopped or until the owner loses access."""

import calendar
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.hr import exports
from exams.hr.models import Schedule
from exams.hr.selectors import Filters
from training.people.models import User
from training.platform import pending
from training.platform.errors import Refused

Every = Schedule.Every
MOST = 10  # per person
HOUR = time(6)  # house time: before the evening is planned
SWEEP_LIMIT = 200


def verify_begin(owner: User, what: str, format: str) -> None:
    exports.verify_kind(owner, what, format)
    if Schedule.objects.filter(owner=owner).count() >= MOST:
        raise Refused(_("You already get %(most)d regular files; stop one first.") % {"most": MOST})


@transaction.atomic
def begin(owner: User, *, what: str, format: str, filters: Filters, every: str) -> Schedule:
    """Schedule a regular export; the first is made at the next due hour. A roster is for the day it is made on."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # concurrent requests must not exceed the limit
    verify_begin(owner, what, format)
    today = clock.today()
    try:
        with transaction.atomic():
            made = Schedule.objects.create(
                owner=owner,
                what=what,
                format=format,
                filters=msgspec.to_builtins(filters),
                every=every,
                begun_on=today,
                due_at=_first(clock.now(), today),
            )
    except IntegrityError:
        raise Refused(_("You already get this file this often.")) from None
    record(owner, "schedule.begun", f"schedule:{made.pk}", what=what, format=format, every=every)
    return made


@transaction.atomic
def stop(schedule: Schedule, *, by: User | None) -> None:
    """Stop a regular export. `by` is None if the platform stops it because the owner lost access."""
    facts = {"what": schedule.what, "format": schedule.format, "person": schedule.owner_id}
    key = schedule.pk
    if schedule.delete()[0]:
        record(by, "schedule.stopped", f"schedule:{key}", **facts)


def of(owner: User) -> QuerySet[Schedule]:
    return Schedule.objects.filter(owner=owner).order_by("due_at", "pk")


# ---- for the scheduler


def sweep() -> int:
    """Make the due exports. Returns how many were made or stopped."""
    due = Schedule.objects.filter(due_at__lte=clock.now()).order_by("due_at")
    return pending.sweep(due.values_list("pk", flat=True), _made, limit=SWEEP_LIMIT, what="scheduled export")


@transaction.atomic
def _made(schedule_id: UUID) -> bool:
    """Make one file and set the next date. Dates missed while the platform was down are made once."""
    now = clock.now()
    held = Schedule.objects.select_for_update(of=("self",), no_key=True).select_related("owner")
    schedule = held.filter(pk=schedule_id, due_at__lte=now).first()
    if schedule is None:
        return False
    owner = schedule.owner
    if not (owner.is_active and exports.may_export(owner)):
        stop(schedule, by=None)
        return True
    try:
        made = exports.store(
            owner, what=schedule.what, format=schedule.format, filters=schedule.filters, schedule=schedule
        )
    except Refused:  # the owner has too many in progress: retry later
        return False
    Schedule.objects.filter(pk=schedule.pk).update(due_at=_next(schedule, now))
    details: dict[str, Any] = {"what": schedule.what, "format": schedule.format, "person": owner.pk}
    record(None, "schedule.made", f"export:{made.pk}", **details)
    return True


def _first(now: datetime, today: date) -> datetime:
    at = _hour_of(today)
    return at if at > now else _hour_of(today + timedelta(days=1))


def _next(schedule: Schedule, now: datetime) -> datetime:
    """Its first date in the future."""
    day = timezone.localdate(schedule.due_at, timezone.get_default_timezone())
    at = schedule.due_at
    while at <= now:
        day = _following(schedule, day)
        at = _hour_of(day)
    return at


def _following(schedule: Schedule, day: date) -> date:
    if schedule.every != Every.MONTH:
        return day + timedelta(days=7 if schedule.every == Every.WEEK else 1)
    year, month = (day.year + 1, 1) if day.month == 12 else (day.year, day.month + 1)
    return date(year, month, min(schedule.begun_on.day, calendar.monthrange(year, month)[1]))


def _hour_of(day: date) -> datetime:
    return datetime.combine(day, HOUR, timezone.get_default_timezone())
