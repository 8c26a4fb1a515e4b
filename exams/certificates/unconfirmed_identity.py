"""Certificates for exams in which no invigilator confirmed who sat: HR asks, a second person decides."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.certificates import both_parts, issuance, services
from exams.certificates.models import Certificate, IssueRequest
from exams.results.models import Result
from training.people import second_signature
from training.people.models import Role, User
from training.platform.errors import Refused, why_not

SIGN = frozenset({Role.HR, Role.ADMINISTRATOR})


def needs_two(result: Result) -> bool:
    """Whether nobody has confirmed who sat the exam, or its practical part."""
    return bool(why_two(result))


def why_two(result: Result) -> str:
    """What is missing; empty if somebody has confirmed both."""
    parts = filter(None, (result, both_parts.practice_for(result)))
    return next(filter(None, (why_not(issuance.verify_identity, part) for part in parts)), "")


def verify_issue_or_ask(result: Result, by: User) -> None:
    """Raises Refused if this person can neither issue this certificate nor ask for it."""
    if needs_two(result):
        verify_ask(result, by)
    else:
        issuance.verify_issue(result, by)


def issue_or_ask(*, result: Result, by: User, reason: str) -> Certificate | IssueRequest:
    """Issue the certificate, or ask for it if that takes a second person."""
    if needs_two(result):
        return ask(result, by=by, reason=reason)
    return issuance.issue(result=result, actor=by, reason=reason)


# ---- asking


def verify_ask(result: Result, by: User) -> None:
    issuance.verify_gives(result, by)
    _verify_unchecked(result)
    if waiting().filter(result=result).exists():
        raise Refused(_("This certificate is already waiting for a second person."))


@transaction.atomic
def ask(result: Result, *, by: User, reason: str) -> IssueRequest:
    issuance.hold(result.sitting.candidate.person_id)
    current = issuance.results().get(pk=result.pk)
    verify_ask(current, by)
    asked = IssueRequest.objects.create(
        result=current,
        name=issuance.printed_name(current),
        reason=services.fit_reason(reason),
        asked_by=by,
        asked_at=clock.now(),
    )
    record(by, "issue.asked", f"result:{current.pk}", request=asked.pk, name=asked.name)
    return asked


def waiting() -> QuerySet[IssueRequest]:
    """Requests that wait for a second person and whose result still qualifies and has no certificate."""
    found = IssueRequest.objects.filter(decided_at=None, result__in=issuance.waiting())
    return found.select_related(
        "asked_by", "result__sitting__candidate__person", "result__programme_version__programme"
    )


# ---- deciding


def verify_confirm(request: IssueRequest, by: User) -> None:
    _verify_decide(request, by)
    second_signature.verify(asked_by=request.asked_by, signer=by, since=request.asked_at)
    if not request.asked_by.is_active:
        raise Refused(_("The account of whoever asked for this is closed: somebody else must ask."))
    issuance.verify_gives(request.result, request.asked_by)
    _verify_unchecked(request.result)
    if issuance.printed_name(request.result) != request.name:
        raise Refused(_("The name to be printed has changed since this was asked for: ask for it again."))


@transaction.atomic
def confirm(request: IssueRequest, *, by: User) -> Certificate:
    """Issue the certificate with the name both people sign for, as an act of the person who asked."""
    issuance.hold(request.result.sitting.candidate.person_id)
    current = _locked(request)
    verify_confirm(current, by)
    current.decide(by, accepted=True, at=clock.now())
    made = issuance.grant(current.result, current.asked_by, current.reason)
    record(
        by,
        "issue.confirmed",
        f"result:{current.result_id}",
        request=current.pk,
        asked_by=current.asked_by_id,
        name=current.name,
        number=made.number,
    )
    return made


@transaction.atomic
def refuse(request: IssueRequest, *, by: User) -> None:
    """Issue nothing. The person who asked may also withdraw the request this way."""
    issuance.hold(request.result.sitting.candidate.person_id)
    current = _locked(request)
    _verify_decide(current, by)
    current.decide(by, accepted=False, at=clock.now())
    record(by, "issue.refused", f"result:{current.result_id}", request=current.pk, asked_by=current.asked_by_id)


def _verify_unchecked(result: Result) -> None:
    if not needs_two(result):
        raise Refused(_("The identity is confirmed: the certificate is issued without a second person."))


def _verify_decide(request: IssueRequest, by: User) -> None:
    """Raises Refused unless `by` is currently HR or an administrator, and not the holder."""
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role__in=SIGN).exists():
        raise Refused(_("Only human resources and administrators can decide this."))
    if by.pk == request.result.sitting.candidate.person_id:
        raise Refused(_("Nobody can act on their own certificate."))
    if request.decided_at is not None:
        raise Refused(_("This has already been decided."))


def _locked(request: IssueRequest) -> IssueRequest:
    """The current request, locked, with its result loaded for issuing."""
    current = IssueRequest.objects.select_for_update(of=("self",), no_key=True).select_related("asked_by")
    found = current.get(pk=request.pk)
    found.result = issuance.results().get(pk=found.result_id)
    return found
