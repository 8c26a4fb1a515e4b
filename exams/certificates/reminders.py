"""Mails to the holder and HR that a certificate is about to end.

A `Reminder` is marked as sent in the transaction that puts its mail into the outbox, so each is written exactly once;
`training.mail.courier` sends it. After an outage only the nearest reminder is sent; the others are recorded as passed
over.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exams import clock
from exams.certificates import letters
from exams.certificates.lifecycle import State
from exams.certificates.models import Certificate, Reminder
from training.house.selectors import current
from training.mail.outbox import Envelope, link_to, post
from training.people.models import User
from training.people.request import language_for

log = structlog.get_logger(__name__)

DAYS = (90, 60, 30, 7)  # before the end
Audience = Reminder.Audience


def reminders_of(valid_from: date, valid_until: date) -> dict[int, date]:
    """Due dates by number of days. Reminders due before the certificate begins are left out."""
    due = {days: valid_until - timedelta(days=days) for days in DAYS}
    return {days: day for days, day in due.items() if day > valid_from}


def nearest(valid_from: date, valid_until: date, on: date) -> int | None:
    """The reminder to send on a date, if any: the last one due."""
    if on > valid_until:
        return None
    return min((days for days, day in reminders_of(valid_from, valid_until).items() if day <= on), default=None)


def send_due() -> int:
    """Send the due reminders. Safe to run at any time, any number of times. Returns how many."""
    now, today = clock.now(), clock.today()
    bound_for_hr: list[Reminder] = []
    sent = 0
    hr = letters.people_of_hr()
    for certificate in _about_to_end(today):
        for reminder in _due(certificate, now, today, hr=bool(hr)):
            if reminder.audience == Audience.HR:
                bound_for_hr.append(reminder)
            else:
                sent += _write([reminder], lambda mine: [_to_holder(mine[0])])
    sent += _write(bound_for_hr, lambda mine: _to_hr(mine, hr))
    _pass_over_ended(today)
    return sent


def _about_to_end(today: date) -> Iterator[Certificate]:
    return (
        Certificate.objects.filter(
            state=State.GRANTED, valid_until__gte=today, valid_until__lte=today + timedelta(days=max(DAYS))
        )
        .select_related("holder", "programme_version__programme")
        .prefetch_related("reminders")
        .order_by("valid_until", "number")
        .iterator(chunk_size=500)
    )


def _due(certificate: Certificate, now: datetime, today: date, *, hr: bool) -> Iterator[Reminder]:
    """The certificate's reminders to send now; those that come too late are passed over."""
    wanted = nearest(certificate.valid_from, certificate.valid_until, today)
    due = reminders_of(certificate.valid_from, certificate.valid_until)
    settled = {
        (reminder.days, reminder.audience)
        for reminder in certificate.reminders.all()
        if reminder.sent_at or reminder.passed_over_at
    }
    if wanted is None:
        return
    for days in [days for days in due if days >= wanted]:
        for audience in Audience:
            if (days, audience) in settled:
                continue
            row, _made = Reminder.objects.get_or_create(
                certificate=certificate, days=days, audience=audience, defaults={"due_on": due[days]}
            )
            # No mail to people who have left; HR's wait until somebody is in HR.
            if days > wanted or (audience == Audience.HOLDER and not certificate.holder.is_active):
                _pass_over(Reminder.objects.filter(pk=row.pk), now)
            elif hr or audience == Audience.HOLDER:
                row.certificate = certificate
                yield row


def _pass_over(reminders: QuerySet[Reminder], now: datetime) -> None:
    count = reminders.filter(sent_at=None, passed_over_at=None).update(passed_over_at=now)
    if count:
        log.warning("reminder_passed_over", count=count)


def _pass_over_ended(today: date) -> None:
    """Pass over reminders whose certificate has ended or is no longer valid, including those never created."""
    now = clock.now()
    ended = ~Q(certificate__state=State.GRANTED) | Q(certificate__valid_until__lt=today)
    _pass_over(Reminder.objects.filter(ended), now)
    just_ended = Certificate.objects.filter(
        state__in=[State.GRANTED, State.EXPIRED],
        valid_until__lt=today,
        valid_until__gte=today - timedelta(days=max(DAYS)),
    ).annotate(rows=Count("reminders"))
    missing = [
        Reminder(certificate=certificate, days=days, audience=audience, due_on=day, passed_over_at=now)
        for certificate in just_ended.filter(rows__lt=len(DAYS) * len(Audience))
        for days, day in reminders_of(certificate.valid_from, certificate.valid_until).items()
        for audience in Audience
    ]
    Reminder.objects.bulk_create(missing, ignore_conflicts=True, batch_size=500)


# ---- the mails


@transaction.atomic
def _write(reminders: Sequence[Reminder], letters: Callable[[Sequence[Reminder]], list[Envelope]]) -> int:
    """Put into the outbox what no concurrent run has sent. Returns how many reminders."""
    still_open = Reminder.objects.filter(sent_at=None, passed_over_at=None)
    mine = [one for one in reminders if still_open.filter(pk=one.pk).update(sent_at=clock.now())]
    if mine:
        post(letters(mine))
    return len(mine)


def _to_holder(reminder: Reminder) -> Envelope:
    certificate = reminder.certificate
    language = language_for(certificate.holder.language, certificate.scope)
    with translation.override(language):
        subject = _("Your certificate %(number)s ends on %(day)s") % {
            "number": certificate.number,
            "day": date_format(certificate.valid_until, "DATE_FORMAT"),
        }
        body = render_to_string(
            "certificates/mail/holder.txt",
            {
                "certificate": certificate,
                "programme": certificate.programme_version.name(language),
                "days": (certificate.valid_until - clock.today()).days,
                "address": letters.own_page(certificate),
                "issuer": current().name,
            },
        )
    return Envelope(certificate.holder, subject, body)


def _to_hr(reminders: Sequence[Reminder], people: Sequence[User]) -> list[Envelope]:
    """One mail per run for each person in HR."""
    by_language = {language: _list_for_hr(reminders, language) for language in {person.language for person in people}}
    return [Envelope(person, *by_language[person.language]) for person in people]


def _list_for_hr(reminders: Sequence[Reminder], language: str) -> tuple[str, str]:
    today = clock.today()
    with translation.override(language):
        rows = [
            {
                "certificate": reminder.certificate,
                "programme": reminder.certificate.programme_version.name(language),
                "days": (reminder.certificate.valid_until - today).days,
            }
            for reminder in reminders
        ]
        subject = ngettext(
            "%(count)d certificate is about to expire", "%(count)d certificates are about to expire", len(rows)
        ) % {"count": len(rows)}
        facts = {"rows": rows, "issuer": current().name, "address": link_to("hr_desk")}
        return subject, render_to_string("certificates/mail/hr.txt", facts)
