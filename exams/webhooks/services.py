"""Adding and stopping webhooks, and writing their messages."""

import json
import secrets
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.certificates.models import Act
from exams.webhooks.addresses import verify_address
from exams.webhooks.models import Hook, Message
from training.people.models import User
from training.platform import outgoing
from training.platform.broker import send_on_commit
from training.platform.errors import Refused
from training.platform.sealing import Resealed, reseal_each, sealer

PURPOSE = "webhooks"
MOST = 10


@transaction.atomic
def add(address: str, *, by: User) -> tuple[Hook, str]:
    """Send messages to this address from now on. Returns the secret, which cannot be read again."""
    verify_address(address)
    if Hook.objects.filter(stopped_at=None).count() >= MOST:
        raise Refused(_("At most %(limit)d systems can be notified. Stop one first.") % {"limit": MOST})
    secret = secrets.token_urlsafe(32)
    sealed = sealer(PURPOSE).encrypt(secret.encode())
    try:
        with transaction.atomic():
            hook = Hook.objects.create(address=address, secret=sealed, added_by=by, added_at=clock.now())
    except IntegrityError:  # also if it was added concurrently
        raise Refused(_("This address is already being notified.")) from None
    record(by, "webhook.added", f"webhook:{hook.pk}", address=address)
    return hook, secret


@transaction.atomic
def stop(hook: Hook, *, by: User) -> bool:
    """Send nothing more; returns False if already stopped. Pending messages are given up."""
    now = clock.now()
    if not Hook.objects.filter(pk=hook.pk, stopped_at=None).update(stopped_at=now):
        return False
    left = Message.objects.filter(hook=hook, sent_at=None, failed_at=None)
    left.update(failed_at=now, held_at=None, problem=Message.Problem.STOPPED)
    record(by, "webhook.stopped", f"webhook:{hook.pk}", address=hook.address)
    return True


def reseal() -> list[Resealed]:
    """Encrypt all secrets with the current SECRET_KEY."""

    def reseal_row(hook: Hook) -> int:
        return Hook.objects.filter(pk=hook.pk).update(secret=sealer(PURPOSE).rotate(bytes(hook.secret)))

    return [reseal_each("secrets of other systems", Hook.objects.all(), reseal_row)]


def secret_of(hook: Hook) -> bytes:
    return sealer(PURPOSE).decrypt(bytes(hook.secret))


def write(act: Act) -> None:
    """Store a message for every active webhook, in the act's transaction."""
    now = clock.now()
    hooks = list(Hook.objects.filter(stopped_at=None))
    Message.objects.bulk_create(
        Message(hook=hook, act=act, body=_body(act), written_at=now, due_at=now) for hook in hooks
    )
    if hooks:
        wake()


def wake() -> None:
    from exams.webhooks import tasks

    send_on_commit(tasks.deliver)


def try_again(messages: QuerySet[Message]) -> int:
    count = outgoing.try_again(messages.filter(hook__stopped_at=None), clock.now())
    if count:
        wake()
    return count


def _body(act: Act) -> str:
    """What was done to which certificate, in language-independent terms, without people or reasons: the receiver can
    fetch those with a token."""
    certificate = act.certificate
    data: dict[str, Any] = {
        "act": act.kind,
        "step": act.number,
        "at": act.at.isoformat(),
        "certificate": {
            "id": str(certificate.pk),
            "number": certificate.number,
            "state": act.state_after,
            "scope": act.scope_after,
            "valid_from": certificate.valid_from.isoformat(),
            "valid_until": certificate.valid_until.isoformat(),
            "check": f"{settings.PUBLIC_URL}/c/{certificate.code}",
        },
    }
    return json.dumps(data)
