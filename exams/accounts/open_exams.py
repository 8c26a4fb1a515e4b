"""Accounts in the middle of an exam: nothing an office does cuts the exam off."""

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
    """When the exam ends that this person is sitting now; None if there is none."""
    return (
        _open().filter(candidate__person=person).order_by("-deadline_at").values_list("deadline_at", flat=True).first()
    )


def sitting_now(people: Collection[User]) -> set[int]:
    """Who of these is sitting an exam, in one query."""
    return set(_open().filter(candidate__person__in=people).values_list("candidate__person_id", flat=True))


def _open() -> QuerySet[Sitting]:
    return Sitting.objects.filter(closed_at=None, deadline_at__gt=clock.now())


def verify_none(person: User) -> None:
    """Refuse what would cut an exam off: an invigilator ends it, on record and with a reason, or it runs out."""
    if end := until(person):
        told = _("%(name)s is sitting an exam until %(time)s. Wait until it is over, or have an invigilator end it.")
        raise Refused(told % {"name": person.name, "time": time_format(timezone.localtime(end), "TIME_FORMAT")})
