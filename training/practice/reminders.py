"""Daily reminders by mail, for trainees who asked for them, if something is due; each has an unsubscribe link."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from training.mail.outbox import Envelope, link_to, post
from training.people.models import User
from training.practice import day, next_drill
from training.practice.models import Reminder
from training.practice.study import study_of

LATE = 3  # hours; a reminder that could not be sent by then is dropped for the day
_signer = Signer(salt="practice reminders")


def ask(trainee: User, hour: int | None) -> None:
    """Set the hour of the reminder; None turns it off."""
    if hour is None:
        Reminder.objects.filter(trainee=trainee).delete()
    else:
        Reminder.objects.update_or_create(trainee=trainee, defaults={"hour": hour})


def way_out(trainee: User) -> str:
    """The token of the unsubscribe link."""
    return _signer.sign(str(trainee.pk))


def whose(token: str) -> User | None:
    """The trainee of an unsubscribe token; None if it is not valid."""
    try:
        return User.objects.filter(pk=int(_signer.unsign(token))).first()
    except (BadSignature, ValueError):
        return None


def send_due(now: datetime) -> int:
    """Remind everybody whose hour it is and who has something to do; returns how many. Safe to run any time."""
    sent = 0
    for reminder in Reminder.objects.filter(trainee__is_active=True).select_related("trainee").iterator():
        here = now.astimezone(ZoneInfo(reminder.trainee.time_zone))
        if reminder.last_on != here.date() and reminder.hour <= here.hour < reminder.hour + LATE:
            sent += _send(reminder, now, here)
    return sent


@transaction.atomic
def _send(reminder: Reminder, now: datetime, here: datetime) -> bool:
    left = _left(reminder.trainee, now)
    unsent = Reminder.objects.filter(Q(last_on=None) | ~Q(last_on=here.date()), pk=reminder.pk)
    # Only the worker whose update changes the row sends; a concurrent one updates nothing.
    if not left or not unsent.update(last_on=here.date()):
        return False
    stop = link_to("stop_reminders", way_out(reminder.trainee))
    with translation.override(reminder.trainee.language):
        told = {"left": left, "person": reminder.trainee, "practise": link_to("practice"), "stop": stop}
        body = render_to_string("practice/letters/reminder.txt", told).strip()
        post([Envelope(reminder.trainee, _("Today's practice"), body, way_out=stop)])
    return True


def _left(trainee: User, now: datetime) -> int:
    """How many of today's scenarios are left."""
    plan = day.plan_of(trainee, now)
    return len(day.progress(plan).left) if plan else next_drill.today(trainee, study_of(trainee), now).scenarios
