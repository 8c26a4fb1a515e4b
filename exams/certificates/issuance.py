"""Granting and renewing: what a decided result means for the certificates of the person who sat.

`follow` runs for every decided result, once or many times, now or after days: it looks at what is in the database and
does what is still to be done. A message only wakes it, `sweep` finds what no message brought.
"""

import secrets
from datetime import date, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from exams import clock
from exams.certificates import annulled, lifecycle, printing, services
from exams.certificates.lifecycle import NOTHING, Kind, State
from exams.certificates.models import Act, Certificate
from exams.invigilation.acts import identity_of
from exams.programmes.models import Programme
from exams.records import names
from exams.records.models import Event
from exams.results.models import Result
from training.people import second_signature
from training.people.models import User
from training.people.second_signature import Asked
from training.platform import pending
from training.platform.errors import Refused

log = structlog.get_logger(__name__)

# Without 0 and O, 1, I and L, U and V: read aloud or copied by hand it stays the same.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTWXYZ"
CODE_LENGTH = 12
STATUS_LIST_BITS = 131_072  # the least that the specification asks for, so that one entry hides among many
SWEEP_LIMIT = 500
# Decision and suspension may be stamped by two machines; their clocks agree at least to this.
SKEW = timedelta(minutes=1)


class HeldBack(Refused):
    """No certificate by itself: a person must decide first."""


# ---- what follows from a result


def follow(result_id: UUID) -> Certificate | None:
    """Issue, suspend or leave alone, as the result and the programme's rule say."""
    result = results().get(pk=result_id)
    if result.sitting.annulled_at:
        return annulled.suspend(result)
    if not result.in_force or result.decided_at is None:
        return None
    if not result.passed:
        return suspend_after(result)
    if result.programme_version.rules.certificate != "by_rule":
        return None
    try:
        return _issue(result, None)
    except Refused as refusal:
        log.debug("certificate_not_issued", result=str(result.pk), why=str(refusal))
        return None


def suspend_after(result: Result) -> Certificate | None:
    """A result that fails now takes the force of the certificate it once led to; HR decides what comes of it.

    Once for each result: a certificate that HR has reinstated since stays so.
    """
    certificate = Certificate.objects.filter(result__sitting=result.sitting_id, state=State.GRANTED).first()
    if certificate is None or not _to_suspend().filter(pk=result.pk).exists():
        return None
    with override(certificate.language):
        reason = str(_("The exam was graded again and is no longer a pass."))
    try:
        return services.suspend(certificate=certificate, actor=None, reason=reason)
    except Refused:  # it has just ended, or somebody was quicker
        return None


def sweep() -> int:
    """Whatever was decided or annulled and not followed up."""
    return sum(
        pending.sweep(waiting.values_list("pk", flat=True), _followed, limit=SWEEP_LIMIT, what="certificate")
        for waiting in (_to_issue(), _to_suspend(), annulled.waiting(results(), SKEW))
    )


def _followed(result_id: UUID) -> bool:
    return follow(result_id) is not None


# ---- issuing


@transaction.atomic
def issue(*, result: Result, actor: User, reason: str) -> Certificate:
    """Issue as HR, where the programme leaves it to them or something held the rule back. If nobody confirmed who sat,
    issuing takes two people (`unchecked`)."""
    return _issue(results().get(pk=result.pk), actor, services.fit_reason(reason))


def verify_issue(result: Result, actor: User | None) -> None:
    """Refuse if this result gives no certificate, or if this person alone may not issue it."""
    verify_gives(result, actor)
    verify_identity(result)
    if actor is not None:
        _verify_beside_the_room(result, actor)


def _verify_beside_the_room(result: Result, actor: User) -> None:
    """Refuse who is no second person beside each invigilator that confirmed the identity."""
    looked = Event.objects.filter(sitting=result.sitting_id, kind=Event.Kind.IDENTITY, by__isnull=False)
    if looked.filter(by=actor).exists():
        raise Refused(_("You confirmed the identity in this exam: somebody else must issue the certificate."))
    if second_signature.refused_until_confirmed(actor, [Asked(*row) for row in looked.values_list("by_id", "at")]):
        raise Refused(
            _(
                "One person alone could be behind your account and that of the invigilator who confirmed the identity. "
                "Somebody else must issue the certificate, or another administrator must first confirm one of the two "
                "accounts on its page under “People”."
            )
        )


def verify_identity(result: Result) -> None:
    """Refuse unless an invigilator compared the name to be printed, or two people changed it since."""
    looked = identity_of(result.sitting_id)
    if looked is None:
        raise HeldBack(_("No invigilator has checked who sat this exam."))
    if not names.covers(result.sitting.candidate, compared=looked.text, at=looked.at):
        raise HeldBack(_("The invigilator compared a different name from the one to be printed."))


def verify_gives(result: Result, actor: User | None) -> None:
    """Refuse where this result does not give a certificate, whoever sat."""
    services.verify_actor(result.sitting.candidate.person_id, actor)
    if not (result.in_force and result.passed and result.decided_at):
        raise Refused(_("Only an exam that has been decided and passed leads to a certificate."))
    # Not before the candidate may know: the certificate would tell the result.
    if result.released_at is None:
        raise Refused(_("The result has not been released yet."))
    if Certificate.objects.filter(result__sitting=result.sitting_id).exists():
        raise Refused(_("This exam has already led to a certificate."))
    former = former_of(result)
    if former and former.result and former.result.sitting.started_at > result.sitting.started_at:
        raise Refused(_("A later exam has already led to a certificate."))
    if former and lifecycle.state_on(former, clock.today()) == State.SUSPENDED:
        raise HeldBack(_("An earlier certificate is suspended: decide on that one first."))
    if actor is None and _withdrawn_since(result):
        raise HeldBack(_("A certificate of this programme was withdrawn after this exam had begun."))
    if validity_of(result, former)[1] < clock.today():
        raise Refused(_("The certificate would already have expired."))


@transaction.atomic
def _issue(result: Result, actor: User | None, reason: str = "") -> Certificate:
    hold(result.sitting.candidate.person_id)
    verify_issue(result, actor)
    return grant(result, actor, reason)


def hold(holder_id: int) -> None:
    """Let nobody else issue to this person, rename them, or act on their certificates until the transaction ends."""
    User.objects.select_for_update(no_key=True).get(pk=holder_id)
    # What a new one would follow is neither suspended nor withdrawn in between.
    list(Certificate.objects.select_for_update(no_key=True).filter(holder=holder_id).order_by("pk"))


def grant(result: Result, actor: User | None, reason: str) -> Certificate:
    """Make the certificate of a result that was verified, with its holder held."""
    holder, former = result.sitting.candidate.person, former_of(result)
    begins, ends = validity_of(result, former)
    renewed = former if former and lifecycle.state_on(former, clock.today()) == State.GRANTED else None
    if renewed is not None:
        services.move(services.locked(renewed), Kind.RENEW, actor, reason=reason)
    certificate = Certificate.objects.create(
        number=next_number(result.programme_version.programme_id),
        code=new_code(),
        holder=holder,
        holder_name=printed_name(result),
        language=holder.language,
        programme_version=result.programme_version,
        result=result,
        scope=list(result.programme_version.rules.rulebooks),
        granted_at=clock.now(),
        valid_from=begins,
        valid_until=ends,
        replaces=renewed,
        status_index=free_status_index(),
        printed=printing.of_today(result.programme_version, holder.language),
    )
    services.leave_act(certificate, Kind.GRANT, actor, reason=reason, state_before=NOTHING, scope_before=[])
    return certificate


def printed_name(result: Result) -> str:
    """The name that the candidate was entered under, unless two people have changed it since."""
    return names.printed(result.sitting.candidate)


def former_of(result: Result) -> Certificate | None:
    """The latest certificate of the same programme that this one would follow."""
    return (
        Certificate.objects.filter(
            holder=result.sitting.candidate.person_id,
            programme_version__programme=result.programme_version.programme_id,
            state__in=[State.GRANTED, State.SUSPENDED, State.EXPIRED],
        )
        .select_related("result__sitting")
        .order_by("-valid_until", "-granted_at")
        .first()
    )


def validity_of(result: Result, former: Certificate | None) -> tuple[date, date]:
    rules = result.programme_version.rules
    return lifecycle.validity(
        timezone.localdate(result.decided_at, timezone.get_default_timezone()),
        months=rules.valid_months,
        renewal_days=rules.renewal_days,
        former_end=former.valid_until if former else None,
    )


def _withdrawn_since(result: Result) -> bool:
    """Since the exam began: a decision may come late, by an appeal or a regrade, and only a new exam counts."""
    return Act.objects.filter(
        kind=Kind.WITHDRAW,
        at__gte=result.sitting.started_at,
        certificate__holder=result.sitting.candidate.person_id,
        certificate__programme_version__programme=result.programme_version.programme_id,
    ).exists()


# ---- numbers


def next_number(programme_id: UUID) -> str:
    """`CDF-PT-2026-000123`: counted for each programme and year; the programme's row is the turnstile."""
    programme = Programme.objects.select_for_update(no_key=True).get(pk=programme_id)
    prefix = f"{programme.code.upper()}-{clock.today().year}-"
    last = (
        Certificate.objects.filter(number__startswith=prefix, programme_version__programme=programme)
        .order_by("-number")
        .values_list("number", flat=True)
        .first()
    )
    return f"{prefix}{int(last.removeprefix(prefix)) + 1 if last else 1:06d}"


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _place in range(CODE_LENGTH))


def free_status_index() -> int:
    """A place by chance in the list that is being filled; a list is left when it is half full."""
    list_no = Certificate.objects.count() // (STATUS_LIST_BITS // 2)
    while True:
        index = list_no * STATUS_LIST_BITS + secrets.randbelow(STATUS_LIST_BITS)
        if not Certificate.objects.filter(status_index=index).exists():
            return index


# ---- reading


def results() -> QuerySet[Result]:
    return Result.objects.select_related("programme_version__programme", "sitting__candidate__person")


def waiting() -> QuerySet[Result]:
    """Passes that could lead to a certificate and have not: what HR may issue, oldest first."""
    there = Certificate.objects.filter(result__sitting=OuterRef("sitting"))
    return (
        results()
        .filter(~Exists(there), in_force=True, passed=True, decided_at__isnull=False, released_at__isnull=False)
        .order_by("decided_at")
    )


def _to_issue() -> QuerySet[Result]:
    # The newest first: what is held back stays in this list and must never stand before what is not.
    by_rule = Q(programme_version__rules_document__certificate="by_rule")
    by_default = Q(programme_version__rules_document__certificate__isnull=True)
    return waiting().filter(by_rule | by_default).order_by("-decided_at")


def _to_suspend() -> QuerySet[Result]:
    """Failed results in force of which a certificate still has force that no suspension has met."""
    met = Act.objects.filter(
        certificate__result__sitting=OuterRef("sitting"),
        kind=Kind.SUSPEND,
        actor=None,
        at__gte=ExpressionWrapper(OuterRef("decided_at") - SKEW, DateTimeField()),
    )
    return (
        results()
        .filter(in_force=True, passed=False, decided_at__isnull=False, sitting__results__certificates__state="granted")
        .filter(~Exists(met))
        .distinct()
    )
