"""An account in the middle of its exam: nothing that an office does cuts the exam off unseen."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from exams import clock
from exams.records.models import Sitting
from training.people.models import User
from training.refusal import Refused


def until(person: User) -> datetime | None:
    """When the exam ends that this person is sitting now; None if there is none."""
    found = Sitting.objects.filter(candidate__person=person, closed_at=None, deadline_at__gt=clock.now())
    return found.order_by("-deadline_at").values_list("deadline_at", flat=True).first()


def verify_none(person: User) -> None:
    """Refuse what would cut an exam off: an invigilator ends it, on record and with a reason, or it runs out."""
    if end := until(person):
        told = _("%(name)s is sitting an exam until %(time)s. Wait until it is over, or have an invigilator end it.")
        raise Refused(told % {"name": person.name, "time": time_format(timezone.localtime(end), "TIME_FORMAT")})
