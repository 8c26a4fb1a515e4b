"""The letter that tells a candidate of a result. It is owed from the release on, until it was handed to the post."""

from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from uuid import UUID

import structlog
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from exams import clock
from exams.results.models import Result
from exams.results.words import percent
from training import owed

log = structlog.get_logger(__name__)

OVERDUE = timedelta(seconds=10)
SWEEP_LIMIT = 50


@transaction.atomic
def send_owed(result_id: UUID) -> bool:
    """Send the letter of a result if it is still owed. A letter lost midway is sent again rather than never."""
    unsent = Result.objects.select_for_update(skip_locked=True, no_key=True).filter(
        pk=result_id, letter_owed=True, in_force=True
    )
    if not unsent.exists():
        return False
    result = Result.objects.select_related(
        "programme_version__programme", "sitting__candidate__session", "sitting__candidate__person"
    ).get(pk=result_id)
    _post(result)
    Result.objects.filter(pk=result_id).update(letter_owed=False)
    return True


def _post(result: Result) -> None:
    candidate = result.sitting.candidate
    person = candidate.person
    with translation.override(person.language):
        programme = result.programme_version.name(person.language)
        context = {
            "user": person,
            "result": result,
            "score": percent(result.score),
            "programme": programme,
            "session": candidate.session,
            "again": result.number > 1,
            "appeal_days": result.programme_version.rules.appeal_days,
        }
        subject = _("Your exam result: %(programme)s") % {"programme": programme}
        body = render_to_string("results/letter.txt", context)
    try:
        send_mail(subject, body, None, [person.email])
    except SMTPRecipientsRefused:
        log.warning("letter_refused", result=str(result.pk))  # sending it again would not help


def send_overdue() -> int:
    """Send the letters that no message led to."""
    unsent = Result.objects.filter(letter_owed=True, in_force=True, released_at__lt=clock.now() - OVERDUE)
    waiting = unsent.order_by("released_at").values_list("pk", flat=True)
    return owed.sweep(waiting, send_owed, limit=SWEEP_LIMIT, what="letter of a result")
