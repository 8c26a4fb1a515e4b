"""Mails about what waits, for those who ask: once a day at their hour, or soon after something new waits."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from training.home.hooks import Waiting
from training.home.models import WorkMail
from training.home.worklist import waiting_for
from training.mail.outbox import Envelope, link_to, post
from training.people.models import User

LATE = 3  # hours: what could not be sent by then is not sent that day
NEVER = "never"
How = WorkMail.How


@transaction.atomic
def ask(person: User, how: str, hour: int, now: datetime) -> None:
    """Write so from now on, or never. What waits already is on home, from where one comes: it is not told again."""
    if how == NEVER:
        WorkMail.objects.filter(person=person).delete()
        return
    seen = _counts(waiting_for(person, now))
    WorkMail.objects.update_or_create(person=person, defaults={"how": how, "hour": hour, "told": seen})


def send_due(now: datetime) -> int:
    """Write to everybody for whom there is news or whose hour it is; how many mails. May run any time."""
    asked = WorkMail.objects.filter(person__is_active=True).values_list("pk", flat=True)
    return sum(_tell(pk, now) for pk in list(asked))


@transaction.atomic
def _tell(pk: int, now: datetime) -> bool:
    # Held until it is told: another worker at the same moment finds nothing new.
    held = WorkMail.objects.select_for_update(of=("self",)).select_related("person").filter(pk=pk).first()
    if held is None:
        return False
    with translation.override(held.person.language):
        return _daily(held, now) if held.how == How.DAILY else _at_once(held, now)


def _daily(held: WorkMail, now: datetime) -> bool:
    here = now.astimezone(ZoneInfo(held.person.time_zone))
    if held.last_on == here.date() or not held.hour <= here.hour < held.hour + LATE:
        return False
    found = waiting_for(held.person, now)
    if not found:
        return False
    held.last_on = here.date()
    held.save(update_fields=["last_on"])
    _write(held.person, found)
    return True


def _at_once(held: WorkMail, now: datetime) -> bool:
    found = waiting_for(held.person, now)
    seen = _counts(found)
    new = [one for one in found if one.count > held.told.get(one.kind, 0)]
    if seen != held.told:
        held.told = seen
        held.save(update_fields=["told"])
    if new:
        _write(held.person, new)
    return bool(new)


def _counts(found: list[Waiting]) -> dict[str, int]:
    return {one.kind: one.count for one in found}


def _write(person: User, found: list[Waiting]) -> None:
    told = {
        "person": person,
        "found": [(one, f"{settings.PUBLIC_URL}{one.address}") for one in found],
        "change": link_to("work_mail"),
    }
    body = render_to_string("home/letters/work.txt", told).strip()
    post([Envelope(person, _("What is waiting for you in Sabot"), body)])
