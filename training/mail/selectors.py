"""The outbox as staff see it."""

from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from training.mail.models import Mail
from training.platform.pending import Owed

WAITING, FAILED, SENT = "waiting", "failed", "sent"
STATES = {
    FAILED: (_("Failed"), Q(failed_at__isnull=False)),
    WAITING: (_("Waiting"), Q(sent_at=None, failed_at=None)),
    SENT: (_("Sent"), Q(sent_at__isnull=False)),
}


def mails(state: str) -> QuerySet[Mail]:
    """Mails in a state, the newest first, without unresolved password requests."""
    return _known().filter(STATES[state][1]).select_related("person").order_by("-written_at", "pk").defer("body")


def counts() -> dict[str, int]:
    return _known().aggregate(**{state: Count("pk", filter=which) for state, (_label, which) in STATES.items()})


def _known() -> QuerySet[Mail]:
    return Mail.objects.exclude(person=None)


def waiting() -> QuerySet[Mail]:
    """Mail to be sent, for monitoring."""
    return Mail.objects.filter(STATES[WAITING][1])


def given_up() -> int:
    return Mail.objects.filter(STATES[FAILED][1]).count()


def owed_work() -> list[Owed]:
    # A mail that failed is due again later: a mail server that is away does not make the platform unready.
    patience = timedelta(minutes=30)
    return [Owed("mails to be sent", "background", waiting(), since="due_at", given_up=given_up, patience=patience)]
