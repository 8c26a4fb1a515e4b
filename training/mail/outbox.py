"""Putting mail into the outbox, in the transaction of the act that it tells of, and what staff may do with it there."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from training.broker import send_on_commit
from training.mail.models import Mail
from training.people.models import User

KEPT = timedelta(days=30)  # said in docs/privacy.md


@dataclass(frozen=True)
class Envelope:
    person: User
    subject: str
    body: str
    address: str = ""  # another than the person's own
    way_out: str = ""  # where one press ends mails of this kind


def post(envelopes: Iterable[Envelope]) -> list[Mail]:
    """Store mails and wake a worker once for all of them, when the act they tell of is committed."""
    now = timezone.now()
    mails = Mail.objects.bulk_create(
        Mail(
            person=envelope.person,
            address=envelope.address or envelope.person.email,
            subject=one_line(envelope.subject),
            body=envelope.body,
            way_out=envelope.way_out,
            written_at=now,
            due_at=now,
        )
        for envelope in envelopes
    )
    if mails:
        wake()
    return mails


def wake() -> None:
    send_on_commit("training.mail.tasks.deliver")


def one_line(subject: str) -> str:
    """As a header takes it: names of exams and classes are typed by people."""
    return " ".join(subject.split())[: Mail._meta.get_field("subject").max_length]


def link_to(route: str, *args: object) -> str:
    """The whole address of a page, for a mail that speaks of it."""
    return f"{settings.PUBLIC_URL}{reverse(route, args=args)}"


def waiting() -> QuerySet[Mail]:
    return Mail.objects.filter(sent_at=None, failed_at=None)


def try_again(mails: QuerySet[Mail]) -> int:
    """Let mails that failed, or wait for their next try, be tried now and with all their tries before them."""
    now = timezone.now()
    tried = mails.filter(sent_at=None, tries__gt=0, held_at=None)
    count = tried.update(due_at=now, failed_at=None, tries=0)
    if count:
        wake()
    return count


def readdress(person: User, former: str) -> None:
    """Send to the person's address of now what was not sent to the former one. What goes elsewhere on purpose, as the
    letter that an address is no longer theirs, goes on there."""
    Mail.objects.filter(person=person, sent_at=None, address=former).update(address=person.email)


def forget_old() -> int:
    """Delete what was settled long ago."""
    settled = Mail.objects.exclude(sent_at=None, failed_at=None)
    return settled.filter(written_at__lt=timezone.now() - KEPT).delete()[0]
