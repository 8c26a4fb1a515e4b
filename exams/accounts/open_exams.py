"""Protects accounts in the middle of an exam: no administrative act interrupts one."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from exams import clock
from exams.records.models import Sitting
from training.people.models import User
from training.platform.errors import Refused


def until(person: User) -> datetime | None:
    """When the exam this person is sitting ends; None if they are not sitting one."""
    return (
        _open().filter(candidate__person=person).order_by("-deadline_at").values_list("deadline_at", flat=True).first()
    )


def sitting_now(people: Collection[User]) -> set[int]:
    """Who of these people is sitting an exam, with one query."""
    return set(_open().filter(candidate__person__in=people).values_list("candidate__person_id", flat=True))


def _open() -> QuerySet[Sitting]:
    return Sitting.objects.filter(closed_at=None, deadline_at__gt=clock.now())


def verify_none(person: User) -> None:
    """Raises Refused while the person sits an exam: only an invigilator or the clock may end it."""
    if end := until(person):
        message = _("%(name)s is sitting an exam until %(time)s. Wait until it is over, or have an invigilator end it.")
        raise Refused(message % {"name": person.name, "time": time_format(timezone.localtime(end), "TIME_FORMAT")})
