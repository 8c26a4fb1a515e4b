"""Mails that say a certificate is about to end, to its holder and to HR.

A `Reminder` row is claimed before the mail is sent and marked after it. Whoever is killed in between leaves a claim
that another run takes over. Only between the mail server's yes and our mark could a mail go out twice; both then have
one Message-ID, which mail programs show once. After a standstill only the nearest reminder is sent; the others are
recorded as passed over.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Count, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from exams import clock
from exams.certificates.lifecycle import State
from exams.certificates.models import Certificate, Reminder
from training import owed
from training.people.models import Role, User

log = structlog.get_logger(__name__)

DAYS = (90, 60, 30, 7)  # before the end
LEASE = timedelta(minutes=15)  # far longer than it takes to send a mail
Audience = Reminder.Audience


def reminders_of(valid_from: date, valid_until: date) -> dict[int, date]:
    """When each reminder is due. What would be due before the certificate begins is none of its reminders."""
    due = {days: valid_until - timedelta(days=days) for days in DAYS}
    return {days: day for days, day in due.items() if day > valid_from}


def nearest(valid_from: date, valid_until: date, on: date) -> int | None:
    """The one reminder to send on a date, if any: the last that has come due."""
    if on > valid_until:
        return None
    return min((days for days, day in reminders_of(valid_from, valid_until).items() if day <= on), default=None)


def send_due() -> int:
    """Send what is due and not sent. Any number of runs, anywhere, at any time."""
    now, today = clock.now(), clock.today()
    bound_for_hr: list[Reminder] = []
    sent = 0
    hr = _hr_addresses()
    for certificate in _about_to_end(today):
        for reminder in _claims(certificate, now, today, hr=bool(hr)):
            if reminder.audience == Audience.HR:
                bound_for_hr.append(reminder)
            else:
                sent += _send([reminder], _to_holder(certificate, reminder))
    if bound_for_hr:
        sent += _send(bound_for_hr, _to_hr(bound_for_hr, hr))
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


def _claims(certificate: Certificate, now: datetime, today: date, *, hr: bool) -> Iterator[Reminder]:
    """The reminders of this certificate that are now ours to send; those that come too late are passed over."""
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
            # Nobody is written to who has left; HR's are kept until there is somebody in HR to write to.
            if days > wanted or (audience == Audience.HOLDER and not certificate.holder.is_active):
                _pass_over(Reminder.objects.filter(pk=row.pk), now)
            elif (hr or audience == Audience.HOLDER) and _claim(row, now):
                row.certificate = certificate
                yield row


def _claim(reminder: Reminder, now: datetime) -> bool:
    """Take it, unless another run holds it. A claim from far ahead was made by a clock that was wrong."""
    free = owed.free("claimed_at", now=now, lease=LEASE) | Q(claimed_at__gt=now + LEASE)
    open_row = Reminder.objects.filter(free, pk=reminder.pk, sent_at=None, passed_over_at=None)
    return open_row.update(claimed_at=now) == 1


def _pass_over(reminders: QuerySet[Reminder], now: datetime) -> None:
    count = reminders.filter(sent_at=None, passed_over_at=None).update(passed_over_at=now)
    if count:
        log.warning("reminder_passed_over", count=count)


def _pass_over_ended(today: date) -> None:
    """What was still to be sent when its certificate ended or lost its force, also where nobody ever got to it."""
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


def _send(reminders: Sequence[Reminder], mail: EmailMessage) -> int:
    try:
        mail.send()
    except OSError as error:  # the mail server is away: the claim runs out and a later run tries again
        log.warning("reminder_not_sent", count=len(reminders), error=str(error))
        return 0
    open_rows = Reminder.objects.filter(pk__in=[reminder.pk for reminder in reminders], sent_at=None)
    return open_rows.update(sent_at=clock.now(), passed_over_at=None)


def _to_holder(certificate: Certificate, reminder: Reminder) -> EmailMessage:
    language = certificate.holder.language
    with translation.override(language):
        subject = _("Your certificate %(number)s ends on %(day)s") % {
            "number": certificate.number,
            "day": _day(certificate.valid_until),
        }
        body = render_to_string(
            "certificates/mail/holder.txt",
            {
                "certificate": certificate,
                "programme": certificate.programme_version.name(language),
                "days": (certificate.valid_until - clock.today()).days,
                "address": f"{settings.PUBLIC_URL}/certificates/",
                "issuer": settings.ISSUER_NAME,
            },
        )
    return _mail(subject, body, to=[certificate.holder.email], reminders=[reminder])


def _to_hr(reminders: Sequence[Reminder], addresses: list[str]) -> EmailMessage:
    """One mail for all of a run, so that nobody finds hundreds."""
    language = settings.LANGUAGE_CODE
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
        subject = translation.ngettext(
            "%(count)d certificate is about to end", "%(count)d certificates are about to end", len(rows)
        ) % {"count": len(rows)}
        body = render_to_string("certificates/mail/hr.txt", {"rows": rows, "issuer": settings.ISSUER_NAME})
    return _mail(subject, body, to=addresses, reminders=reminders)


def _mail(subject: str, body: str, *, to: list[str], reminders: Sequence[Reminder]) -> EmailMessage:
    about = " ".join(f"{reminder.certificate_id}/{reminder.days}/{reminder.audience}" for reminder in reminders)
    name = hashlib.sha256(about.encode()).hexdigest()[:32]
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    return EmailMessage(subject, body, to=to, headers={"Message-ID": f"<reminder-{name}@{host}>"})


def _hr_addresses() -> list[str]:
    people = User.objects.filter(is_active=True, role_grants__role=Role.HR)
    return list(people.order_by("email").values_list("email", flat=True))


def _day(day: date) -> str:
    return date_format(day, "DATE_FORMAT")
