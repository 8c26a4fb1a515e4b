"""Puts mail into the outbox, in the transaction of the action it is about, and retries and deletes it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from training.mail.models import Mail
from training.people.models import User
from training.platform import outgoing
from training.platform.broker import send_on_commit
from training.platform.italian import elided

KEPT = timedelta(days=30)  # also in docs/privacy.md


@dataclass(frozen=True)
class Envelope:
    person: User
    subject: str
    body: str
    address: str = ""  # if not the person's own
    way_out: str = ""  # the unsubscribe link
    leaves_no_line: bool = False  # deleted as soon as it is sent or has failed


def post(envelopes: Iterable[Envelope]) -> list[Mail]:
    """Store mails, and wake a worker once for all of them after the commit."""
    now = timezone.now()
    mails = Mail.objects.bulk_create(
        Mail(
            person=envelope.person,
            address=envelope.address or envelope.person.email,
            subject=one_line(elided(envelope.subject)),
            body=elided(envelope.body),
            way_out=envelope.way_out,
            leaves_no_line=envelope.leaves_no_line,
            written_at=now,
            due_at=now,
        )
        for envelope in envelopes
    )
    if mails:
        wake()
    return mails


def wake() -> None:
    from training.mail import tasks

    send_on_commit(tasks.deliver)


def one_line(subject: str) -> str:
    """A subject on one line, since it may contain names that people typed, and not too long."""
    return " ".join(subject.split())[: Mail._meta.get_field("subject").max_length]


def link_to(route: str, *args: object) -> str:
    """The absolute URL of a page."""
    return f"{settings.PUBLIC_URL}{reverse(route, args=args)}"


def waiting() -> QuerySet[Mail]:
    return Mail.objects.filter(sent_at=None, failed_at=None)


def try_again(mails: QuerySet[Mail]) -> int:
    count = outgoing.try_again(mails, timezone.now())
    if count:
        wake()
    return count


def readdress(person: User, former: str) -> None:
    """Send unsent mail for the former address to the person's new one. Mail to other addresses is not changed."""
    Mail.objects.filter(person=person, sent_at=None, address=former).update(address=person.email)


def forget_old() -> int:
    """Delete old mail that was sent or has failed. Returns how many rows."""
    return _settled().filter(written_at__lt=timezone.now() - KEPT).delete()[0]


def forget_lines() -> None:
    """Delete mail with `leaves_no_line` that was sent or has failed."""
    _settled().filter(leaves_no_line=True).delete()


def _settled() -> QuerySet[Mail]:
    return Mail.objects.exclude(sent_at=None, failed_at=None)
