"""Adding a system that is told of certificates, stopping it, and writing the messages."""

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
    """Tell this address from now on. The secret is given back once and cannot be read again."""
    verify_address(address)
    if Hook.objects.filter(stopped_at=None).count() >= MOST:
        raise Refused(_("At most %(limit)d systems can be notified. Stop one first.") % {"limit": MOST})
    secret = secrets.token_urlsafe(32)
    sealed = sealer(PURPOSE).encrypt(secret.encode())
    try:
        with transaction.atomic():
            hook = Hook.objects.create(address=address, secret=sealed, added_by=by, added_at=clock.now())
    except IntegrityError:  # also where somebody else added it a moment ago
        raise Refused(_("This address is already being notified.")) from None
    record(by, "webhook.added", f"webhook:{hook.pk}", address=address)
    return hook, secret


@transaction.atomic
def stop(hook: Hook, *, by: User) -> bool:
    """Tell it nothing more; False where that was so already. What waits for it is given up."""
    now = clock.now()
    if not Hook.objects.filter(pk=hook.pk, stopped_at=None).update(stopped_at=now):
        return False
    left = Message.objects.filter(hook=hook, sent_at=None, failed_at=None)
    left.update(failed_at=now, held_at=None, problem=Message.Problem.STOPPED)
    record(by, "webhook.stopped", f"webhook:{hook.pk}", address=hook.address)
    return True


def reseal() -> Resealed:
    """Seal the secrets of all systems with the SECRET_KEY in use."""

    def anew(hook: Hook) -> int:
        return Hook.objects.filter(pk=hook.pk).update(secret=sealer(PURPOSE).rotate(bytes(hook.secret)))

    return reseal_each(Hook.objects.all(), anew)


def secret_of(hook: Hook) -> bytes:
    return sealer(PURPOSE).decrypt(bytes(hook.secret))


def write(act: Act) -> None:
    """A message to every system that is told, in the transaction of the act."""
    now = clock.now()
    told = list(Hook.objects.filter(stopped_at=None))
    Message.objects.bulk_create(
        Message(hook=hook, act=act, body=_body(act), written_at=now, due_at=now) for hook in told
    )
    if told:
        wake()


def wake() -> None:
    send_on_commit("exams.webhooks.tasks.deliver")


def try_again(messages: QuerySet[Message]) -> int:
    count = outgoing.try_again(messages.filter(hook__stopped_at=None), clock.now())
    if count:
        wake()
    return count


def _body(act: Act) -> str:
    """What was done to which certificate, in the same words in every language. People and reasons are not named: who
    is told asks for them with a token."""
    certificate = act.certificate
    told: dict[str, Any] = {
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
    return json.dumps(told)
