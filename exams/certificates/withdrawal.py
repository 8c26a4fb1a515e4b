"""Withdrawing a certificate takes two people: human resources ask, a second person confirms."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.certificates import services
from exams.certificates.models import Certificate
from exams.certificates.unconfirmed_identity import SIGN
from exams.programmes import duties
from exams.records.models import ActRequest
from training.people.models import User
from training.people.second_signature import verify
from training.platform.errors import Refused

ACT = "withdraw"


def subject(certificate: Certificate) -> str:
    return f"certificate:{certificate.pk}"


def verify_withdraw_or_ask(certificate: Certificate, by: User) -> None:
    services.verify_withdraw(certificate, by)
    if waiting().filter(subject=subject(certificate)).exists():
        raise Refused(_("This withdrawal is already waiting for a second person."))


def withdraw_or_ask(*, certificate: Certificate, actor: User, reason: str) -> Certificate | ActRequest:
    """Withdraw the certificate, or ask for it if that takes a second person."""
    if duties.applies(duties.WITHDRAW):
        return ask(certificate, by=actor, reason=reason)
    return services.withdraw(certificate=certificate, actor=actor, reason=reason)


@transaction.atomic
def ask(certificate: Certificate, *, by: User, reason: str) -> ActRequest:
    current = services.locked(certificate)
    verify_withdraw_or_ask(current, by)
    asked = ActRequest.objects.create(
        act=ACT, subject=subject(current), reason=services.fit_reason(reason), asked_by=by, asked_at=clock.now()
    )
    record(by, "withdrawal.asked", asked.subject, request=asked.pk, number=current.number)
    return asked


def waiting() -> QuerySet[ActRequest]:
    return ActRequest.objects.filter(act=ACT, decided_at=None).select_related("asked_by")


def certificate_of(asked: ActRequest) -> Certificate:
    found = Certificate.objects.select_related("programme_version__programme", "holder")
    return found.get(pk=UUID(asked.subject.partition(":")[2]))


def verify_confirm(asked: ActRequest, by: User) -> None:
    certificate = certificate_of(asked)
    _verify_decide(asked, certificate, by)
    verify(asked_by=asked.asked_by, signer=by, since=asked.asked_at)
    if not asked.asked_by.is_active:
        raise Refused(_("The account of whoever asked for this is closed: somebody else must ask."))
    services.verify_withdraw(certificate, asked.asked_by)


@transaction.atomic
def confirm(asked: ActRequest, *, by: User) -> Certificate:
    """Withdraw the certificate, as an act of the person who asked."""
    services.locked(certificate_of(asked))
    current = _current(asked)
    verify_confirm(current, by)
    current.decide(by, accepted=True, at=clock.now())
    made = services.withdraw(
        certificate=certificate_of(current), actor=current.asked_by, reason=current.reason, second=by
    )
    record(by, "withdrawal.confirmed", current.subject, request=current.pk, asked_by=current.asked_by_id)
    return made


@transaction.atomic
def refuse(asked: ActRequest, *, by: User) -> None:
    """Leave the certificate as it is. The person who asked may also take the request back this way."""
    certificate = services.locked(certificate_of(asked))
    current = _current(asked)
    _verify_decide(current, certificate, by)
    current.decide(by, accepted=False, at=clock.now())
    record(by, "withdrawal.refused", current.subject, request=current.pk, asked_by=current.asked_by_id)


def _verify_decide(asked: ActRequest, certificate: Certificate, by: User) -> None:
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role__in=SIGN).exists():
        raise Refused(_("Only human resources and administrators can decide this."))
    if by.pk == certificate.holder_id:
        raise Refused(_("Nobody can act on their own certificate."))
    if asked.decided_at is not None:
        raise Refused(_("This has already been decided."))


def _current(asked: ActRequest) -> ActRequest:
    found = ActRequest.objects.select_for_update(of=("self",), no_key=True).select_related("asked_by")
    return found.get(pk=asked.pk)
